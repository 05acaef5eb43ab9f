// A mechanism under way: what Simulation holds. Stepping is in simulation.cpp, what is told of a run in
// run_summary.cpp, saving and restoring in saved_states.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "cardan/simulation.hpp"
#include "mechanism/automatic_formulation.hpp"
#include "simulation/companion_set.hpp"
#include "simulation/conditions.hpp"
#include "simulation/phase_set.hpp"
#include "simulation/run_record.hpp"
#include "simulation/run_warnings.hpp"
#include "system/input_derivatives.hpp"

namespace cardan {

struct Simulation::Impl {
  Mechanism mechanism;
  MethodReasons because;  // the options are what they are
  RunOptions options;
  std::vector<std::string> start_warnings;
  PhaseSet phases;
  RunSummary summary;
  struct Occurrence {
    double event = 0, phase = 0;  // which, and what it left behind
    double time = 0, energy = 0;  // s, J
  };
  std::vector<Occurrence> occurrences;  // of events, as many as there is room for, in their order
  std::int64_t occurred = 0;            // how often events have happened
  struct InARow {
    double time = -std::numeric_limits<double>::infinity();
    std::int64_t count = 0;
    int last = -1, before = -1;
  } in_a_row;                           // events with no time between them: when and which the last two were
  std::vector<std::size_t> rows_taken;  // of the track of every input
  bool samples_late = false;            // a sampled signal needs accelerations or reactions
  VecX sampled;                         // new values of the inputs that are sampled
  CompanionSet companions;
  Conditions conditions;
  EnergyLedger ledger;
  RunWarnings warnings;
  State read;                       // of the last record restored: the next one needs no memory
  bool at_table_end = false;        // of one that ends the run
  bool is_evaluated = false;        // the workspace holds position and velocity of the state, with its inputs
  std::array<double, 5> history{};  // lengths of the last steps, a ring
  std::int64_t history_count = 0;
  double last_step() const { return history[(history_count + history.size() - 1) % history.size()]; }
  struct WorstRow {
    int constraint = -1, phase = 0;
  };
  std::array<WorstRow, 3> worst{};  // violation of position, velocity, acceleration

  /// `signals`: of which samples are made; null: all columns. `same` and `bare`: see StartingPoint.
  Impl(const Mechanism& m, const RunOptions& o, const std::vector<std::string>* signals = nullptr,
       const CompiledMechanism* same = nullptr, bool bare = false);
  /// The record of a simulation that this one was made in the coordinates of.
  void take_over(Impl& other);

  Phase& now() { return phases.now(); }

  void describe();
  void describe_method();

  static void count(const Phase& phase, EventSummary& counts);

  /// Those that have happened.
  std::vector<EventSummary> event_summaries() const;
  /// Every event of the mechanism as if it were the first.
  std::vector<EventSummary> planned_events() const;
  EventSummary event_summary(int event, const Phase* after) const;

  /// Energy of the state; leaves position and velocity in the workspace.
  double find_energy();

  void begin_energy();

  /// Answers what it changes of the energy, J.
  double book_jump();

  // Context::books: the ledger, whether inputs have been set since the last step, and what columns continue.
  template <class Record>
  void visit_books(Record& record, Phase& phase) {
    ledger.visit(record);
    record.integer(inputs_changed);
    for (double& number : phase.compiled.observer->continued()) record.number(number);
  }
  const State& state();
  void save_companions() {
    if (!companions.empty()) companions.save(now().state);
  }

  void restore(const State& state);
  void take_up(const State& state);
  /// Throws std::invalid_argument for a state that is not of this mechanism and method, or damaged.
  void check_own(const State& state) const;

  double next_event() const;
  /// The index of the event that is due, or -1.
  int due_event() const;
  bool chatters(int event);
  void assign(const Event& event);
  bool ended() const {
    const Eigen::VectorXi& codes = phases.now().state.conditions;
    return codes.size() > 0 && codes[codes.size() - 1] != 0;
  }

  std::unique_ptr<InputDerivatives> input_derivatives;  // made when they are first asked for
  void derivatives(int input, double* row);

  bool inputs_changed = false;  // since the accelerations of the state were found
  void set_input(int input, double value);
  StepStatus take_inputs();
  /// What the tracks of the inputs say at the time of the state.
  void follow_tracks();
  /// When the next row of one, or the next sample, is due; infinity when there is none.
  double next_row() const;
  /// Sampled signals that are due at the time of the state, each from the values before.
  StepStatus take_samples();

