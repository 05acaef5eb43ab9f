// How a step ended: returned, never thrown from the loop.
#pragma once

namespace cardan {

enum class StepStatus {
  ok,
  not_converged,   // the iteration, or step control
  singular,        // a position at which the method cannot go on
  not_finite,      // numbers have run out
  below_rounding,  // step control asks for a step too short to change the time
  table_end,       // a function has left a table that ends a run: the state is the end of that step
  companion        // what another program computes has failed
};

/// In words, for messages: "not converged".
const char* status_name(StepStatus status);

}  // namespace cardan
