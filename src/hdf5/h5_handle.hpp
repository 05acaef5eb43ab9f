// Identifiers of HDF5 that are given back, and what the library says when something goes wrong. The library may be
// built without threads in mind, so that every call is made under one lock.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace cardan {

/// Held around every call of HDF5.
std::mutex& h5_lock();

/// Gives `id` back with `close`. Throws std::runtime_error with what the library says when it is none.
class H5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  H5Handle() = default;
  H5Handle(hid_t id, Close close);
  ~H5Handle() { reset(); }
  H5Handle(H5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  H5Handle& operator=(H5Handle&& other) noexcept {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
    return *this;
  }
  operator hid_t() const { return id_; }
  /// False when giving back failed: of a file, what it held may not be on the disk.
  bool reset() noexcept;

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Throws std::runtime_error with what the library says when the answer is an error.
void h5_check(herr_t answer);

/// Strings of any length, UTF-8.
H5Handle h5_text_type();
void write_text_attribute(hid_t object, const char* name, const std::string& text);

}  // namespace cardan
