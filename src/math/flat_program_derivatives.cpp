// FlatProgram: derivatives of its results, backward over the steps.
#include <cmath>
#include <utility>

#include "math/flat_program.hpp"

namespace cardan {

/// What most steps are stands here, the rest in back().
void FlatProgram::differentiate(int index, const double* place, const double* partial, double* slope) const {
  const Result& result = results_[static_cast<std::size_t>(index)];
  for (const int input : result.inputs) slope[input] = 0;
  for (const Sum::Term& term : result.sum.terms) slope[term.place] += term.factor;
  const auto give = [&](const Operand& operand, double by) { slope[operand.place] += operand.factor * by; };
  const auto read = [&](const Operand& operand) { return operand.read(place); };
  for (const Batch& batch : result.batches) {
    // With the derivative by the step's own value, unless that is zero.
    const auto each = [&](const auto& pass_on) {
      const int* const end = result.steps.data() + batch.last;
      for (const int* which = result.steps.data() + batch.first; which != end; ++which) {
        const Step& step = steps_[static_cast<std::size_t>(*which)];
        const double own = std::exchange(slope[step.to], 0.0);
        if (own != 0) pass_on(step, own);
      }
    };
    switch (batch.code) {
      case Code::sum_of_two:
        each([&](const Step& s, double own) { give(s.a, own), give(s.b, own); });
        break;
      case Code::multiply:
        each([&](const Step& s, double own) {
          const double u = read(s.a), v = read(s.b);
          if (v != 0) give(s.a, v * own);
          if (u != 0) give(s.b, u * own);
        });
        break;
      case Code::divide:
        each([&](const Step& s, double own) {
          const double by = own / read(s.b);
          if (by != 0) give(s.a, by);
          if (const double g = place[s.to]; g != 0) give(s.b, -g * by);
        });
        break;
      case Code::square:
        each([&](const Step& s, double own) {
          if (const double u = read(s.a); u != 0) give(s.a, 2 * u * own);
        });
        break;
      case Code::sin:
        each([&](const Step& s, double own) {
          if (const double by = std::cos(read(s.a)); by != 0) give(s.a, by * own);
        });
        break;
      case Code::choice:
        each([&](const Step& s, double own) { give(read(s.a) != 0 ? s.b : s.c, own); });
        break;
      case Code::choice_if_less:
        each([&](const Step& s, double own) { give(read(s.a) < read(s.b) ? s.c : s.d, own); });
        break;
      case Code::choice_if_greater:
        each([&](const Step& s, double own) { give(read(s.a) > read(s.b) ? s.c : s.d, own); });
        break;
      case Code::min:
        each([&](const Step& s, double own) { give(read(s.b) < read(s.a) ? s.b : s.a, own); });
        break;
      case Code::max:
        each([&](const Step& s, double own) { give(read(s.b) > read(s.a) ? s.b : s.a, own); });
        break;
      case Code::min_of_max:
      case Code::max_of_min:
        each([&](const Step& s, double own) { give(taken(s, place), own); });
        break;
      case Code::less:
      case Code::greater:
        each([](const Step&, double) {});
        break;
      case Code::sum:
      case Code::power:
      case Code::operation:
      case Code::call:
        each([&](const Step& s, double own) { back(s, own, place, partial, slope); });
    }
  }
}

/// What the derivative by a step's own value gives to those by its operands.
void FlatProgram::back(const Step& step, double own, const double* place, const double* partial, double* slope) const {
  const auto give_place = [&](int at, double by) {
    if (by != 0) slope[at] += by * own;
  };
  const auto give = [&](const Operand& operand, double by) { give_place(operand.place, operand.factor * by); };
  if (step.code == Code::sum) {
    for (const Sum::Term& term : sums_[static_cast<std::size_t>(step.index)].terms) give_place(term.place, term.factor);
    return;
  }
  if (step.code == Code::call) {
    const CallSite& site = calls_[static_cast<std::size_t>(step.index)];
    const double* by = partial + site.first_partial;
    for (const int argument : site.arguments) give_place(argument, *by++);
    return;
  }
  const double u = step.a.read(place), g = place[step.to];
  if (step.code == Code::power)
    return give(step.a, step.index == 0 ? 0 : step.index * expression_program::integer_power(u, step.index - 1));
  const double v = step.b.read(place);
  switch (step.operation) {
    case Operation::cos:
      return give(step.a, -std::sin(u));
    case Operation::tan:
      return give(step.a, 1 + g * g);
    case Operation::asin:
      return give(step.a, 1 / std::sqrt((1 - u) * (1 + u)));
    case Operation::acos:
      return give(step.a, -1 / std::sqrt((1 - u) * (1 + u)));
    case Operation::atan:
      return give(step.a, 1 / (1 + u * u));
    case Operation::sinh:
      return give(step.a, std::cosh(u));
    case Operation::cosh:
      return give(step.a, std::sinh(u));
    case Operation::tanh:
      return give(step.a, 1 - g * g);
    case Operation::exp:
      return give(step.a, g);
    case Operation::log:
      return give(step.a, 1 / u);
    case Operation::log10:
      return give(step.a, 1 / (u * std::log(10.0)));
    case Operation::sqrt:
      return give(step.a, 0.5 / g);
    case Operation::abs:
      return give(step.a, expression_program::sign(u));
    case Operation::power:
      give(step.a, v == 0 ? 0 : v * std::pow(u, v - 1));
      if (!is_constant_[static_cast<std::size_t>(step.b.place)]) give(step.b, g * std::log(u));
      return;
    case Operation::atan2:
      give(step.a, v / (u * u + v * v));
      return give(step.b, -u / (u * u + v * v));
    case Operation::mod:
      give(step.a, 1);
      return give(step.b, -std::floor(u / v));
    default:  // signs, whole numbers and comparisons do not vary
      return;
  }
}

}  // namespace cardan
