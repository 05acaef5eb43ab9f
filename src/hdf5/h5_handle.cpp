#include "hdf5/h5_handle.hpp"

#include <stdexcept>

#include "hdf5/h5_library.hpp"

namespace cardan {
namespace {

/// The innermost of the errors: the one that says what happened.
herr_t keep_innermost(unsigned depth, const H5E_error2_t* error, void* text) {
  if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

[[noreturn]] void fail() {
  std::string text;
  h5().Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &text);
  throw std::runtime_error(text.empty() ? "HDF5 failed" : text);
}

}  // namespace

std::mutex& h5_lock() {
  static std::mutex lock;
  return lock;
}

H5Handle::H5Handle(hid_t id, Close close) : id_(id), close_(close) {
  if (id < 0) fail();
}

bool H5Handle::reset() noexcept { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

void h5_check(herr_t answer) {
  if (answer < 0) fail();
}

H5Handle h5_text_type() {
  H5Handle type(h5().Tcopy(h5().c_string), h5().Tclose);
  h5_check(h5().Tset_size(type, H5T_VARIABLE));
  h5_check(h5().Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void write_text_attribute(hid_t object, const char* name, const std::string& text) {
  const H5Handle type = h5_text_type(), one(h5().Screate(H5S_SCALAR), h5().Sclose);
  const H5Handle attribute(h5().Acreate2(object, name, type, one, H5P_DEFAULT, H5P_DEFAULT), h5().Aclose);
  const char* value = text.c_str();
  h5_check(h5().Awrite(attribute, type, &value));
}

}  // namespace cardan
