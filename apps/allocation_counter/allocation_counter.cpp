// Counts heap allocations, a counter for each thread: by replacing malloc and its relatives with glibc's own, or by the
// hook of the address sanitizer, which has a malloc of its own. A program that links this file has
// cardan::allocation_counter set; with other C libraries it is empty.
#include "simulation/allocation_counter.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)

#include <cerrno>

#ifdef __SANITIZE_ADDRESS__
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));
#endif

namespace {

thread_local std::uint64_t allocations = 0;

std::uint64_t allocations_of_this_thread() { return allocations; }

[[maybe_unused]] const bool registered = [] {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_install_malloc_and_free_hooks([](const volatile void*, std::size_t) { ++allocations; },
                                            [](const volatile void*) {});
#endif
  cardan::allocation_counter = allocations_of_this_thread;
  return true;
}();

}  // namespace

#ifndef __SANITIZE_ADDRESS__

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
#endif
