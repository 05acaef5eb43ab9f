// A step at which the energy balance jumps. In smooth motion the energy error of a step is a small part of the energy
// that its method cannot resolve, and changes slowly from step to step; where a step leaves the branch at a singular
// position it is suddenly many times as large, however little that may be of the energy of a large system. So a jump is
// measured against the steps before it, and against the energy of one body, which is how much there is to lose in one
// place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cardan {

class EnergyJumps {
 public:
  /// After a step: the energy error so far, and the energy of one body, J.
  void see(double error, double of_one_body, double t) {
    const double change = std::abs(error - last_);
    last_ = error;
    if (++steps_ > kFirst && change > kSudden * usual_ && change > kWorthwhile * of_one_body && change > largest_) {
      largest_ = change;
      before_ = usual_;
      time_ = t;
    }
    // A jump may begin with a step that is not worthwhile yet, and must not make itself usual by it. What cannot hide a
    // worthwhile one is learned at once.
    const double believed = std::max(kLearned * usual_, kWorthwhile / kSudden * of_one_body);
    usual_ = std::max(steps_ > kFirst ? std::min(change, believed) : change, kMemory * usual_);
  }
  /// J; 0: there was none.
  double largest() const { return largest_; }
  /// Whether that is still worth a word once it is known how much kinetic energy a body came to have, J: what starts to
  /// move from rest has little to be compared with.
  bool matters(double kinetic_of_one_body) const { return largest_ > kWorthwhile * kinetic_of_one_body; }
  /// By how much steps before it changed the energy, J.
  double before() const { return before_; }
  double time() const { return time_; }

  /// What a run that goes on has to know (run_record.hpp).
  template <class Record>
  void visit(Record& record) {
    record.integer(steps_);
    for (double* number : {&last_, &usual_, &largest_, &before_, &time_}) record.number(*number);
  }

 private:
  static constexpr int kFirst = 10;            // steps until the usual is known
  static constexpr double kSudden = 30;        // times the usual
  static constexpr double kWorthwhile = 5e-3;  // of the energy of one body
  static constexpr double kLearned = 10;       // times the usual, which becomes usual in one step
  static constexpr double kMemory = 0.95;      // some 20 steps

  std::int64_t steps_ = 0;
  double last_ = 0, usual_ = 0;
  double largest_ = 0, before_ = 0, time_ = 0;
};

}  // namespace cardan
