#include "cardan/step_status.hpp"

namespace cardan {

const char* status_name(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return "ok";
    case StepStatus::not_converged:
      return "not converged";
    case StepStatus::singular:
      return "singular";
    case StepStatus::not_finite:
      return "not finite";
    case StepStatus::below_rounding:
      return "step below rounding";
    case StepStatus::table_end:
      return "end of a table";
    case StepStatus::companion:
      return "failure of a companion";
  }
  return "";
}

}  // namespace cardan
