// Counts heap allocations by replacing malloc and its relatives with glibc's own plus a counter for each thread. A
// program that links this file has cardan::allocation_counter set. The sanitizers bring their own malloc, so with them
// it is empty, and so it is with other C libraries.
#include <cstdlib>

#include "cardan/simulation.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace {

thread_local std::uint64_t allocations = 0;

std::uint64_t allocations_of_this_thread() { return allocations; }

[[maybe_unused]] const bool registered = [] {
  cardan::allocation_counter = allocations_of_this_thread;
  return true;
}();

}  // namespace

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* memory = memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}

}  // extern "C"

#endif
