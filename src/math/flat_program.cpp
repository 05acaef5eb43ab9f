#include "math/flat_program.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace cardan {

/// Goes through the code of an expression with the sums that would be on its stack.
class FlatProgram::Translator {
 public:
  Translator(FlatProgram& program, std::span<const Instruction> code, const std::vector<Sum>& variables)
      : program_(program), code_(code), variables_(variables) {}

  Sum run() {
    translate(0, static_cast<int>(code_.size()));
    return pop();
  }

 private:
  Sum pop() {
    Sum sum = std::move(stack_.back());
    stack_.pop_back();
    return sum;
  }

  void translate(int first, int last) {
    for (int i = first; i < last; ++i) {
      const Instruction& step = code_[static_cast<std::size_t>(i)];
      switch (step.operation) {
        case Operation::constant:
          stack_.push_back({step.number, {}});
          break;
        case Operation::variable:
          stack_.push_back(variables_[static_cast<std::size_t>(step.index)]);
          break;
        case Operation::jump_if_zero:
          i = choose(i) - 1;
          break;
        case Operation::integer_power:
          stack_.push_back(power(pop(), step.index));
          break;
        default: {
          const Sum right = expression_program::operand_count(step.operation) == 2 ? pop() : Sum{};
          stack_.push_back(program_.operate(step.operation, pop(), right));
        }
      }
    }
  }

  Sum power(const Sum& base, int exponent) {
    if (base.is_constant()) return {expression_program::integer_power(base.constant, exponent), {}};
    return program_.of_step(
        {.code = exponent == 2 ? Code::square : Code::power, .index = exponent, .a = program_.operand(base)});
  }

  /// `condition ? first : second`, whose code is: jump_if_zero to second, first, jump to end, second. Both are
  /// computed, one is taken. Gives where the code goes on.
  int choose(int at) {
    const int second = code_[static_cast<std::size_t>(at)].index;
    const int end = code_[static_cast<std::size_t>(second) - 1].index;
    const Sum condition = pop();
    translate(at + 1, second - 1);
    const Sum one = pop();
    translate(second, end);
    const Sum two = pop();
    if (condition.is_constant()) {
      stack_.push_back(condition.constant != 0 ? one : two);
    } else {
      stack_.push_back(program_.of_step({.code = Code::choice,
                                         .a = program_.operand(condition),
                                         .b = program_.operand(one),
                                         .c = program_.operand(two)}));
    }
    return end;
  }

  FlatProgram& program_;
  std::span<const Instruction> code_;
  const std::vector<Sum>& variables_;
  std::vector<Sum> stack_;
};

int FlatProgram::add_place(double value) {
  initial_.push_back(value);
  is_input_.push_back(false);
  is_constant_.push_back(false);
  writer_.push_back(-1);
  return places() - 1;
}

FlatProgram::Sum FlatProgram::add_input() {
  const int place = add_place(0);
  is_input_[static_cast<std::size_t>(place)] = true;
  return {0, {{place, 1}}};
}

/// By its bits: a zero of each sign is a number of its own.
int FlatProgram::constant(double value) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (std::size_t i = 0; i < initial_.size(); ++i)
    if (is_constant_[i] && bits(initial_[i]) == bits(value)) return static_cast<int>(i);
  const int place = add_place(value);
  is_constant_[static_cast<std::size_t>(place)] = true;
  return place;
}

int FlatProgram::add_step(Step step) {
  for (const Step& known : steps_) {
    step.to = known.to;
    if (known == step) return known.to;
  }
  step.to = add_place(0);
  writer_[static_cast<std::size_t>(step.to)] = static_cast<int>(steps_.size());
  steps_.push_back(step);
  return step.to;
}

int FlatProgram::place_of(const Sum& sum) {
  if (sum.is_constant()) return constant(sum.constant);
  if (sum.constant == 0 && sum.terms.size() == 1 && sum.terms[0].factor == 1) return sum.terms[0].place;
  if (sum.terms.size() == 2 && sum.terms[0].factor != 0 && sum.terms[1].factor != 0) {
    const double offset = sum.constant == 0 ? -0.0 : sum.constant;
    return add_step({.code = Code::sum_of_two,
                     .a = {sum.terms[0].place, sum.terms[0].factor, offset},
                     .b = {sum.terms[1].place, sum.terms[1].factor}});
  }
  const auto found = std::find(sums_.begin(), sums_.end(), sum);
  const auto index = static_cast<int>(found - sums_.begin());
  if (found == sums_.end()) sums_.push_back(sum);
  return add_step({.code = Code::sum, .index = index});
}

/// A sum of one term takes no step of its own. (A factor of zero stays in one: what does not vary has no derivative.)
FlatProgram::Operand FlatProgram::operand(const Sum& sum) {
  if (sum.terms.size() != 1 || sum.terms[0].factor == 0) return {place_of(sum)};
  return {sum.terms[0].place, sum.terms[0].factor, sum.constant == 0 ? -0.0 : sum.constant};
}

FlatProgram::Sum FlatProgram::add(std::span<const Instruction> code, const std::vector<Sum>& variables) {
  return Translator(*this, code, variables).run();
}

FlatProgram::Sum FlatProgram::add_call(int tag, const std::vector<Sum>& arguments) {
  CallSite site{tag, partials_, {}};
  for (const Sum& argument : arguments) site.arguments.push_back(place_of(argument));
  partials_ += static_cast<int>(arguments.size());
  calls_.push_back(std::move(site));
  return of_step({.code = Code::call, .index = static_cast<int>(calls_.size()) - 1});
}

