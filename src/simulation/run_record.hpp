// A run as numbers, in one order for writing, reading and counting: what is saved is listed once, as visit_state() here
// and Simulation::Impl::visit(). Whole numbers are written as doubles, exact up to 2^53.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "formulation/formulation.hpp"

namespace cardan {

class RecordSize {
 public:
  std::size_t count() const { return count_; }
  void number(const double&) { ++count_; }
  template <class Integer>
  void integer(const Integer&) {
    ++count_;
  }
  template <class Vector>
  void vector(const Vector& values) {
    count_ += 1 + static_cast<std::size_t>(values.size());
  }

 private:
  std::size_t count_ = 0;
};

/// Into a place that is large enough.
class RecordWriter {
 public:
  explicit RecordWriter(double* numbers) : begin_(numbers), at_(numbers) {}
  std::size_t count() const { return static_cast<std::size_t>(at_ - begin_); }
  void number(const double& value) { *at_++ = value; }
  template <class Integer>
  void integer(const Integer& value) {
    *at_++ = static_cast<double>(value);
  }
  template <class Vector>
  void vector(const Vector& values) {
    integer(values.size());
    for (const auto value : values) *at_++ = static_cast<double>(value);
  }

 private:
  double *begin_, *at_;
};

/// Reads zeros, and is no longer good, from where the numbers end or make no sense.
class RecordReader {
 public:
  explicit RecordReader(std::span<const double> numbers) : rest_(numbers) {}
  bool good() const { return good_; }
  void number(double& value) { value = next(); }
  template <class Integer>
  void integer(Integer& value) {
    const double number = next();
    constexpr double kMost = std::min(0x1p53, static_cast<double>(std::numeric_limits<Integer>::max()));
    good_ = good_ && std::abs(number) <= kMost && number == std::floor(number);
    value = good_ ? static_cast<Integer>(number) : Integer{};
  }
  template <class Vector>
  void vector(Vector& values) {
    std::int64_t size = 0;
    integer(size);
    good_ = good_ && size >= 0 && size <= static_cast<std::int64_t>(rest_.size());
    values.resize(good_ ? size : 0);
    for (auto& value : values) value = static_cast<typename Vector::Scalar>(next());
  }

 private:
  double next() {
    good_ = good_ && !rest_.empty();
    if (!good_) return 0;
    const double value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }

  std::span<const double> rest_;
  bool good_ = true;
};

/// Every member of State but its books, which Simulation::Impl::visit() has.
template <class Record, class AnyState>
void visit_state(Record& record, AnyState& state) {
  record.number(state.t);
  for (auto* values : {&state.q, &state.v, &state.acceleration, &state.algorithmic, &state.lambda, &state.memory,
                       &state.stepper, &state.attached, &state.inputs, &state.companions}) {
    record.vector(*values);
  }
  record.vector(state.partition);
  record.vector(state.conditions);
  record.integer(state.events);
  record.integer(state.phase);
  record.integer(state.system);
}

/// Whether the motion of `a` can take the place of that of `b`, to whose memory its integrator may have appended, and
/// whether the whole can.
inline bool same_motion_sizes(const State& a, const State& b) {
  return a.q.size() == b.q.size() && a.v.size() == b.v.size() && a.memory.size() <= b.memory.size() &&
         a.attached.size() == b.attached.size() && a.inputs.size() == b.inputs.size();
}
inline bool same_sizes(const State& a, const State& b) {
  return same_motion_sizes(a, b) && a.memory.size() == b.memory.size() &&
         a.acceleration.size() == b.acceleration.size() && a.algorithmic.size() == b.algorithmic.size() &&
         a.lambda.size() == b.lambda.size() && a.stepper.size() == b.stepper.size() &&
         a.partition.size() == b.partition.size() && a.conditions.size() == b.conditions.size();
}

/// A stepper without a number is one that has no history yet.
inline bool all_finite(const State& state) {
  bool finite = std::isfinite(state.t) && (state.stepper.allFinite() || state.stepper.array().isNaN().all());
  for (const VecX* values : {&state.q, &state.v, &state.acceleration, &state.algorithmic, &state.lambda, &state.memory,
                             &state.attached, &state.inputs}) {
    finite = finite && values->allFinite();
  }
  return finite;
}

}  // namespace cardan
