// A simulation from its start, or from where another one was left, to the end: samples, step history, interruption.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "cardan/simulation.hpp"
#include "mechanism/automatic_formulation.hpp"
#include "simulation/allocation_counter.hpp"
#include "simulation/automatic_method.hpp"
#include "simulation/error_estimate.hpp"
#include "simulation/simulation_impl.hpp"
#include "simulation/step_length.hpp"
#include "simulation/trial_motion.hpp"

namespace cardan {

/// One row of the step history for several steps: see run().
class StepHistory {
 public:
  StepHistory(Sink* sink, int every)
      : sink_(sink), every_(every), row_(Simulation::step_columns().size()), last_(row_) {}

  void start() {
    if (sink_) sink_->start(Simulation::step_columns());
  }
  void add(const Simulation& simulation) {
    if (!sink_) return;
    simulation.step_row(last_.data());
    if (gathered_++ == 0) {
      row_ = last_;
    } else {
      merge();
    }
    if (gathered_ == every_) put();
  }
  /// The steps that make no whole row.
  void finish() {
    if (!sink_) return;
    if (gathered_ > 0) put();
    sink_->finish();
  }

  std::int64_t rows() const { return rows_; }
  std::size_t record_size() const { return 1 + row_.size(); }
  double* save(double* numbers) const {
    *numbers++ = static_cast<double>(gathered_);
    return std::copy(row_.begin(), row_.end(), numbers);
  }
  const double* restore(const double* numbers, std::int64_t rows) {
    rows_ = rows;
    gathered_ = static_cast<int>(*numbers++);
    std::copy_n(numbers, row_.size(), row_.begin());
    return numbers + row_.size();
  }

 private:
  /// Columns as in Simulation::step_columns().
  enum Column { t, h, error, iterations, rejected, energy_error, position_violation, velocity_violation };

  void merge() {
    for (std::size_t i = 0; i < row_.size(); ++i) {
      if (i == t || i == h) {
        row_[i] = last_[i];
      } else if (i == rejected) {
        row_[i] += last_[i];
      } else if (!(std::abs(row_[i]) >= std::abs(last_[i]))) {  // with its sign
        row_[i] = last_[i];
      }
    }
  }
  void put() {
    sink_->sample(row_.data(), row_.size());
    gathered_ = 0;
    ++rows_;
  }

  Sink* sink_;
  int every_, gathered_ = 0;  // steps in row_
  std::int64_t rows_ = 0;
  std::vector<double> row_, last_;
};

/// Known to Simulation, which lets it start barely.
class Run {
 public:
  Run(const Mechanism& mechanism, const RunOptions& options, const MethodReasons& because, Sink* sink,
      const Progress& progress, Sink* steps, const RunControl& control)
      : options_(options),
        control_(control),
        progress_(progress),
        sink_(sink),
        simulation_(mechanism, options, control),
        history_(steps, std::max(1, control.steps_every)),
        row_(simulation_.columns().size()),
        chooses_steps_(simulation_.chooses_steps()) {
    simulation_.impl_->because = because;
    simulation_.impl_->describe_method();
    if (control.bare && (control.keeper || control.from || control.estimate_error))
      throw std::invalid_argument("a bare run cannot be kept, taken up again or compared with another");
    if (control.estimate_error && control.controller)
      throw std::invalid_argument("the error of a run with a controller cannot be estimated: ask for one of the two");
    if (control.estimate_error && ErrorEstimate::is_made_with(options)) error_.emplace(mechanism, options);
  }

  RunSummary go() {
    begin();
    allocations_ = allocation_counter ? allocation_counter() : 0;
    bool stopped = false;
    while (status_ == StepStatus::ok && !at_end() && !stopped) {
      take_step();
      if (status_ != StepStatus::ok) break;
      stopped = control_.stop && control_.stop->load(std::memory_order_relaxed);
      if (control_.keeper && !stopped && control_.keeper->due()) keep(false);
    }
    count_allocations();
    const bool interrupted = status_ == StepStatus::ok && !at_end();
    if (status_ == StepStatus::ok) {
      if (control_.keeper) keep(true);
      if (error_) error_->finish(simulation_);
    }
    finish();
    RunSummary summary = simulation_.summary();
    summary.allocations = allocated_;
    if (interrupted) {
      summary.status = RunStatus::interrupted;
      summary.reason = fmt::format("interrupted at t = {:.6g} s of {:.6g} s", simulation_.time(), options_.until);
    }
    if (error_) error_->report(summary);
    return summary;
  }