FlatProgram::Sum FlatProgram::combine(const Sum& a, double factor_a, const Sum& b, double factor_b) {
  Sum sum{factor_a * a.constant + factor_b * b.constant, {}};
  auto i = a.terms.begin(), j = b.terms.begin();
  while (i != a.terms.end() || j != b.terms.end()) {
    const bool from_a = j == b.terms.end() || (i != a.terms.end() && i->place <= j->place);
    const bool from_b = i == a.terms.end() || (j != b.terms.end() && j->place <= i->place);
    sum.terms.push_back({from_a ? i->place : j->place, 0});
    if (from_a) sum.terms.back().factor += factor_a * (i++)->factor;
    if (from_b) sum.terms.back().factor += factor_b * (j++)->factor;
  }
  return sum;
}

/// A factor that a sum of one term has, which is then without.
static double take_factor(FlatProgram::Sum& sum) {
  if (sum.constant != 0 || sum.terms.size() != 1) return 1;
  return std::exchange(sum.terms[0].factor, 1);
}

FlatProgram::Sum FlatProgram::operate(Operation operation, const Sum& a, const Sum& b) {
  const bool one_operand = operation < Operation::add;
  if (a.is_constant() && (one_operand || b.is_constant()))
    return {expression_program::apply(operation, a.constant, b.constant), {}};
  // Factors go before, so that they meet others and the rest is found again.
  const auto product = [&] {
    Sum one = a, two = b;
    const double factor = take_factor(one) * take_factor(two);
    Operand left = operand(one), right = operand(two);
    if (right.place < left.place) std::swap(left, right);
    return combine(of_step({.code = Code::multiply, .a = left, .b = right}), factor, {}, 0);
  };
  switch (operation) {
    case Operation::negate:
      return combine(a, -1, {}, 0);
    case Operation::add:
      return combine(a, 1, b, 1);
    case Operation::subtract:
      return combine(a, 1, b, -1);
    case Operation::multiply:
      if (a.is_constant()) return combine(b, a.constant, {}, 0);
      if (b.is_constant()) return combine(a, b.constant, {}, 0);
      return product();
    case Operation::divide:
      if (b.is_constant() && std::isfinite(1 / b.constant)) return combine(a, 1 / b.constant, {}, 0);
      break;
    default:
      break;
  }
  const auto code = [&] {
    switch (operation) {
      case Operation::min:
        return Code::min;
      case Operation::max:
        return Code::max;
      case Operation::less:
        return Code::less;
      case Operation::greater:
        return Code::greater;
      default:
        return Code::operation;
    }
  };
  const Operand left = operand(a);
  return of_step({.code = code(), .operation = operation, .a = left, .b = one_operand ? left : operand(b)});
}

template <class Visit>
void FlatProgram::visit_operands(const Step& step, const Visit& visit) const {
  if (step.code == Code::sum) {
    for (const Sum::Term& term : sums_[static_cast<std::size_t>(step.index)].terms) visit(term.place);
  } else if (step.code == Code::call) {
    for (const int place : calls_[static_cast<std::size_t>(step.index)].arguments) visit(place);
  } else {
    visit(step.a.place);
    if (step.code != Code::power && step.code != Code::square) visit(step.b.place);
    if (step.code == Code::choice) visit(step.c.place);
  }
}

double FlatProgram::run_operation(const Step& step, const double* place) {
  const double u = step.a.read(place);
  if (step.code == Code::power) return expression_program::integer_power(u, step.index);
  return expression_program::apply(step.operation, u, step.b.read(place));
}

int FlatProgram::add_result(Sum sum) {
  Result result;
  std::vector<bool> needed(initial_.size(), false);
  for (const Sum::Term& term : sum.terms) needed[static_cast<std::size_t>(term.place)] = true;
  for (std::size_t i = steps_.size(); i-- > 0;) {
    if (!needed[static_cast<std::size_t>(steps_[i].to)]) continue;
    result.steps.push_back(static_cast<int>(i));
    visit_operands(steps_[i], [&](int place) { needed[static_cast<std::size_t>(place)] = true; });
  }
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i] && is_input_[i]) result.inputs.push_back(static_cast<int>(i));
  result.sum = std::move(sum);
  results_.push_back(std::move(result));
  return static_cast<int>(results_.size()) - 1;
}

/// What most steps are stands here, the rest in back().
void FlatProgram::differentiate(int index, const double* place, const double* partial, double* slope) const {
  const Result& result = results_[static_cast<std::size_t>(index)];
  for (const int input : result.inputs) slope[input] = 0;
  for (const Sum::Term& term : result.sum.terms) slope[term.place] += term.factor;
  for (const int which : result.steps) {
    const Step& step = steps_[static_cast<std::size_t>(which)];
    const double own = std::exchange(slope[step.to], 0.0);
    if (own == 0) continue;
    const Operand &a = step.a, &b = step.b;
    const auto give = [&](const Operand& operand, double by) { slope[operand.place] += operand.factor * by; };
    switch (step.code) {
      case Code::sum_of_two:
        give(a, own);
        give(b, own);
        break;
      case Code::multiply: {
        const double u = a.read(place), v = b.read(place);
        if (v != 0) give(a, v * own);
        if (u != 0) give(b, u * own);
        break;
      }
      case Code::square:
        if (const double u = a.read(place); u != 0) give(a, 2 * u * own);
        break;
      case Code::choice:
        give(a.read(place) != 0 ? b : step.c, own);
        break;
      case Code::min:
        give(b.read(place) < a.read(place) ? b : a, own);
        break;
      case Code::max:
        give(b.read(place) > a.read(place) ? b : a, own);
        break;
      case Code::less:
      case Code::greater:
        break;
      default:
        back(step, own, place, partial, slope);
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
    case Operation::divide:
      give(step.a, 1 / v);
      return give(step.b, -g / v);
    case Operation::sin:
      return give(step.a, std::cos(u));
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
