#include "mechanism/given_signal.hpp"

namespace cardan {

Function::Value given_signal(const std::vector<Signal>& signals, int signal, double t, const Function::Value* inputs) {
  constexpr std::size_t kMost = 64;  // arguments of an expression: see Expression::kMostVariables
  const Signal& s = signals[static_cast<std::size_t>(signal)];
  switch (s.kind) {
    case Signal::Kind::time:
      return {t, 1, 0};
    case Signal::Kind::input:
      return inputs[s.index];
    case Signal::Kind::function: {
      const Function::Value x = given_signal(signals, s.arguments[0], t, inputs), f = s.of.evaluate(x.f);
      return {f.f, f.d1 * x.d1, f.d2 * x.d1 * x.d1 + f.d1 * x.d2};
    }
    case Signal::Kind::expression: {
      Function::Value arguments[kMost];
      for (std::size_t i = 0; i < s.arguments.size(); ++i)
        arguments[i] = given_signal(signals, s.arguments[i], t, inputs);
      return s.expression.along(arguments);
    }
    default:
      return {};
  }
}

}  // namespace cardan
