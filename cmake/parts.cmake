# Every folder of src/ is compiled as a part of its own, its files together (CARDAN_UNITY), so that Eigen's templates are read
# and instantiated once for a folder instead of once for a file.
#   cardan_part(FOLDER [FLAGS ...])   the .cpp files of src/FOLDER, not of folders below it
function(cardan_part folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  string(REPLACE "/" "_" name cardan_${folder})
  add_library(${name} OBJECT ${sources})
  # g++ 12 warns of string concatenations that are fine (its bug 105651).
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wno-restrict ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE Eigen3::Eigen fmt::fmt yaml-cpp nlohmann_json::nlohmann_json SUNDIALS::ida
    SUNDIALS::nvecserial SUNDIALS::sunmatrixdense SUNDIALS::sunlinsoldense Threads::Threads)
  target_sources(cardan PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

# What runs once, before the first step or after the last, is compiled for a quick build.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(once -O1)
endif()
# The longest first, so that nothing is left for one processor at the end.
cardan_part(analysis)
cardan_part(formulation/cartesian)
cardan_part(integration)
cardan_part(math)
cardan_part(mechanism ${once})
cardan_part(formulation)
cardan_part(formulation/natural)
cardan_part(formulation/recursive)
cardan_part(formulation/relative)
cardan_part(integration/state_space)
cardan_part(simulation)
cardan_part(io ${once})
# Each of its files instantiates the same classes with the members that it holds.
set_target_properties(cardan_formulation_natural PROPERTIES UNITY_BUILD OFF)
# Their sweeps load vectors of three right after they were stored: in unaligned pairs they would wait for the stores.
set_source_files_properties(src/formulation/recursive/articulated_tree.cpp src/formulation/relative/tree_motion.cpp PROPERTIES
  COMPILE_DEFINITIONS EIGEN_UNALIGNED_VECTORIZE=0 SKIP_UNITY_BUILD_INCLUSION ON)
# Eigen's eigenvalues and singular values take as long to compile as the rest of the folder.
set_source_files_properties(src/analysis/linearization.cpp PROPERTIES COMPILE_OPTIONS "${once}" SKIP_UNITY_BUILD_INCLUSION ON)