  /// Instants so near to each other are one: a millionth of a step, and what the sum of t/h steps may have been rounded
  /// by, or what is due at each of them would soon fall beside each.
  double event_slack() const {
    const double steps = phases.now().state.t / options.step;
    const double rounding = 0.5 * std::numeric_limits<double>::epsilon() * steps * steps;
    return options.step * (1e-6 + std::min(rounding, 0.01));
  }

  StepStatus pass_events();

  /// What is done while one lives is a cost of stepping: events, samples, controllers, companions, the integrator, the
  /// energy balance and what is watched. Of one within another the outer counts.
  class Cost {
   public:
    explicit Cost(Impl& run);
    ~Cost();
    Cost(const Cost&) = delete;
    Cost& operator=(const Cost&) = delete;

   private:
    Impl& run_;
    double begin_;
    bool outermost_;
  };
  bool counting = false;

  /// Throws std::invalid_argument.
  void check_length(double h) const;
  /// A step of `h` seconds by `step_to_event`, in parts where events fall into it: steps of fixed length keep their
  /// ends, whatever falls between. `over`: asked after each part.
  template <class StepToEvent, class Over>
  StepStatus step_in_parts(double h, const StepToEvent& step_to_event, const Over& over) {
    const double end = now().state.t + h;
    StepStatus status = step_to_event(h);
    while (!now().integrator->chooses_steps() && status == StepStatus::ok &&
           end - now().state.t > 1e-6 * options.step && !over())
      status = step_to_event(end - now().state.t);
    return status;
  }

  StepStatus step_to_event(double h_most);
  /// Before a step: events that are due, inputs and samples.
  StepStatus settle();
  /// Of the next step: `h_most`, or what is left to the next event or row of an input.
  double next_length(double h_most) const;

  /// What lies between two steps is interpolated, which a polynomial cannot do over half a turn, however small the
  /// error at the ends: a mechanism whose motion is given has none.
  static double longest_step(const Phase& phase);

  StepStatus step_in_phase(double h);

  StepStatus advance(double h);

  void keep_worst(ConstraintViolation& violation, WorstRow& row, double value, int constraint) const;

  void balance_energy(double h);
  /// A row of the trajectory; the balance of energy is that of the last step.
  void sample(const State& state, double* row) {
    now().compiled.observer->note_balance(ledger.work(), ledger.error());
    phases.sample(state, is_evaluated, row);
  }

  const RunSummary& tell();

  /// Each once, by the phase that left it first.
  std::vector<LeftTable> left_tables() const;

  void name_violations();

  /// What goes on in a restored simulation beside the state, in the order of a record.
  template <class Record>
  void visit(Record& record) {
    for (std::int64_t* count :
         {&summary.steps, &summary.rejected_steps, &summary.iterations, &summary.factorizations, &summary.evaluations,
          &summary.stagnated_steps, &summary.repartitions, &history_count}) {
      record.integer(*count);
    }
    for (double* number : {&summary.duration, &summary.step_smallest, &summary.step_largest, &summary.cpu_seconds,
                           &summary.real_time_factor}) {
      record.number(*number);
    }
    visit_books(record, now());
    warnings.visit(record);
    for (double& length : history) record.number(length);
    record.integer(occurred);
    for (Occurrence& one : occurrences)
      for (double* number : {&one.event, &one.phase, &one.time, &one.energy}) record.number(*number);
    ConstraintViolation* const violations[] = {&summary.position, &summary.velocity, &summary.acceleration};
    for (int i = 0; i < 3; ++i) {
      record.number(violations[i]->value);
      record.number(violations[i]->time);
      record.integer(worst[i].constraint);
      record.integer(worst[i].phase);
    }
  }

  /// In a phase, with the companions of a state.
  std::size_t record_size(const Phase& phase, const State& state);

  std::size_t save(double* numbers);

  /// `taken_over`: from a simulation of another mechanism in the same coordinates.
  bool restore(std::span<const double> numbers, bool taken_over = false);

  /// After a step of h seconds: the summary says why it failed, and forgets it when the next one has not.
  StepStatus told(StepStatus status, double h);
  void explain_failure(StepStatus status, double h);
  std::string chatter_reason() const;
};

}  // namespace cardan
