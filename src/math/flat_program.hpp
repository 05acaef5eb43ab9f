// Many expressions as one flat program. Every step writes a place of its own; constants are folded, what is linear
// becomes sums over what is not, however many expressions that takes, and two steps that say the same are one. Values
// go forward in one pass, derivatives of a result backward over the steps that it is made of (reverse mode; Griewank
// and Walther, Evaluating Derivatives, 2008).
//
// As in slopes (slope.hpp) what does not vary keeps a zero derivative even where a function is not differentiable.
#pragma once

#include <cmath>
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
  /// Ends the building: what no result is made of is left out, and steps of a kind that need not wait for each other
  /// come one after the other.
  void finish();

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
  /// What most steps are has a code of its own; so have saturations and choices by a comparison, which would be two.
  enum class Code : unsigned char {
    sum_of_two,
    sum,
    multiply,
    square,
    power,
    choice,
    choice_if_less,
    choice_if_greater,
    min,
    max,
    min_of_max,
    max_of_min,
    less,
    greater,
    divide,
    sin,
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
    // choice: a is not 0 ? b : c; by a comparison of a and b: c or d; min_of_max: min(max(a, b), c)
    Operand a = {}, b = {}, c = {}, d = {};
    bool operator==(const Step&) const = default;
  };
  struct CallSite {
    int tag, first_partial;
    std::vector<int> arguments;
  };
  /// Steps of one code.
  struct Batch {
    Code code;
    int first, last;
  };
  struct Result {
    Sum sum;
    std::vector<int> inputs;     // that it is made of
    std::vector<int> steps;      // likewise, the last first
    std::vector<Batch> batches;  // of `steps`
  };
  class Translator;

  int add_place(double value);
  int constant(double value);
  Operand operand(const Sum& sum);
  int add_step(Step step);
  Sum of_step(const Step& step) { return {0, {{add_step(step), 1}}}; }
  Sum operate(Operation operation, const Sum& a, const Sum& b);
  /// The step that a sum is, or none.
  const Step* step_of(const Sum& sum) const;
  std::vector<bool> needed_for(const Sum& sum) const;
  template <class CodeOf>
  static std::vector<Batch> batches_of(int count, const CodeOf& code_of);
  static Sum combine(const Sum& a, double factor_a, const Sum& b, double factor_b);
  static double value_of(const Sum& sum, const double* place) {
    double value = sum.constant;
    const Sum::Term* term = sum.terms.data();
    const Sum::Term* const end = term + sum.terms.size();
    for (; end - term >= 4; term += 4)
      for (int i = 0; i < 4; ++i) value += term[i].factor * place[term[i].place];
    for (; term != end; ++term) value += term->factor * place[term->place];
    return value;
  }
  static double run_operation(const Step& step, const double* place);
  /// Of min_of_max and max_of_min: which operand it is.
  static const Operand& taken(const Step& step, const double* place) {
    const double u = step.a.read(place), v = step.b.read(place), w = step.c.read(place);
    const bool lower = step.code == Code::min_of_max;
    const bool inner = lower ? v > u : v < u;
    const double x = inner ? v : u;
    if (lower ? w < x : w > x) return step.c;
    return inner ? step.b : step.a;
  }
  void back(const Step& step, double own, const double* place, const double* partial, double* slope) const;
  template <class Visit>
  void visit_operands(const Step& step, const Visit& visit) const;

  std::vector<double> initial_;
  std::vector<bool> is_input_, is_constant_;  // of every place
  std::vector<int> writer_;                   // of every place: its step, or -1
  std::vector<Step> steps_;
  std::vector<Batch> batches_;  // finish()
  std::vector<Sum> sums_;
  std::vector<CallSite> calls_;
  std::vector<Result> results_;
  int partials_ = 0;
};

template <class Call>
void FlatProgram::evaluate(double* place, const Call& call) const {
  for (const Batch& batch : batches_) {
    const auto each = [&](const auto& value) {
      const Step* const end = steps_.data() + batch.last;
      for (const Step* step = steps_.data() + batch.first; step != end; ++step) place[step->to] = value(*step);
    };
    const auto read = [&](const Operand& operand) { return operand.read(place); };
    switch (batch.code) {
      case Code::sum_of_two:
        each([&](const Step& s) { return read(s.a) + s.b.factor * place[s.b.place]; });
        break;
      case Code::sum:
        each([&](const Step& s) { return value_of(sums_[s.index], place); });
        break;
      case Code::multiply:
        each([&](const Step& s) { return read(s.a) * read(s.b); });
        break;
      case Code::divide:
        each([&](const Step& s) { return read(s.a) / read(s.b); });
        break;
      case Code::square:
        each([&](const Step& s) {
          const double u = read(s.a);
          return u * u;
        });
        break;
      case Code::sin:
        each([&](const Step& s) { return std::sin(read(s.a)); });
        break;
      case Code::choice:
        each([&](const Step& s) { return read(read(s.a) != 0 ? s.b : s.c); });
        break;
      case Code::choice_if_less:
        each([&](const Step& s) { return read(read(s.a) < read(s.b) ? s.c : s.d); });
        break;
      case Code::choice_if_greater:
        each([&](const Step& s) { return read(read(s.a) > read(s.b) ? s.c : s.d); });
        break;
      case Code::min:
        each([&](const Step& s) {
          const double u = read(s.a), v = read(s.b);
          return v < u ? v : u;
        });
        break;
      case Code::max:
        each([&](const Step& s) {
          const double u = read(s.a), v = read(s.b);
          return v > u ? v : u;
        });
        break;
      case Code::min_of_max:
        each([&](const Step& s) {
          const double u = read(s.a), v = read(s.b), w = read(s.c), x = v > u ? v : u;
          return w < x ? w : x;
        });
        break;
      case Code::max_of_min:
        each([&](const Step& s) {
          const double u = read(s.a), v = read(s.b), w = read(s.c), x = v < u ? v : u;
          return w > x ? w : x;
        });
        break;
      case Code::less:
        each([&](const Step& s) { return read(s.a) < read(s.b) ? 1.0 : 0.0; });
        break;
      case Code::greater:
        each([&](const Step& s) { return read(s.a) > read(s.b) ? 1.0 : 0.0; });
        break;
      case Code::call:
        each([&](const Step& s) {
          const CallSite& site = calls_[s.index];
          return call(site.tag, site.arguments, site.first_partial);
        });
        break;
      case Code::power:
      case Code::operation:
        each([&](const Step& s) { return run_operation(s, place); });
    }
  }
}

}  // namespace cardan
