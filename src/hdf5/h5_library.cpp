#include "hdf5/h5_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

namespace cardan {
namespace {

constexpr const char* kName = CARDAN_HDF5_LIBRARY;

[[noreturn]] void refuse(const char* why) {
  throw std::runtime_error(
      fmt::format("the library of HDF5 cannot be loaded ({}); Debian has it in the package libhdf5-103-1",
                  why != nullptr ? why : "no reason was given"));
}

template <class Address>
void look_up(void* library, const char* name, Address& address) {
  address = reinterpret_cast<Address>(dlsym(library, name));
  if (address == nullptr) refuse(dlerror());
}

/// Stays loaded to the end: it registers what it does when the process ends.
H5Library load() {
  void* library = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(dlerror());
  H5Library found{};
#define CARDAN_H5_FUNCTION(name) look_up(library, "H5" #name, found.name);
  CARDAN_H5_FUNCTIONS(CARDAN_H5_FUNCTION)
#undef CARDAN_H5_FUNCTION
  if (found.open() < 0) refuse("it could not be initialized");
  const hid_t* identifier = nullptr;
#define CARDAN_H5_IDENTIFIER(name, variable) \
  look_up(library, #variable, identifier);   \
  found.name = *identifier;
  CARDAN_H5_IDENTIFIERS(CARDAN_H5_IDENTIFIER)
#undef CARDAN_H5_IDENTIFIER
  return found;
}

}  // namespace

const H5Library& h5() {
  static const H5Library library = load();
  return library;
}

}  // namespace cardan
