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
    stack_.push_back(condition.is_constant() ? condition.constant != 0 ? one : two : choice(condition, one, two));
    return end;
  }

  Sum choice(const Sum& condition, const Sum& one, const Sum& two) {
    const Operand first = program_.operand(one), second = program_.operand(two);
    const Step* const by = program_.step_of(condition);
    if (by && (by->code == Code::less || by->code == Code::greater))
      return program_.of_step({.code = by->code == Code::less ? Code::choice_if_less : Code::choice_if_greater,
                               .a = by->a,
                               .b = by->b,
                               .c = first,
                               .d = second});
    return program_.of_step({.code = Code::choice, .a = program_.operand(condition), .b = first, .c = second});
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

const FlatProgram::Step* FlatProgram::step_of(const Sum& sum) const {
  if (sum.constant != 0 || sum.terms.size() != 1 || sum.terms[0].factor != 1) return nullptr;
  const int writer = writer_[static_cast<std::size_t>(sum.terms[0].place)];
  return writer < 0 ? nullptr : &steps_[static_cast<std::size_t>(writer)];
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
  if (operation == Operation::min || operation == Operation::max) {
    const bool lower = operation == Operation::min;
    if (const Step* const within = step_of(a); within && within->code == (lower ? Code::max : Code::min)) {
      Step saturation{.code = lower ? Code::min_of_max : Code::max_of_min, .a = within->a, .b = within->b};
      saturation.c = operand(b);
      return of_step(saturation);
    }
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
      case Operation::divide:
        return Code::divide;
      case Operation::sin:
        return Code::sin;
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
    const bool by_comparison = step.code == Code::choice_if_less || step.code == Code::choice_if_greater;
    const bool of_three = step.code == Code::choice || step.code == Code::min_of_max || step.code == Code::max_of_min;
    visit(step.a.place);
    if (step.code != Code::power && step.code != Code::square && step.code != Code::sin) visit(step.b.place);
    if (of_three || by_comparison) visit(step.c.place);
    if (by_comparison) visit(step.d.place);
  }
}

double FlatProgram::run_operation(const Step& step, const double* place) {
  const double u = step.a.read(place);
  if (step.code == Code::power) return expression_program::integer_power(u, step.index);
  return expression_program::apply(step.operation, u, step.b.read(place));
}

/// Of every place.
std::vector<bool> FlatProgram::needed_for(const Sum& sum) const {
  std::vector<bool> needed(initial_.size(), false);
  const auto need = [&](int place) { needed[static_cast<std::size_t>(place)] = true; };
  for (const Sum::Term& term : sum.terms) need(term.place);
  for (std::size_t i = steps_.size(); i-- > 0;)
    if (needed[static_cast<std::size_t>(steps_[i].to)]) visit_operands(steps_[i], need);
  return needed;
}

int FlatProgram::add_result(Sum sum) {
  Result result;
  const std::vector<bool> needed = needed_for(sum);
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i] && is_input_[i]) result.inputs.push_back(static_cast<int>(i));
  result.sum = std::move(sum);
  results_.push_back(std::move(result));
  return static_cast<int>(results_.size()) - 1;
}

template <class CodeOf>
std::vector<FlatProgram::Batch> FlatProgram::batches_of(int count, const CodeOf& code_of) {
  std::vector<Batch> batches;
  for (int i = 0; i < count; ++i) {
    if (batches.empty() || batches.back().code != code_of(i)) batches.push_back({code_of(i), i, i});
    ++batches.back().last;
  }
  return batches;
}

void FlatProgram::finish() {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<int> level(initial_.size(), 0);
  for (const Step& step : steps_)
    visit_operands(step, [&](int place) { level[at(step.to)] = std::max(level[at(step.to)], level[at(place)] + 1); });
  std::vector<std::vector<bool>> needed;
  for (const Result& result : results_) needed.push_back(needed_for(result.sum));
  std::erase_if(steps_, [&](const Step& step) {
    return std::none_of(needed.begin(), needed.end(), [&](const auto& of_result) { return of_result[at(step.to)]; });
  });
  std::stable_sort(steps_.begin(), steps_.end(), [&](const Step& a, const Step& b) {
    return std::pair(level[at(a.to)], a.code) < std::pair(level[at(b.to)], b.code);
  });
  const auto count = static_cast<int>(steps_.size());
  batches_ = batches_of(count, [&](int i) { return steps_[at(i)].code; });
  for (std::size_t r = 0; r < results_.size(); ++r) {
    Result& result = results_[r];
    result.steps.clear();
    for (int i = count; i-- > 0;)
      if (needed[r][at(steps_[at(i)].to)]) result.steps.push_back(i);
    result.batches =
        batches_of(static_cast<int>(result.steps.size()), [&](int i) { return steps_[at(result.steps[at(i)])].code; });
  }
}

}  // namespace cardan
