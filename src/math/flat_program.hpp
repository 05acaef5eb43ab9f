// Many expressions as one flat program. Every step writes a place of its own; constants are folded, what is linear
// becomes sums over what is not, however many expressions that takes, and two steps that say the same are one. Values
// go forward in one pass, derivatives of a result backward over the steps that it is made of (reverse mode; Griewank
// and Walther, Evaluating Derivatives, 2008).
//
// As in slopes (slope.hpp) what does not vary keeps a zero derivative even where a function is not differentiable.
#pragma once

#include <span>
#include <vector>

#include "math/expression_program.hpp"

namespace cardan {

class FlatProgram {
 public:
  /// constant + sum of factor x place
  struct Sum {
    struct Term {
      int place;
      double factor;
      bool operator==(const Term&) const = default;
    };
    double constant = 0;
    std::vector<Term> terms;  // places rise
    bool is_constant() const { return terms.empty(); }
    bool operator==(const Sum&) const = default;
  };

  // Building.

  /// A place whose value is given from outside.
  Sum add_input();
  /// The expression with these sums for its variables.
  Sum add(std::span<const Instruction> code, const std::vector<Sum>& variables);
  /// A step of somebody else: `tag` tells evaluate()'s caller which one.
  Sum add_call(int tag, const std::vector<Sum>& arguments);
  /// A sum of which derivatives are wanted.
  int add_result(Sum sum);
  /// Where the sum stands by itself.
  int place_of(const Sum& sum);

  // Running. `place`: as many as places(), with the constants from the start.

  int places() const { return static_cast<int>(initial_.size()); }
  const std::vector<double>& initial() const { return initial_; }
  /// How many partial derivatives calls have: those of one are numbered from partials_at(tag) on.
  int partials() const { return partials_; }
  /// `call(tag, arguments, first_partial)` gives the value of a call; `arguments` are places.
  template <class Call>
  void evaluate(double* place, const Call& call) const;
  double value(int result, const double* place) const { return value_of(results_[result].sum, place); }
  /// Into `slope` at the inputs of the result: its derivatives by them. `slope` (places) is zero at first, and is again
  /// but at inputs and constants.
  void differentiate(int result, const double* place, const double* partial, double* slope) const;
  /// Places.
  const std::vector<int>& inputs_of(int result) const { return results_[result].inputs; }

 private:
  /// What most steps are has a code of its own.
  enum class Code : unsigned char {
    sum_of_two,
    sum,
    multiply,
    square,
    power,
    choice,
    min,
    max,
    less,
    greater,
    operation,
    call
  };
  /// offset + factor x place. -0 as the offset leaves a zero of either sign as it is.
  struct Operand {
    int place = 0;
    double factor = 1, offset = -0.0;
    bool operator==(const Operand&) const = default;
    double read(const double* places) const { return offset + factor * places[place]; }
  };
  struct Step {
    Code code;
    Operation operation = Operation::jump;  // of Code::operation
    int index = 0;                          // sum, call: of sums_, calls_; power: the exponent
    int to = 0;
    Operand a = {}, b = {}, c = {};  // choice: a is not 0 ? b : c
    bool operator==(const Step&) const = default;
  };
  struct CallSite {
    int tag, first_partial;
    std::vector<int> arguments;
  };
  struct Result {
    Sum sum;
    std::vector<int> steps;   // that it is made of, the last first
    std::vector<int> inputs;  // likewise
  };
  class Translator;

  int add_place(double value);
  int constant(double value);
  Operand operand(const Sum& sum);
  int add_step(Step step);
  Sum of_step(const Step& step) { return {0, {{add_step(step), 1}}}; }
  Sum operate(Operation operation, const Sum& a, const Sum& b);
  static Sum combine(const Sum& a, double factor_a, const Sum& b, double factor_b);
  static double value_of(const Sum& sum, const double* place) {
    double value = sum.constant;
    for (const Sum::Term& term : sum.terms) value += term.factor * place[term.place];
    return value;
  }
  static double run_operation(const Step& step, const double* place);
  void back(const Step& step, double own, const double* place, const double* partial, double* slope) const;
  template <class Visit>
  void visit_operands(const Step& step, const Visit& visit) const;

  std::vector<double> initial_;
  std::vector<bool> is_input_, is_constant_;  // of every place
  std::vector<int> writer_;                   // of every place: its step, or -1
  std::vector<Step> steps_;
  std::vector<Sum> sums_;
  std::vector<CallSite> calls_;
  std::vector<Result> results_;
  int partials_ = 0;
};

template <class Call>
void FlatProgram::evaluate(double* place, const Call& call) const {
  for (const Step& step : steps_) {
    const Operand &a = step.a, &b = step.b;
    double result;
    switch (step.code) {
      case Code::sum_of_two:
        result = a.read(place) + b.factor * place[b.place];
        break;
      case Code::sum:
        result = value_of(sums_[step.index], place);
        break;
      case Code::multiply:
        result = a.read(place) * b.read(place);
        break;
      case Code::square:
        result = a.read(place);
        result *= result;
        break;
      case Code::choice:
        result = (a.read(place) != 0 ? b : step.c).read(place);
        break;
      case Code::min:
      case Code::max: {
        result = a.read(place);
        const double v = b.read(place);
        if (step.code == Code::min ? v < result : v > result) result = v;
        break;
      }
      case Code::less:
        result = a.read(place) < b.read(place) ? 1 : 0;
        break;
      case Code::greater:
        result = a.read(place) > b.read(place) ? 1 : 0;
        break;
      case Code::call: {
        const CallSite& site = calls_[step.index];
        result = call(site.tag, site.arguments, site.first_partial);
        break;
      }
      default:
        result = run_operation(step, place);
    }
    place[step.to] = result;
  }
}

}  // namespace cardan
