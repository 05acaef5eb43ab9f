// Where the rows of a run or an analysis go.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cardan {

/// Receives the samples of a run. `row` is valid during the call only.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void start(const std::vector<std::string>& columns) = 0;
  virtual void sample(const double* row, std::size_t size) = 0;
  virtual void finish() {}
};

}  // namespace cardan
