// Running a mechanism through time: options in, samples out, and a summary that says what was asked, what was used and
// how far the result can be trusted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cardan/context.hpp"
#include "cardan/mechanism.hpp"
#include "cardan/motion.hpp"
#include "cardan/run_options.hpp"
#include "cardan/sink.hpp"
#include "cardan/step_status.hpp"

namespace cardan {

struct ConstraintViolation {
  double value = 0;        // units are with the members of RunSummary
  double time = 0;         // s: when it was largest
  std::string constraint;  // which one
};

/// What an event did, and what the mechanism is like after it.
struct EventSummary {
  std::string name;
  double time = 0;    // s; infinity for one with a condition that has not happened
  double energy = 0;  // J: energy of the mechanism after it less that before; counted in the balance
  int constraints = 0, redundant_constraints = 0;
  int degrees_of_freedom = 0, driven = 0;  // see RunSummary
  int velocity_degrees_of_freedom = 0;
  std::string condition = {};  // of one that a condition brings about, as written; else empty
};

/// A run that the integrator auto made before the one that was asked for.
struct MethodTrial {
  std::string formulation, integrator;
  double tolerance = 0;    // of its step control
  double error = -1;       // that it estimates, in sizes of the mechanism or rad; -1: it came to no end
  double work = 0;         // in evaluations of accelerations: what the choice goes by, the same on every machine
  double cpu_seconds = 0;  // the estimate's included
};

enum class RunStatus { ok, failed, interrupted };

/// As in summary.json: "ok", "failed", "interrupted".
const char* status_name(RunStatus status);

struct RunSummary {
  RunStatus status = RunStatus::ok;
  /// Why it failed, with time, constraint and advice, or where it was interrupted or ended by an event.
  std::string reason;
  std::string model;
  std::string formulation_asked, formulation_used;
  std::string formulation_because;  // why auto became that one; empty: it was asked for by name
  std::string integrator_asked, integrator_used;
  std::string integrator_because;   // likewise
  std::vector<MethodTrial> trials;  // runs that integrator auto made to choose by; their cost is not in cpu_seconds
  std::string solver_asked, solver_used;
  std::string start = "drawn";    // or "equilibrium"
  double step = 0, duration = 0;  // s: the step asked for, the time reached
  std::int64_t steps = 0, rejected_steps = 0, iterations = 0, factorizations = 0, evaluations = 0;
  std::int64_t stagnated_steps = 0;          // accepted although the increment stopped shrinking above the tolerance
  std::int64_t repartitions = 0;             // changes of independent coordinates on the way (topological)
  std::string treatment_used = "augmented";  // of constraints: see registry.hpp; bdf "index 2" or "index 3"
  std::string step_control_used = "fixed";
  double step_smallest = 0, step_largest = 0;   // of those taken, s
  double cpu_seconds = 0;                       // stepping with all that it asks, without output
  double real_time_factor = 0;                  // duration / cpu_seconds
  double energy_initial = 0, energy_final = 0;  // J, above an arbitrary zero
  double energy_max_error = 0;  // J, signed: largest deviation of energy - initial energy - work done on the system -
                                // what came with events
  double energy_max_error_time = 0;                      // s
  ConstraintViolation position, velocity, acceleration;  // m or 1; relative to the largest velocity, acceleration
  double error_estimate = -1;   // of the bodies' places and turns, in sizes of the mechanism or rad; -1: none was made
  std::string error_body;       // which is off by that
  double error_time = 0;        // s: when
  double error_step = 0;        // s: the constant step that would make it 1e-3; 0: unknown
  double error_tolerances = 0;  // that estimate in tolerances, where steps are chosen by the error; 0: they are not
  int coordinates = 0, constraints = 0, redundant_constraints = 0;
  int degrees_of_freedom = 0;           // that joints and couplers leave to positions
  int velocity_degrees_of_freedom = 0;  // to velocities: fewer where knife edges or rolling discs hold some
  int driven = 0;                       // how many of them drivers give
  std::int64_t allocations = -1;        // heap allocations between first and last step; -1: not counted in this program
  double penalty_smallest = 0, penalty_largest = 0;  // factors of the constraints, alpha: N/m or N m; 0: there are none
  double tolerance_used = 0;                         // as it was asked for, m and rad mixed; 0: automatic
  std::vector<std::string> redundant;                // names of redundant constraints
  std::vector<EventSummary> events;                  // those that happened, each time that they did, up to some hundred
  std::int64_t event_count = 0;                      // how often that was
  std::vector<std::string> warnings;

