// A number that follows signals, short to write in tests.
#pragma once

#include "cardan/signal_expression.hpp"

namespace cardan {

inline Varying follow(const std::string& text, const std::map<std::string, double>& constants = {}) {
  return SignalExpression::parse(text, constants);
}

}  // namespace cardan
