// Writes the flat program of an expression instruction by instruction, folding constants as they meet. For the parser
// only.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "math/expression_program.hpp"

namespace cardan {

class ExpressionBuilder {
 public:
  void emit(const Instruction& instruction) {
    const int operands = expression_program::operand_count(instruction.operation);
    const bool foldable = operands > 0 && operands_are_constant(operands);
    code_.push_back(instruction);
    depth_ += 1 - operands;
    deepest_ = std::max(deepest_, depth_);
    if (!foldable) return;
    const double value = expression_program::run<double>(std::span(code_).last(operands + 1), nullptr);
    code_.resize(code_.size() - operands - 1);
    code_.push_back({Operation::constant, 0, value});
  }

  /// Small whole powers that are known now become products.
  void emit_power() {
    constexpr int largest = 8;
    const double exponent = code_.back().number;
    if (!operands_are_constant(1) || exponent != std::floor(exponent) || std::abs(exponent) > largest) {
      return emit({Operation::power});
    }
    code_.pop_back();
    --depth_;
    emit({Operation::integer_power, static_cast<int>(exponent)});
  }

  /// Code for `condition ? first : second`, the condition's being there already.
  template <class First, class Second>
  void choose(const First& first, const Second& second) {
    --depth_;
    const std::size_t to_second = jump(Operation::jump_if_zero);
    first();
    const std::size_t to_end = jump(Operation::jump);
    --depth_;  // only one of the two leaves its value
    set_target(to_second);
    second();
    set_target(to_end);
  }

  bool fits_the_stack() const { return deepest_ <= expression_program::kStackSize; }
  std::vector<Instruction> take() { return std::move(code_); }

 private:
  // The last `count` operands are numbers known now. Code before a jump's target belongs to another path: never folded
  // over.
  bool operands_are_constant(std::size_t count) const {
    if (code_.size() < last_target_ + count) return false;
    for (std::size_t i = 1; i <= count; ++i) {
      if (code_[code_.size() - i].operation != Operation::constant) return false;
    }
    return true;
  }

  std::size_t jump(Operation operation) {
    code_.push_back({operation});
    return code_.size() - 1;
  }

  void set_target(std::size_t jump) {
    last_target_ = code_.size();
    code_[jump].index = static_cast<int>(last_target_);
  }

  std::vector<Instruction> code_;
  int depth_ = 0, deepest_ = 0;  // values on the stack after the code so far, and at most
  std::size_t last_target_ = 0;  // the latest jump target: where folding has to stop
};

}  // namespace cardan
