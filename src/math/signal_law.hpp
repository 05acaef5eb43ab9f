// Laws of several signals written once, for any scalar type: values, gradients and derivatives along a curve follow.
// For elements; what model files write are expressions (expression.hpp).
#pragma once

#include <array>

#include "cardan/signal_expression.hpp"
#include "math/dual.hpp"
#include "math/jet.hpp"

namespace cardan {

template <int N, class Law>
class GenericLaw final : public SignalLaw {
 public:
  explicit GenericLaw(Law law) : law_(std::move(law)) {}
  double evaluate(const double* values) const override { return law_(values); }
  double evaluate(const double* values, double* gradient) const override {
    Dual<N> x[N];
    for (int i = 0; i < N; ++i) x[i] = Dual<N>::variable(values[i], i);
    const Dual<N> result = law_(static_cast<const Dual<N>*>(x));
    for (int i = 0; i < N; ++i) gradient[i] = result.d[i];
    return result.f;
  }
  Function::Value along(const Function::Value* values) const override {
    Jet x[N];
    for (int i = 0; i < N; ++i) x[i] = {values[i].f, values[i].d1, values[i].d2};
    const Jet result = law_(static_cast<const Jet*>(x));
    return {result.f, result.d1, result.d2};
  }

 private:
  Law law_;
};

/// `law`: takes a pointer to as many scalars as there are names, of any of the types above, and answers with one.
/// `text` names it with the numbers that it holds.
template <std::size_t N, class Law>
SignalExpression signal_law(std::string text, const std::array<std::string, N>& names, Law law) {
  return SignalExpression::custom(std::move(text), {names.begin(), names.end()},
                                  std::make_shared<const GenericLaw<static_cast<int>(N), Law>>(std::move(law)));
}

}  // namespace cardan
