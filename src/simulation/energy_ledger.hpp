// The balance of energy over a run: what there was, what was put in and taken out, and what cannot be accounted for.
#pragma once

#include <algorithm>
#include <cmath>

#include "simulation/energy_jumps.hpp"
#include "system/observer.hpp"

namespace cardan {

class EnergyLedger {
 public:
  void begin(double energy, double power) {
    initial_ = final_ = energy;
    power_ = power;
  }
  /// Elsewhere all at once, by an event or a restored state: what that changes is no error. Answers how much it is, J.
  double book_jump(double energy, double power) {
    const double change = energy - final_;
    final_ = energy;
    work_ += change;
    power_ = power;
    return change;
  }
  /// After a step of length h that ends at t, with `bodies` bodies.
  void book_step(double h, double t, const Energy& energy, double power, std::ptrdiff_t bodies) {
    final_ = energy.total();
    most_kinetic_ = std::max(most_kinetic_, energy.kinetic);
    work_ += 0.5 * h * (power_ + power);
    exchanged_ += 0.5 * h * (std::abs(power_) + std::abs(power));
    power_ = power;
    error_ = final_ - initial_ - work_;
    if (std::abs(error_) > std::abs(largest_error_)) largest_error_ = error_, largest_error_time_ = t;
    jumps_.see(error_, exchanged() / std::max<double>(1, static_cast<double>(bodies)), t);
  }

  double initial() const { return initial_; }
  double final() const { return final_; }
  double work() const { return work_; }    // done since the start, energies of events counted, J
  double error() const { return error_; }  // after the last step, J, signed
  double largest_error() const { return largest_error_; }
  double largest_error_time() const { return largest_error_time_; }
  double most_kinetic() const { return most_kinetic_; }
  /// What errors are small or large against: the largest kinetic energy and the work that went in and out, J.
  double exchanged() const { return most_kinetic_ + exchanged_; }
  const EnergyJumps& jumps() const { return jumps_; }

  /// What a run that goes on has to know (run_record.hpp).
  template <class Record>
  void visit(Record& record) {
    for (double* number : {&initial_, &final_, &largest_error_, &largest_error_time_, &work_, &power_, &error_,
                           &exchanged_, &most_kinetic_}) {
      record.number(*number);
    }
    jumps_.visit(record);
  }

 private:
  double initial_ = 0, final_ = 0;
  double work_ = 0;   // done on the system since the start, events counted, J
  double power_ = 0;  // W
  double error_ = 0;
  double exchanged_ = 0;  // work without signs
  double most_kinetic_ = 0;
  double largest_error_ = 0, largest_error_time_ = 0;
  EnergyJumps jumps_;
};

}  // namespace cardan
