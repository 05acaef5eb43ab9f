// A sink that writes its rows into a file by a thread of its own.
#pragma once

#include <cstdint>
#include <string>

#include "cardan/sink.hpp"

namespace cardan {

class RowFile : public Sink {
 public:
  /// Why writing failed, once finished; empty when every row is in the file.
  virtual const std::string& error() const = 0;
  /// How many rows are in the file, those that were kept among them; -1 once writing has failed. From any thread.
  virtual std::int64_t written() const = 0;
};

}  // namespace cardan
