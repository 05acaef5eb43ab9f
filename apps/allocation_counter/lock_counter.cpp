// Counts locks, a counter for each thread, by standing before the system's own functions. Waiting for a condition needs
// a lock first. A program that links this file has cardan::lock_counter set; with other C libraries it is empty.
#include <cstdint>

#include "simulation/allocation_counter.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)

#include <dlfcn.h>
#include <pthread.h>

namespace {

thread_local std::uint64_t locks = 0;

[[maybe_unused]] const bool locks_registered = [] {
  cardan::lock_counter = [] { return locks; };
  return true;
}();

/// The system's function of this name.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static const auto lock = next<int(pthread_mutex_t*)>("pthread_mutex_lock");
  ++locks;
  return lock(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static const auto lock = next<int(pthread_mutex_t*)>("pthread_mutex_trylock");
  ++locks;
  return lock(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* mutex) noexcept {
  static const auto lock = next<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  ++locks;
  return lock(mutex);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* mutex) noexcept {
  static const auto lock = next<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
  ++locks;
  return lock(mutex);
}

}  // extern "C"

#endif
