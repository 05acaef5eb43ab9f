// The memory of IDA as numbers, so that a State can hold it and a restored state goes on bit for bit. SUNDIALS has no
// call for this: the fields are those of its implementation header, version 6.
#pragma once

#include "integration/bdf_system.hpp"

namespace cardan {

class BdfHistory {
 public:
  /// How many numbers one history is.
  static int count(const BdfSystem& system);
  /// After a successful step: differences, past steps, order, where the Jacobian in use was formed, and
  /// orders of elimination.
  /// What IDA has not written yet, so that all numbers of a history are some.
  static void clear(void* ida);
  static void save(void* ida, const BdfSystem& system, double* numbers);
  /// `ida` must have tried a step since it was initialized; its counters stay as they are. False when the Jacobian
  /// could not be formed again.
  static bool restore(void* ida, BdfSystem& system, const double* numbers);
};

}  // namespace cardan
