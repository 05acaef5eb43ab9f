# The viewer's page (viewer/, TypeScript) becomes a source file of the library. Needs node and npm; without them everything
# else is built and `cardan view` says what is missing.
option(CARDAN_VIEWER "Build the viewer's page into the program" ON)

set(CARDAN_VIEWER_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/viewer_page.cpp)
find_program(CARDAN_NPM npm)
find_program(CARDAN_NODE node)
if(CARDAN_VIEWER AND CARDAN_NPM AND CARDAN_NODE)
  file(GLOB_RECURSE CARDAN_VIEWER_FILES CONFIGURE_DEPENDS viewer/src/*)
  add_custom_command(
    OUTPUT ${CARDAN_VIEWER_SOURCE}
    COMMAND ${CMAKE_COMMAND} -D NPM=${CARDAN_NPM} -D FOLDER=${PROJECT_SOURCE_DIR}/viewer -D SOURCE=${CARDAN_VIEWER_SOURCE}
            -P ${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake
    DEPENDS ${CARDAN_VIEWER_FILES} viewer/index.html viewer/vite.config.ts viewer/tsconfig.json viewer/package-lock.json
            cmake/build_viewer.cmake
    COMMENT "Building the viewer's page"
    VERBATIM)
else()
  if(CARDAN_TESTS)
    message(FATAL_ERROR "the tests need the viewer, which they test: install nodejs and npm, and leave CARDAN_VIEWER on")
  endif()
  set(reason "this program was built without it (CARDAN_VIEWER is off)")
  if(CARDAN_VIEWER)
    set(reason "node and npm were not found when this program was built; install nodejs and npm and build again")
    message(STATUS "no viewer: node and npm were not found")
  endif()
  # A file of its own: the page is made when the viewer is switched on again.
  set(CARDAN_VIEWER_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/no_viewer_page.cpp)
  file(CONFIGURE OUTPUT ${CARDAN_VIEWER_SOURCE} @ONLY CONTENT [[
#include "io/viewer_page.hpp"
namespace cardan {
std::string_view viewer_page() { return {}; }
std::string_view viewer_page_missing() { return "@reason@"; }
}  // namespace cardan
]])
endif()
add_library(cardan_viewer_page OBJECT ${CARDAN_VIEWER_SOURCE})
target_link_libraries(cardan_viewer_page PRIVATE cardan_sources)
target_sources(cardan PRIVATE $<TARGET_OBJECTS:cardan_viewer_page>)
