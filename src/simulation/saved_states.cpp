// States and records of a simulation: saved as numbers, refused when they are not its own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "formulation/relative/partition.hpp"
#include "simulation/simulation_impl.hpp"
#include "text/fingerprint.hpp"

namespace cardan {
namespace {

/// Whether Context::partition is what a formulation or an integrator of the phase can have left there: an order of
/// coordinates, or flags of constraints (integration/independent_rows.hpp).
bool divides(const Eigen::VectorXi& partition, const Phase& phase) {
  if (partition.size() == 0) return true;
  const Structure& full = phase.compiled.formulation->full().structure();
  const bool flags = partition.size() == full.constraints && partition.minCoeff() >= 0 && partition.maxCoeff() <= 1;
  // Of the coordinates of the mechanism, or of an integrator that has its states among them.
  return flags || is_order(partition, full.coordinates - full.states, full.constraints) ||
         is_order(partition, full.coordinates, full.constraints);
}

/// The end of a record: a sum over the bits of all numbers before, in two that hold it exactly.
constexpr std::size_t kSumNumbers = 2;
std::array<double, kSumNumbers> sum_of(const double* record, std::size_t count) {
  const std::uint64_t sum = sum_of_words(record, count);
  return {static_cast<double>(sum >> 32), static_cast<double>(sum & 0xffffffff)};
}

}  // namespace

const State& Simulation::Impl::state() {
  RecordWriter record(now().state.books.data());
  visit_books(record, now());
  save_companions();
  return now().state;
}

void Simulation::Impl::restore(const State& state) {
  check_own(state);
  if (state.books.size() == 0) {
    take_up(state);
    return;
  }
  if (!companions.empty() && !companions.restore(state.companions))
    throw std::invalid_argument("this state cannot be restored: a program that runs beside it cannot be set back");
  phases.restore(state);
  RecordReader record({state.books.data(), static_cast<std::size_t>(state.books.size())});
  visit_books(record, now());
  at_table_end = is_evaluated = false;
  in_a_row = {};
}

/// A context that a System has made holds the motion alone: the integrator starts anew from there.
void Simulation::Impl::take_up(const State& state) {
  State own = phases.phase(state.phase).state;
  take_motion(state, own);
  if (state.conditions.size() == own.conditions.size()) {
    own.conditions = state.conditions;
  } else {
    own.conditions = conditions_at_start(mechanism);
  }
  if (state.partition.size() == own.partition.size()) own.partition = state.partition;
  const State before = now().state;
  if (state.companions.size() > 0 && !companions.restore(state.companions))
    throw std::invalid_argument("this state cannot be restored: a program that runs beside it cannot be set back");
  phases.restore(own);
  if (now().integrator->start(now().state) != StepStatus::ok) {
    phases.restore(before);
    throw std::invalid_argument("no motion can start from this state: its accelerations cannot be found");
  }
  book_jump();
  at_table_end = is_evaluated = false;
  in_a_row = {};
}

void Simulation::Impl::check_own(const State& state) const {
  const bool known = phases.knows(state);
  const State* own = known ? &phases.phase(state.phase).state : nullptr;
  const bool whole = known && same_sizes(state, *own) && state.books.size() == own->books.size();
  const bool motion = known && state.books.size() == 0 && same_motion_sizes(state, *own);
  if (!whole && !motion) {
    throw std::invalid_argument(
        fmt::format("this state is no state of '{}' with the formulation {} and the integrator {}: it has {} "
                    "coordinates, and {} events are behind it",
                    mechanism.name, options.formulation, options.integrator, state.q.size(), state.events));
  }
  if (state.system != own->system) {
    throw std::invalid_argument(
        fmt::format("this state is of another mechanism, assembly or formulation than '{}' with the formulation {}, "
                    "though of the same size",
                    mechanism.name, options.formulation));
  }
  if (!all_finite(state)) throw std::invalid_argument("this state holds numbers that are not finite");
  if (!divides(state.partition, phases.phase(state.phase)))
    throw std::invalid_argument(
        "this state is damaged: it names coordinates or constraints that do not exist, or twice");
}

std::size_t Simulation::Impl::record_size(const Phase& phase, const State& state) {
  RecordSize size;
  visit_state(size, phase.state);
  visit(size);
  return size.count() + kSumNumbers - static_cast<std::size_t>(phase.state.companions.size()) +
         static_cast<std::size_t>(state.companions.size());
}

std::size_t Simulation::Impl::save(double* numbers) {
  save_companions();
  RecordWriter record(numbers);
  visit_state(record, now().state);
  visit(record);
  for (const double part : sum_of(numbers, record.count())) record.number(part);
  return record.count();
}

/// Accelerations and the balance of energy go with the new masses and loads, as after a jump of inputs.
void Simulation::Impl::take_over(Impl& other) {
  other.save_companions();
  std::vector<double> numbers(other.record_size(other.now(), other.now().state));
  other.save(numbers.data());
  if (!restore(numbers, true))
    throw std::invalid_argument(fmt::format(
        "'{}' cannot go on with this change: it remembers other things, or a program runs beside it that cannot be "
        "set to where it is",
        mechanism.name));
  rows_taken = other.rows_taken;
  inputs_changed = true;
  if (take_inputs() != StepStatus::ok)
    throw std::invalid_argument(
        fmt::format("'{}' cannot go on with this change: no accelerations can be found", mechanism.name));
}

bool Simulation::Impl::restore(std::span<const double> numbers, bool taken_over) {
  if (numbers.size() < kSumNumbers) return false;
  const std::span<const double> sum = numbers.last(kSumNumbers), rest = numbers.first(numbers.size() - kSumNumbers);
  if (!std::ranges::equal(sum, sum_of(rest.data(), rest.size()))) return false;
  RecordReader record(rest);
  State& state = read;
  visit_state(record, state);
  if (!record.good() || !phases.knows(state)) return false;
  const Phase& phase = phases.phase(state.phase);
  if (taken_over) state.system = phase.state.system;
  if (state.system != phase.state.system || !same_sizes(state, phase.state) ||
      numbers.size() != record_size(phase, state) || !divides(state.partition, phase) ||
      (!companions.empty() && !companions.restore(state.companions)))
    return false;
  state.books.setZero(phase.state.books.size());  // room for state(), which the record has no need of
  phases.restore(state);
  visit(record);
  at_table_end = is_evaluated = false;
  in_a_row = {};
  return true;
}

}  // namespace cardan
