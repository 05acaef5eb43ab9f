# Trajectories in HDF5: a library beside the others, for the programs that write them. Shared objects that bring everything along
# (self_contained.cmake), and who links the library, need no HDF5.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/hdf5/*.cpp)
add_library(cardan_hdf5 STATIC ${sources})
target_include_directories(cardan_hdf5 PRIVATE ${HDF5_INCLUDE_DIRS} INTERFACE ${PROJECT_SOURCE_DIR}/src)
cardan_see_layers(cardan_hdf5 hdf5)
cardan_once(cardan_hdf5)
# The library itself is loaded when a file is written (h5_library.hpp), by the name that the linker would have noted.
list(FILTER HDF5_C_LIBRARIES INCLUDE REGEX hdf5)
list(GET HDF5_C_LIBRARIES 0 library)
execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
if(NOT headers MATCHES "SONAME +([^ \n]+)")
  message(FATAL_ERROR "${library} is no shared library of HDF5")
endif()
target_compile_definitions(cardan_hdf5 PRIVATE CARDAN_HDF5_LIBRARY="${CMAKE_MATCH_1}")
target_link_libraries(cardan_hdf5 PRIVATE cardan_libraries ${CMAKE_DL_LIBS})
