# Every folder of src/ is compiled as a part of its own, its files together (CARDAN_UNITY), so that Eigen's templates are read
# and instantiated once for a folder instead of once for a file.
#   cardan_part(FOLDER [ONCE])   the .cpp files of src/FOLDER, not of folders below it
# A part is compiled with nothing but headers of others, so that no part waits for another, and those only of its own layer
# and of layers below it (layers.cmake).
add_library(cardan_libraries INTERFACE)
target_link_libraries(cardan_libraries INTERFACE Eigen3::Eigen fmt::fmt yaml-cpp nlohmann_json::nlohmann_json SUNDIALS::ida
  SUNDIALS::nvecserial SUNDIALS::sunmatrixdense SUNDIALS::sunlinsoldense PNG::PNG pugixml::pugixml ZLIB::ZLIB
  Threads::Threads ${CMAKE_DL_LIBS})
target_compile_definitions(cardan_libraries INTERFACE ${eigen_definitions})
# g++ 12 warns of string concatenations that are fine (its bugs 105651 and 105329).
target_compile_options(cardan_libraries INTERFACE -Wall -Wextra -Wpedantic
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
# For programs and tests, which stand above all layers.
add_library(cardan_sources INTERFACE)
target_include_directories(cardan_sources INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(cardan_sources INTERFACE cardan_libraries)
include(cmake/layers.cmake)

# Headers of the libraries that nearly every file reads, parsed once for each set of flags.
add_library(cardan_precompiled OBJECT cmake/precompiled.cpp)
add_library(cardan_precompiled_once OBJECT cmake/precompiled.cpp)
add_library(cardan_precompiled_unwatched OBJECT EXCLUDE_FROM_ALL cmake/precompiled.cpp)
foreach(target cardan_precompiled cardan_precompiled_once cardan_precompiled_unwatched)
  target_link_libraries(${target} PRIVATE cardan_libraries)
  target_precompile_headers(${target} PRIVATE <Eigen/Dense> <fmt/format.h> <fmt/ranges.h> <algorithm> <array> <charconv> <cmath>
    <filesystem> <functional> <map> <memory> <optional> <set> <span> <string> <vector>)
endforeach()
# What runs once, before the first step or after the last, is compiled for a quick build.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(once -O1)
endif()
target_compile_options(cardan_precompiled_once PRIVATE ${once})
set(unwatched ${once} -fno-sanitize=all -DCARDAN_SANITIZED)
target_compile_options(cardan_precompiled_unwatched PRIVATE ${unwatched})

#   cardan_once(TARGET)   compile it as what runs once
function(cardan_once target)
  target_compile_options(${target} PRIVATE ${once})
  target_precompile_headers(${target} REUSE_FROM cardan_precompiled_once)
endfunction()

#   cardan_test(TARGET)   compile it as what runs once; it is the library that sanitizers watch: checks of the tests' own
#                         lines would double the time that compiling takes. Of what both instantiate the first that is
#                         linked is taken, so that the library comes first
function(cardan_test target)
  if(CARDAN_SANITIZE)
    target_compile_options(${target} PRIVATE ${unwatched})
    target_link_options(${target} PRIVATE LINKER:--whole-archive,$<TARGET_FILE:cardan>,--no-whole-archive)
    target_precompile_headers(${target} REUSE_FROM cardan_precompiled_unwatched)
  else()
    cardan_once(${target})
  endif()
endfunction()

function(cardan_part folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  string(REPLACE "/" "_" name cardan_${folder})
  add_library(${name} OBJECT ${sources})
  target_link_libraries(${name} PRIVATE cardan_libraries)
  cardan_see_layers(${name} ${folder})
  if(ARGN STREQUAL "ONCE")
    cardan_once(${name})
  else()
    target_precompile_headers(${name} REUSE_FROM cardan_precompiled)
  endif()
  target_sources(cardan PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

# The longest first, so that nothing is left for one processor at the end; but make comes back to those that wait for a
# precompiled header only when it is through with all others, so that two short ones stand before them.
cardan_part(text ONCE)
cardan_part(math)
cardan_part(system ONCE)
cardan_part(analysis ONCE)
cardan_part(formulation/cartesian)
cardan_part(io ONCE)
cardan_part(io/formats ONCE)
cardan_part(io/urdf ONCE)
cardan_part(io/adams ONCE)
cardan_part(io/mjcf ONCE)
cardan_part(math/decomposition ONCE)
cardan_part(math/contact)
cardan_part(simulation)
cardan_part(gradients)
cardan_part(integration)
cardan_part(ensemble)
cardan_part(mechanism ONCE)
cardan_part(elements ONCE)
cardan_part(options ONCE)
cardan_part(drive)
cardan_part(sweep ONCE)
cardan_part(optimize ONCE)
cardan_part(formulation)
cardan_part(formulation/natural)
cardan_part(formulation/recursive)
cardan_part(formulation/relative)
cardan_part(integration/state_space)
cardan_part(fmu ONCE)
target_include_directories(cardan_fmu PRIVATE ${PROJECT_SOURCE_DIR}/fmu)  # declarations of FMI
cardan_part(c_interface ONCE)
cardan_part(export ONCE)
# Specs and primitives are written with the fields that matter.
foreach(part cardan_elements cardan_mechanism)
  target_compile_options(${part} PRIVATE -Wno-missing-field-initializers)
endforeach()
# Each of its files instantiates the same classes with the members that it holds.
set_target_properties(cardan_formulation_natural PROPERTIES UNITY_BUILD OFF)
# So does this one and the folder that it is taken out of.
set_source_files_properties(src/formulation/body_model.cpp src/formulation/body_turns.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# What members are declared as, others that instantiate the class before these are read would settle: that they are compiled for the processor at hand.
set_source_files_properties(src/formulation/relative/tree_motion.cpp src/formulation/relative/tree_dynamics.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Of what runs once, this belongs to every sample.
set_source_files_properties(src/system/observer.cpp src/system/reactions.cpp src/system/reaction_sweep.cpp
  PROPERTIES COMPILE_OPTIONS -O3 SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
# Steps of ensembles and their derivatives, once for each set of instructions: nothing else is in their files, and products are not contracted, so
# that all of them give the same bits.
set(lanes -Wno-psabi -fno-strict-aliasing -fno-math-errno -ffp-contract=off)
set_source_files_properties(src/ensemble/lane_step_plain.cpp src/gradients/dual_step_plain.cpp PROPERTIES COMPILE_OPTIONS "${lanes}" SKIP_UNITY_BUILD_INCLUSION ON
  SKIP_PRECOMPILE_HEADERS ON)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(avx2 -mavx2)
endif()
set_source_files_properties(src/ensemble/lane_step_avx2.cpp src/gradients/dual_step_avx2.cpp PROPERTIES COMPILE_OPTIONS "${lanes};${avx2}" SKIP_UNITY_BUILD_INCLUSION ON
  SKIP_PRECOMPILE_HEADERS ON)
# Sweeps over spatial trees, likewise.
set(sweeps -Wno-psabi -ffp-contract=off)
set_source_files_properties(src/formulation/recursive/spatial_sweeps_plain.cpp PROPERTIES COMPILE_OPTIONS "${sweeps}" SKIP_UNITY_BUILD_INCLUSION ON
  SKIP_PRECOMPILE_HEADERS ON)
set_source_files_properties(src/formulation/recursive/spatial_sweeps_avx2.cpp PROPERTIES COMPILE_OPTIONS "${sweeps};${avx2}" SKIP_UNITY_BUILD_INCLUSION ON
  SKIP_PRECOMPILE_HEADERS ON)
# The same code with numbers that lie in lanes too and are written on a tape.
set_source_files_properties(src/gradients/taped_step.cpp PROPERTIES COMPILE_OPTIONS "-fno-strict-aliasing;-O3" SKIP_UNITY_BUILD_INCLUSION ON)
# Files of these folders instantiate members that clang counts as instantiated twice when it sees the class's instantiation too.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set_target_properties(cardan_formulation cardan_formulation_cartesian cardan_formulation_relative cardan_formulation_recursive
    PROPERTIES UNITY_BUILD OFF)
endif()
