// Any text as an expression: compiled or refused, and what is compiled evaluates, with derivatives, without harm.
#include <cstdint>
#include <string_view>

#include "math/expression.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const cardan::Expression expression = cardan::Expression::compile(text, {"t"}, {{"L", 0.5}, {"m", 2.0}});
    const double at[] = {0.3};
    expression.evaluate(at);
    expression.evaluate_jet(0.3);
  } catch (const cardan::ExpressionError& error) {
    if (error.position() > size) __builtin_trap();  // a place within the text, or its end
  }
  return 0;
}