  static void poses_at(Simulation& simulation, double t, double* numbers) {
    Simulation::Impl& run = *simulation.impl_;
    Phase& phase = run.now();
    phase.between = phase.state;
    phase.integrator->interpolate(t, phase.between);
    run.is_evaluated = false;
    phase.compiled.formulation->position(t, phase.between.q, phase.between, *phase.work);
    phase.compiled.observer->poses(*phase.work, numbers);
  }

 private:
  void begin() {
    if (control_.keeper) control_.keeper->start(most_numbers());
    if (control_.from) {
      restore(*control_.from);
    } else {
      status_ = simulation_.pass_events();
    }
    if (sink_) sink_->start(simulation_.columns());
    history_.start();
    if (sink_ && !control_.from) put_now();
  }

  bool at_end() const {
    return simulation_.ended() || options_.until - simulation_.time() <= 1e-9 * std::min(options_.step, options_.until);
  }

  void take_step() {
    if (control_.controller) control_.controller(simulation_);
    const double h = chooses_steps_ ? options_.until - simulation_.time()
                                    : next_step_length(simulation_.time(), options_.step, options_.until);
    simulation_.impl_->step_in_parts(
        h, [&](double part) { return step_to_event(part); }, [&] { return ends_now(); });
    if (status_ != StepStatus::ok) return;
    ++count_;
    if (progress_ && count_ % 64 == 0) progress_(simulation_.time());
    sample_step(1e-6 * options_.step);
    if (error_ && status_ == StepStatus::ok) estimate_error();
  }

  /// Lets an event that ends the run do so where it is due.
  bool ends_now() {
    if (simulation_.next_event() > simulation_.time()) return false;
    status_ = simulation_.pass_events();
    return simulation_.ended() || status_ != StepStatus::ok;
  }

  /// What that allocates is not the run's.
  void estimate_error() {
    const std::uint64_t before = allocation_counter ? allocation_counter() : 0;
    error_->see(simulation_);
    if (allocation_counter) allocations_ += allocation_counter() - before;
  }

  StepStatus step_to_event(double h_most) {
    status_ = simulation_.step_to_event(h_most);
    if (status_ == StepStatus::ok) history_.add(simulation_);
    return status_;
  }

  void sample_step(double slack) {
    // Where events are due, the row of their time shows what they leave behind.
    const bool due = simulation_.next_event() <= simulation_.time() + slack;
    // Samples come at the times asked for, wherever the steps end.
    const auto next_sample = [&] { return static_cast<double>(samples_ + 1) * options_.every * options_.step; };
    const double up_to = due ? simulation_.next_event() - slack : simulation_.time();
    for (; sink_ && chooses_steps_ && next_sample() <= up_to; ++samples_) {
      simulation_.sample_at(sampled_ = next_sample(), row_.data());
      put();
    }
    if (due) status_ = simulation_.pass_events();
    if (!sink_ || status_ != StepStatus::ok) return;
    const bool at_sample =
        chooses_steps_ ? due && next_sample() <= simulation_.time() + slack : count_ % options_.every == 0;
    if (!at_sample) return;
    put_now();
    ++samples_;
  }

  void put_now() {
    simulation_.sample(row_.data());
    sampled_ = simulation_.time();
    put();
  }
  void put() {
    sink_->sample(row_.data(), row_.size());
    ++rows_;
  }

  void count_allocations() {
    if (!allocation_counter) return;
    const std::uint64_t now = allocation_counter();
    allocated_ = std::max<std::int64_t>(allocated_, 0) + static_cast<std::int64_t>(now - allocations_);
    allocations_ = now;
  }

  /// How far the output is, then the simulation.
  std::size_t own_numbers() const { return 4 + history_.record_size(); }
  std::size_t most_numbers() {
    return own_numbers() + (error_ ? 1 + error_->record_size() : 0) + simulation_.record_size();
  }
  void keep(bool last) {
    if (!last) count_allocations();
    RunRecord& record = control_.keeper->room(last);
    record.rows = rows_;
    record.step_rows = history_.rows();
    record.time = simulation_.time();
    record.numbers.resize(most_numbers());  // there is room: nothing is allocated
    double* at = record.numbers.data();
    *at++ = static_cast<double>(count_);
    *at++ = static_cast<double>(samples_);
    *at++ = sampled_;
    *at++ = static_cast<double>(allocated_);
    at = history_.save(at);
    if (error_) {
      const std::size_t size = error_->save(at + 1);
      *at = static_cast<double>(size);
      at += 1 + size;
    }
    at += simulation_.save(at);
    record.numbers.resize(static_cast<std::size_t>(at - record.numbers.data()));
    control_.keeper->keep(last);
  }
  void restore(const RunRecord& record) {
    if (!restore_from(std::span(record.numbers)))
      throw std::invalid_argument("the record of the run belongs to another mechanism or other options");
    const double* at = record.numbers.data();
    count_ = static_cast<std::int64_t>(*at++);
    samples_ = static_cast<std::int64_t>(*at++);
    sampled_ = *at++;
    allocated_ = static_cast<std::int64_t>(*at++);
    history_.restore(at, record.step_rows);
    rows_ = record.rows;
  }