  std::string json() const;
};

struct RunControl;

/// A mechanism under way. Construction assembles it (throws ModelError when that fails); after that no call to step()
/// allocates memory, but for one that fails: it leaves the state as it was, and the summary says why until another one
/// goes well. (A table that ends the run is found to be left at the end of a step, so that after StepStatus::table_end
/// the state is that end; from there only restore() leads on.) It keeps a copy of the mechanism, and of the options
/// with the formulation that "auto" stands for: summary() says which.
class Simulation {
 public:
  Simulation(const Mechanism& mechanism, const RunOptions& options);
  /// Samples are `t` and these signals, and nothing else is computed for them: for programs that look at few numbers.
  /// Throws std::invalid_argument for a name that no signal has.
  Simulation(const Mechanism& mechanism, const RunOptions& options, const std::vector<std::string>& signals);
  /// Goes on where `under_way` stands, in the same coordinates, with other masses, loads and expressions: those of
  /// `mechanism`, which is the same but for a parameter. Samples are those of `under_way`. What that changes of the
  /// energy is booked as work, like that of an event. Throws std::invalid_argument where places of bodies, joints,
  /// drivers, events or starts are others.
  Simulation(const Simulation& under_way, const Mechanism& mechanism);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  double time() const;  // s
  /// One step of options.step, or of `h` seconds, more than 0 (std::invalid_argument). A step that an event falls into
  /// is taken in two parts (or more, with more events), so that it ends where it would without; integrators that choose
  /// their steps end one at the event. An event at the end of a step happens at the beginning of the next one, or when
  /// pass_events() is called.
  StepStatus step();
  StepStatus step(double h);
  /// One step of `h` seconds, more than 0, or up to the next event, whichever comes first; returns without passing that
  /// event.
  StepStatus step_to_event(double h);
  /// Lets the events happen that are due at time().
  StepStatus pass_events();
  /// Whether an event has ended the run: steps may still be taken.
  bool ended() const;
  /// When the next event is due, s; of those with conditions only what is due now is known; infinity when there is
  /// none. Events happen at their own time: those within a millionth of options.step of a step's end are taken to be
  /// there.
  double next_event() const;
  /// An input of the mechanism by name, looked up once. Throws std::invalid_argument with the nearest name there is.
  int input(const std::string& name) const;
  /// From time() on the input is `value`, within its limits; NaN is refused (std::invalid_argument). Steps from here
  /// begin with the accelerations that go with it.
  void set_input(int input, double value);
  /// The value that was given last.
  double input_value(int input) const;
  /// How every column changes at once for a unit of an input, the motion and the states being as they are: exact
  /// derivatives, columns().size() numbers, NaN where none is known: of accelerations, reactions, forces that
  /// are no efforts of actuators or pulls along lines, and rates of what is made of inputs. At a limit of the input: to
  /// the side that is open.
  void derivatives(int input, double* row);

  /// Everything the next step depends on: copy it to save, assign it to restore, bit for bit. A context that a System
  /// has made has no balance of energy: what the jump to it changes is booked as work, like that of an event. Both
  /// restore() throw std::invalid_argument, with nothing changed, for what is of another mechanism, assembly or method,
  /// empty or damaged.
  const Context& state() const;
  void restore(const Context& context);

  /// The state with all that the summary tells of the way there, as numbers: another simulation of the same mechanism
  /// with the same options goes on from them as if it had gone all the way itself. save() allocates nothing and answers
  /// how many numbers it wrote, record_size() at most.
  std::size_t record_size() const;
  std::size_t save(double* numbers) const;
  void restore(std::span<const double> record);

  BodyMotion body(int index) const;
  /// By name, which is looked up at every call. Throws std::invalid_argument with the nearest name there is.
  BodyMotion body(const std::string& name) const;
  /// Of all bodies after step(): place of the centre and the axes, column by column, 12 numbers for each body of
  /// the mechanism.
  void poses(double* numbers) const;
  /// The size of the mechanism, m: what relative errors are relative to.
  double length() const;
  /// Kinetic and potential, J.
  double energy() const;
  const RunSummary& summary() const;
  /// Names and values as in trajectory.csv: bodies, joints with their coordinates and reactions.
  const std::vector<std::string>& columns() const;
  /// Where a column stands in a row, looked up once. Throws std::invalid_argument with the nearest name there is.
  int column(const std::string& name) const;
  /// Writes a row: columns().size() numbers.
  void sample(double* row);

