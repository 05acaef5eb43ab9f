// HDF5 itself, loaded when the first file of it is written: at the start of the program it would bring a dozen
// libraries along (Debian's reads files over the network), for a format that few runs ask for.
#pragma once

#include <hdf5.h>

// Words of the header that call the library wherever a constant like H5F_ACC_TRUNC stands: it is open by then, and of
// the version that its name says.
#undef H5CHECK
#define H5CHECK
#undef H5OPEN
#define H5OPEN

namespace cardan {

// Every function that is called, without its H5.
// clang-format off
#define CARDAN_H5_FUNCTIONS(F)                                                                                       \
  F(open)                                                                                                            \
  F(Aclose)                                                                                                          \
  F(Acreate2)                                                                                                        \
  F(Awrite) F(Dclose) F(Dcreate2) F(Dget_space) F(Dopen2) F(Dset_extent) F(Dwrite) F(Eset_auto2) F(Ewalk2) F(Fclose) \
      F(Fcreate) F(Fflush) F(Fopen) F(Pclose) F(Pcreate) F(Pset_char_encoding) F(Pset_chunk)                         \
          F(Pset_create_intermediate_group) F(Pset_file_locking) F(Pset_libver_bounds) F(Pset_link_creation_order)   \
              F(Pset_obj_track_times) F(Sclose) F(Screate) F(Screate_simple) F(Sget_simple_extent_dims)              \
                  F(Sselect_hyperslab) F(Tclose) F(Tcopy) F(Tset_cset) F(Tset_size)
// clang-format on

// Identifiers that the library makes when it is opened: how they are called here, and the variables that they stand in.
#define CARDAN_H5_IDENTIFIERS(F)                   \
  F(file_access, H5P_CLS_FILE_ACCESS_ID_g)         \
  F(file_creation, H5P_CLS_FILE_CREATE_ID_g)       \
  F(dataset_creation, H5P_CLS_DATASET_CREATE_ID_g) \
  F(link_creation, H5P_CLS_LINK_CREATE_ID_g)       \
  F(c_string, H5T_C_S1_g)                          \
  F(double_of_files, H5T_IEEE_F64LE_g)             \
  F(native_double, H5T_NATIVE_DOUBLE_g)

struct H5Library {
#define CARDAN_H5_MEMBER(name) decltype(&::H5##name) name;
  CARDAN_H5_FUNCTIONS(CARDAN_H5_MEMBER)
#undef CARDAN_H5_MEMBER
#define CARDAN_H5_MEMBER(name, variable) hid_t name;
  CARDAN_H5_IDENTIFIERS(CARDAN_H5_MEMBER)
#undef CARDAN_H5_MEMBER
};

/// Loads it at the first call. Throws std::runtime_error when it is not there or is of another version.
const H5Library& h5();

}  // namespace cardan
