# Shared objects that bring everything along but libc and libm: what hosts (Matlab, Julia, FMI masters) have of libstdc++ or
# yaml-cpp is of other versions, or not there.
#   cardan_self_contained(TARGET SYMBOLS)   links the library into it; only the symbols that match SYMBOLS can be seen
set(CARDAN_ARCHIVES yaml-cpp sundials_ida sundials_nvecserial sundials_sunmatrixdense sundials_sunlinsoldense png16 pugixml z)
set(archives)
foreach(name ${CARDAN_ARCHIVES})
  find_library(CARDAN_ARCHIVE_${name} lib${name}.a)
  mark_as_advanced(CARDAN_ARCHIVE_${name})
  list(APPEND archives ${CARDAN_ARCHIVE_${name}})
endforeach()
if(CARDAN_SANITIZE OR archives MATCHES NOTFOUND OR NOT CMAKE_SYSTEM_NAME STREQUAL Linux)
  set(CARDAN_SELF_CONTAINED OFF)
  message(STATUS "shared objects need the shared libraries of this system: ${archives}")
else()
  set(CARDAN_SELF_CONTAINED ON)
  add_library(cardan_brought_along OBJECT cmake/self_contained/fmt.cpp cmake/self_contained/unload.cpp
    cmake/self_contained/wrapped.c)
  set_target_properties(cardan_brought_along PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(cardan_brought_along PRIVATE fmt::fmt)
endif()

function(cardan_self_contained target symbols)
  set(map ${CMAKE_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${map} CONTENT "{ global: ${symbols}; local: *; };\n")
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
  if(NOT CARDAN_SELF_CONTAINED)
    target_link_libraries(${target} PRIVATE cardan fmt::fmt)
    return()
  endif()
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:cardan_brought_along>)
  add_dependencies(${target} cardan)
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,-z,defs -Wl,--wrap=stderr
    -Wl,--wrap=__libc_single_threaded)
  target_link_libraries(${target} PRIVATE $<TARGET_FILE:cardan> ${archives} m)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:cardan>)
endfunction()

# The C interface: include/cardan/cardan.h.
add_library(cardan_c SHARED $<TARGET_OBJECTS:cardan_c_interface>)
set_target_properties(cardan_c PROPERTIES LINKER_LANGUAGE CXX)
target_include_directories(cardan_c INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
cardan_self_contained(cardan_c "cardan_*")
