// What the functions of FMI 3.0 have in common.
#pragma once

#include <exception>
#include <string>

#include "fmi3.h"
#include "instance.hpp"

namespace cardan_fmu {

struct Fmi3Instance {
  std::unique_ptr<Instance> core;
  bool early_return_allowed = false;
};

constexpr unsigned kAlways = kInstantiated | kInitialization | kStepping | kDiscarded | kTerminated | kError;
constexpr unsigned kReadable = kInitialization | kStepping | kTerminated | kError;
constexpr unsigned kSettable = kInstantiated | kInitialization | kStepping;

/// The instance calls `act`, which answers whether that was good, if it may.
template <class Act>
fmi3Status with(fmi3Instance handle, unsigned modes, const char* function, const Act& act) noexcept {
  if (handle == nullptr) return fmi3Error;
  Instance& instance = *static_cast<Fmi3Instance*>(handle)->core;
  try {
    if (!instance.allows(modes, function)) return fmi3Error;
    return act(instance) ? fmi3OK : fmi3Error;
  } catch (const std::exception& error) {
    try {
      instance.fail(error.what());
    } catch (...) {
    }
    return fmi3Error;
  }
}

inline fmi3Status refuse(fmi3Instance handle, const char* function, const char* why) noexcept {
  return with(handle, kAlways, function, [&](Instance& i) { return i.fail(std::string(function) + ": " + why); });
}

fmi3Instance refuse_to_instantiate(fmi3LogMessageCallback callback, fmi3InstanceEnvironment environment,
                                   const char* why);

}  // namespace cardan_fmu
