# cmake -D NPM=... -D FOLDER=viewer -D SOURCE=viewer_page.cpp -P build_viewer.cmake
# Packages that cannot be fetched (no network) leave the program without a viewer; errors in the page stop the build.
set(reason "")
if(NOT EXISTS ${FOLDER}/node_modules/.package-lock.json
   OR ${FOLDER}/package-lock.json IS_NEWER_THAN ${FOLDER}/node_modules/.package-lock.json)
  execute_process(COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${FOLDER}
                  RESULT_VARIABLE failed OUTPUT_QUIET)
  if(failed)
    message(WARNING "the viewer's packages could not be fetched (npm ci); building without the viewer")
    set(reason "its packages could not be fetched when this program was built; build again with a network")
  else()
    file(TOUCH ${FOLDER}/node_modules/.package-lock.json)
  endif()
endif()
set(page "")
if(NOT reason)
  execute_process(COMMAND ${NPM} run --silent build -- --logLevel warn WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "the viewer's page could not be built: see above")
  endif()
  file(READ ${FOLDER}/dist/index.html page)
endif()
file(WRITE ${SOURCE} "#include \"io/viewer_page.hpp\"
namespace cardan {
namespace {
constexpr char kPage[] = R\"cardan_page(${page})cardan_page\";
}  // namespace
std::string_view viewer_page() { return {kPage, sizeof(kPage) - 1}; }
std::string_view viewer_page_missing() { return \"${reason}\"; }
}  // namespace cardan
")
