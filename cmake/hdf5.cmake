# Trajectories in HDF5: a library beside the others, for the programs that write them. Shared objects that bring everything along
# (self_contained.cmake), and who links the library, need no HDF5.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/hdf5/*.cpp)
add_library(cardan_hdf5 STATIC ${sources})
target_include_directories(cardan_hdf5 PRIVATE ${HDF5_INCLUDE_DIRS} INTERFACE ${PROJECT_SOURCE_DIR}/src)
cardan_see_layers(cardan_hdf5 hdf5)
cardan_once(cardan_hdf5)
# The others of the list are its own business.
list(FILTER HDF5_C_LIBRARIES INCLUDE REGEX hdf5)
target_link_libraries(cardan_hdf5 PRIVATE cardan_libraries ${HDF5_C_LIBRARIES})
