// Function expressions of ADAMS as expressions of a model file. Numbers stay as they are, in the units of the dataset;
// what is measured comes from outside (AdamsMeasures) in the same units.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// A curve through the points of a SPLINE, or a derivative of it, at an argument.
struct AdamsSpline {
  std::string argument;
  int id = 0;
  bool cubic = false;  // CUBSPL; else the curve of Akima
  int derivative = 0;
};

/// What functions of markers and other elements are called in the model.
class AdamsMeasures {
 public:
  virtual ~AdamsMeasures() = default;
  /// The time, an expression.
  virtual std::string time() = 0;
  /// DX(ids) and the like; nothing when there is no such thing, and `why_not`.
  virtual std::optional<std::string> measure(const std::string& name, const std::vector<int>& ids,
                                             std::string& why_not) = 0;
  virtual std::optional<std::string> spline(const AdamsSpline& wanted, std::string& why_not) = 0;
  /// A short name for an expression that is needed several times.
  virtual std::string shared(const std::string& expression) = 0;
};

/// Nothing, and `why_not`, when something in it is not understood.
std::optional<std::string> translate_adams_expression(std::string_view text, AdamsMeasures& measures,
                                                      std::string& why_not);

}  // namespace cardan