  bool restore_from(std::span<const double> numbers) {
    if (numbers.size() <= own_numbers()) return false;
    numbers = numbers.subspan(own_numbers());
    if (error_) {
      const double size = numbers.front();
      if (!(size >= 0 && size < static_cast<double>(numbers.size()))) return false;
      if (!error_->restore(numbers.subspan(1, static_cast<std::size_t>(size)))) return false;
      numbers = numbers.subspan(1 + static_cast<std::size_t>(size));
    }
    return simulation_.impl_->restore(numbers);
  }

  void finish() {
    if (sink_) {
      if (sampled_ < simulation_.time() - 1e-9 * options_.step) put_now();
      sink_->finish();
    }
    history_.finish();
  }

  const RunOptions& options_;
  const RunControl& control_;
  const Progress& progress_;
  Sink* sink_;
  Simulation simulation_;
  StepHistory history_;
  std::optional<ErrorEstimate> error_;
  std::vector<double> row_;
  const bool chooses_steps_;
  StepStatus status_ = StepStatus::ok;
  double sampled_ = 0;             // time of the last sample
  std::int64_t samples_ = 0;       // after the first one
  std::int64_t count_ = 0;         // of steps, those that events divided as one
  std::int64_t rows_ = 0;          // that the sink has received
  std::uint64_t allocations_ = 0;  // what the counter said when it was last looked at
  std::int64_t allocated_ = -1;    // see RunSummary
};

void poses_at(Simulation& simulation, double t, double* numbers) { Run::poses_at(simulation, t, numbers); }

/// What the trials say of the run that they were made for, which is one of them.
static void tell_error(const Mechanism& mechanism, const RunOptions& options, const ChosenMethod& chosen,
                       RunSummary& summary) {
  if (chosen.off.size < 0) return;
  summary.error_estimate = chosen.off.size;
  summary.error_time = chosen.off.time;
  summary.error_body = mechanism.bodies[chosen.off.body].name;
  summary.error_tolerances =
      chosen.off.size / (options.relative_tolerance + options.absolute_tolerance / std::min(1.0, chosen.length));
}

RunSummary run(const Mechanism& mechanism, const RunOptions& options, Sink* sink, const Progress& progress, Sink* steps,
               const RunControl& control) {
  RunOptions resolved = options;
  const bool by_trials = options.integrator == kAutomatic && options.error;
  if (by_trials && control.controller)
    throw std::invalid_argument(
        "an error cannot be held with a controller, which trial runs do not see: leave the error out, or name an "
        "integrator");
  ChosenMethod chosen = choose_method(resolved, mechanism);
  RunControl own = control;
  if (chosen.off.size >= 0 && !control.bare) own.estimate_error = false;  // it is known
  RunSummary summary = Run(mechanism, resolved, chosen.because, sink, progress, steps, own).go();
  if (control.estimate_error && summary.status == RunStatus::ok) tell_error(mechanism, resolved, chosen, summary);
  if (by_trials && chosen.off.size > *options.error)
    summary.warnings.push_back(fmt::format("the error is about {:.2g}, more than the {:g} that was asked for",
                                           chosen.off.size, *options.error));
  summary.trials = std::move(chosen.trials);
  for (const Input& input : mechanism.inputs) {
    if (!input.track.t.empty() && input.track.t.back() < options.until * (1 - 1e-9))
      summary.warnings.push_back(
          fmt::format("the values of input '{}' end at {:.6g} s, the run at {:.6g} s: the last one is held", input.name,
                      input.track.t.back(), options.until));
  }
  if (options.step > options.until * (1 + 1e-9) && summary.step_control_used == "fixed")
    summary.warnings.push_back(
        fmt::format("the step, {:.6g} s, is longer than the run, {:.6g} s: one shorter step was taken", options.step,
                    options.until));
  for (const Event& event : mechanism.events) {
    if (event.time > options.until && !event.is_conditional())
      summary.warnings.push_back(fmt::format("event '{}' at {:.6g} s comes after the end of the run at {:.6g} s",
                                             event.name, event.time, options.until));
  }
  return summary;
}

}  // namespace cardan