  /// True for integrators that choose their steps: step(h) then goes at most h, and sample_at() gives rows within the
  /// last one.
  bool chooses_steps() const;
  void sample_at(double t, double* row);  // columns().size() numbers

  /// Of the last step: time at its end, length, errors, iterations, violations of the constraints:
  /// step_columns().size() numbers.
  void step_row(double* row) const;
  static const std::vector<std::string>& step_columns();

  /// Every event of the mechanism with the counts after it; energies of those that have happened.
  std::vector<EventSummary> planned_events() const;

 private:
  friend class GradientRun;
  friend class Run;
  struct Impl;
  Simulation(const Mechanism& mechanism, const RunOptions& options, const RunControl& control);
  std::unique_ptr<Impl> impl_;
};

/// Called now and then during a run with the time reached.
using Progress = std::function<void(double time)>;

/// A run between two steps: Simulation::save() and how far its output had come, as numbers. A run that goes on from
/// it gives the same rows, bit for bit, as one that was never interrupted.
struct RunRecord {
  std::int64_t rows = 0, step_rows = 0;  // that the sinks had received
  double time = 0;                       // s
  std::vector<double> numbers;
};

/// Keeps records of a run under way. The stepping thread calls these between steps: none may allocate, lock or wait,
/// but for start().
class RunKeeper {
 public:
  virtual ~RunKeeper() = default;
  /// Before the first step: no record has more numbers than these.
  virtual void start(std::size_t numbers) = 0;
  /// Asked after every step: whether a record is wanted.
  virtual bool due() const = 0;
  /// Where the next record goes, and that it is there. `last`: the one of the end, which is made unless the run failed.
  virtual RunRecord& room(bool last) = 0;
  virtual void keep(bool last) = 0;
};

/// How a run is ended early, kept and taken up again.
struct RunControl {
  const std::atomic<bool>* stop = nullptr;  // looked at after every step: true ends the run there, as "interrupted"
  RunKeeper* keeper = nullptr;
  const RunRecord* from = nullptr;  // where to go on instead of at the start; the sinks hold the rows up to there
  int steps_every = 1;              // a row of the step history stands for so many steps
  bool estimate_error = false;      // by another run with twice the step or a looser tolerance, for half the cost
  const std::vector<std::string>* signals = nullptr;  // samples are `t` and these alone; null: all columns
  /// Of one run among many, of which samples are all that is wanted: it warns of nothing and starts at less cost. Not
  /// together with a keeper, a record to go on from or estimate_error.
  bool bare = false;
  /// Called before every step, where it may read the state and set inputs. Not together with estimate_error, whose
  /// other run it does not see.
  std::function<void(Simulation&)> controller = {};
};

/// From start to options.until. Never throws because of the motion: a failed run says so in its summary, and the
/// samples so far stay with the sink. `steps` receives the step history: for every step taken one row with t, h, error
/// (as a multiple of what step control allows), iterations, rejected tries, energy error, violations of the
/// constraints. A row that stands for several steps has t and h of the last, the sum of rejected tries and of all
/// others the largest. Throws std::invalid_argument when control.from is no record of such a run.
RunSummary run(const Mechanism& mechanism, const RunOptions& options, Sink* sink = nullptr,
               const Progress& progress = {}, Sink* steps = nullptr, const RunControl& control = {});

/// What `cardan check` prints of one formulation.
struct FormulationCounts {
  std::string formulation;
  int coordinates = 0, constraints = 0, degrees_of_freedom = 0, velocity_degrees_of_freedom = 0, driven = 0;
  std::vector<std::string> redundant;
  std::vector<std::string> cut;       // joints opened, relative coordinates only
  std::vector<EventSummary> events;   // what the mechanism is like after each
  std::vector<std::string> warnings;  // those of a run, before it starts
  /// The joints hold some motion more than once. Where they do not, constraints are redundant by the way in which this
  /// formulation writes them, and no reaction is in doubt.
  bool overconstrained = false;
};
FormulationCounts count_coordinates(const Mechanism& mechanism, const std::string& formulation);

}  // namespace cardan
