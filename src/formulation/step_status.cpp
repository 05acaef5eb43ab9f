#include "cardan/state.hpp"

namespace cardan {

const char* status_name(StepStatus status) {
  switch (status) {
    case StepStatus::Ok:
      return "ok";
    case StepStatus::NotConverged:
      return "not converged";
    case StepStatus::Singular:
      return "singular";
    case StepStatus::NonFinite:
      return "not finite";
    case StepStatus::Overrun:
      return "overrun";
    case StepStatus::TableEnd:
      return "end of a table";
  }
  return "";
}

}  // namespace cardan
