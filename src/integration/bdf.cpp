#include "integration/bdf.hpp"

#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <limits>

#include "integration/bdf_history.hpp"
#include "integration/bdf_system.hpp"

namespace cardan {
namespace {

/// Vector operations get no data of the user's: the system whose step this thread takes.
thread_local BdfSystem* stepping = nullptr;

double tangent_norm(N_Vector x, N_Vector, N_Vector) { return stepping->tangent_norm(N_VGetArrayPointer(x)); }

/// What is tested is the error of a step; those of all steps add up, in a mechanism that turns many times most. A third
/// of what is asked is tested, so that end values are within 100 times that: they were off by up to 186 times on a
/// spatial loop over eight turns.
constexpr double kIndex2Fraction = 1.0 / 3;
/// In index 3 the error that is tested misses what the velocities across the constraints do to the motion: end values
/// were off by up to 800 times the tolerance tested on a stiff mechanism, against 60 in index 2, and by 1430 times
/// where a step falls badly on the sharp turn of Andrews' squeezer. So a sixteenth of what is asked is tested, though
/// not where rounding in velocities would swamp it.
constexpr double kIndex3Fraction = 1.0 / 16;
constexpr double kIndex3Finest = 1e-8;

/// Up to so many unknowns the matrix is a full one: to choose an order of elimination allocates.
constexpr int kFull = 200;

int free_solver(SUNLinearSolver solver) {
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

void silent(int, const char*, const char*, char*, void*) {}

}  // namespace

/// IDA with its vectors, the system that it solves, whose matrix is the system's own where unknowns are many (SUNDIALS
/// sees an empty one).
struct BdfIntegrator::Ida {
  bool full = false;  // the matrix
  int crawling = 0;   // steps in a row that are next to nothing
  BdfSystem system;
  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector y = nullptr, rate = nullptr, kind = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  State last;                                                      // what step() returned last
  State end;                                                       // where a step has come to
  long iterations = 0, evaluations = 0, setups = 0, rejected = 0;  // counts of IDA at the end of the last step

  Ida(const Formulation& formulation, Workspace& work, const std::vector<int>& rows, const BdfSettings& settings)
      : system(formulation, work, rows, settings) {
    SUNContext_Create(nullptr, &context);
    const int n = system.size();
    y = N_VNew_Serial(n, context);
    if (settings.index == 3) y->ops->nvwrmsnormmask = tangent_norm;  // the error test's, in this vector and its clones
    rate = N_VClone(y);
    kind = N_VClone(y);
    full = settings.solver == "dense" || (settings.solver != "sparse" && n <= kFull);
    if (full) {
      matrix = SUNDenseMatrix(n, n, context);
      solver = SUNLinSol_Dense(y, matrix, context);
    } else {
      open_sparse();
    }
    memory = IDACreate(context);
  }
  void open_sparse() {
    matrix = SUNMatNewEmpty(context);
    matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
    matrix->ops->zero = [](SUNMatrix) { return SUNMAT_SUCCESS; };
    matrix->ops->destroy = SUNMatFreeEmpty;
    solver = SUNLinSolNewEmpty(context);
    solver->content = &system.matrix();
    solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    solver->ops->setup = factorize;
    solver->ops->solve = solve_linear;
    solver->ops->free = free_solver;
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;
  ~Ida() {
    IDAFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    for (N_Vector vector : {y, rate, kind}) N_VDestroy(vector);
    SUNContext_Free(&context);
  }

  static int factorize(SUNLinearSolver solver, SUNMatrix) {
    return static_cast<SparseLu*>(solver->content)->factorize() < 0 ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
  }
  static int solve_linear(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
    N_VScale(1, b, x);
    static_cast<SparseLu*>(solver->content)->solve(N_VGetArrayPointer(x));
    return SUNLS_SUCCESS;
  }

  bool open(const BdfSettings& settings, const State& state) {
    system.set_reference(state);
    system.pack(state, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    system.mark(N_VGetArrayPointer(kind));
    last = end = state;
    if (IDAInit(memory, BdfSystem::residual, state.t, y, rate) != 0) return false;
    BdfHistory::clear(memory);
    return IDAWFtolerances(memory, BdfSystem::weights) == 0 && IDASetUserData(memory, &system) == 0 &&
           IDASetLinearSolver(memory, solver, matrix) == 0 && IDASetJacFn(memory, BdfSystem::jacobian) == 0 &&
           IDASetId(memory, kind) == 0 && IDASetSuppressAlg(memory, SUNTRUE) == 0 &&
           IDASetNonlinConvCoef(memory, settings.newton_fraction) == 0 &&
           IDASetMaxStep(memory, settings.step_max) == 0 && IDASetMinStep(memory, settings.step_min) == 0 &&
           IDASetErrHandlerFn(memory, silent, nullptr) == 0;
  }

  /// Order one from here on. `h`: what is left to go.
  bool begin_at(const State& state, double h, const BdfSettings& settings) {
    system.set_reference(state);
    system.pack(state, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    iterations = evaluations = setups = rejected = 0;
    double first = system.first_step(state);
    if (first == 0) first = 1e-3 * h;
    first = std::min(std::max(first, settings.step_min), h);
    system.set_step(first);
    return IDAReInit(memory, state.t, y, rate) == 0 && IDASetInitStep(memory, first) == 0;
  }

  int solve(double from, double until, double& t) {
    stepping = &system;
    long steps = 0;
    IDAGetNumSteps(memory, &steps);
    double h = 0;
    if (steps > 0 && IDAGetCurrentStep(memory, &h) == 0) system.set_step(h);
    IDASetStopTime(memory, until);
    t = from;
    return IDASolve(memory, until, &t, y, rate, IDA_ONE_STEP);
  }

  void count(StepReport& report) {
    long now_iterations = 0, now_evaluations = 0, now_setups = 0, error_fails = 0, newton_fails = 0;
    IDAGetNumNonlinSolvIters(memory, &now_iterations);
    IDAGetNumResEvals(memory, &now_evaluations);
    IDAGetNumLinSolvSetups(memory, &now_setups);
    IDAGetNumErrTestFails(memory, &error_fails);
    IDAGetNumNonlinSolvConvFails(memory, &newton_fails);
    report.iterations = static_cast<int>(now_iterations - iterations);
    report.evaluations = static_cast<int>(now_evaluations - evaluations);
    report.factorizations = static_cast<int>(now_setups - setups);
    report.rejected = static_cast<int>(error_fails + newton_fails - rejected);
    iterations = now_iterations, evaluations = now_evaluations, setups = now_setups,
    rejected = error_fails + newton_fails;
  }

  /// IDA stands elsewhere than any state: the next step takes its history from the state.
  void leave() { last.t = std::numeric_limits<double>::quiet_NaN(); }

  /// In State::stepper: t, q, v, then the history.
  int memory_size(const State& state) const {
    return static_cast<int>(1 + 2 * state.q.size()) + BdfHistory::count(system);
  }
  void remember(State& state) const {
    const int n = static_cast<int>(state.q.size());
    state.stepper[0] = state.t;
    state.stepper.segment(1, n) = state.q;
    state.stepper.segment(1 + n, n) = state.v;
    BdfHistory::save(memory, system, state.stepper.data() + 1 + 2 * n);
  }
  /// The history of the state as it stands, or null.
  const double* history_of(const State& state) const {
    const int n = static_cast<int>(state.q.size());
    const VecX& numbers = state.stepper;
    const bool fits = numbers.size() == memory_size(state) && numbers[0] == state.t &&
                      numbers.segment(1, n) == state.q && numbers.segment(1 + n, n) == state.v;
    return fits ? numbers.data() + 1 + 2 * n : nullptr;
  }
};

BdfSettings BdfSettings::for_options(const RunOptions& options, double length) {
  BdfSettings settings;
  settings.index = options.index;
  const auto tested = [index = settings.index](double asked) {
    return index == 2 ? kIndex2Fraction * asked : std::max(kIndex3Fraction * asked, std::min(asked, kIndex3Finest));
  };
  settings.error.relative = tested(options.relative_tolerance);
  settings.error.absolute = tested(options.absolute_tolerance);
  settings.step_min = options.step_min;
  settings.step_max = options.step_max.value_or(0);
  settings.length = length;
  settings.solver = options.solver;
  return settings;
}

BdfIntegrator::BdfIntegrator(const Formulation& formulation, Workspace& work, const BdfSettings& settings)
    : Integrator(formulation, work, settings.length),
      settings_(settings),
      start_solver_(make_linear_solver("automatic", formulation.structure().pattern)) {}

BdfIntegrator::~BdfIntegrator() = default;

const char* BdfIntegrator::solver_name() const { return ida_ && !ida_->full ? "sparse" : "dense"; }

StepStatus BdfIntegrator::start(State& state) {
  state.acceleration = VecX::Zero(structure_.coordinates);
  state.lambda = VecX::Zero(structure_.constraints);
  Index1Acceleration acceleration(formulation_, work_, *start_solver_);
  const StepStatus status = start_accelerations(acceleration, state);
  state.algorithmic = state.acceleration;
  if (status != StepStatus::ok) return status;
  const bool again = ida_ != nullptr;  // after an event
  if (!again) {
    std::vector<int> rows;
    for (int k = 0; k < structure_.constraints; ++k) {
      if (!std::binary_search(analysis_.redundant.begin(), analysis_.redundant.end(), k)) rows.push_back(k);
    }
    ida_ = std::make_unique<Ida>(formulation_, work_, rows, settings_);
  }
  state.stepper.resize(ida_->memory_size(state));
  state.stepper.setConstant(std::numeric_limits<double>::quiet_NaN());  // no history: the next step starts anew
  return again || ida_->open(settings_, state) ? StepStatus::ok : StepStatus::singular;
}

bool BdfIntegrator::take_up(const State& state, double h) {
  const bool moved = state.t != ida_->last.t || state.q != ida_->last.q || state.v != ida_->last.v;
  const double* history = ida_->history_of(state);
  long steps = 0;
  IDAGetNumSteps(ida_->memory, &steps);
  if (!moved && steps > 0 && history) return true;
  ida_->last = state;
  if (!history) return ida_->begin_at(ida_->last, h, settings_);
  if (steps == 0) {
    // A first step, of which nothing is kept and which may fail, makes IDA ready for a history.
    if (!ida_->begin_at(ida_->last, h, settings_)) return false;
    double t = 0;
    ida_->solve(state.t, state.t + h, t);
  }
  const bool restored = BdfHistory::restore(ida_->memory, ida_->system, history);
  StepReport unused;
  ida_->count(unused);
  return restored;
}

StepStatus BdfIntegrator::step(State& state, double h) {
  report_ = StepReport{};
  complaint_.clear();
  if (!take_up(state, h)) return StepStatus::singular;
  ida_->last = state;
  ida_->system.set_reference(ida_->last);
  double t = state.t;
  const int flag = ida_->solve(state.t, state.t + h, t);
  ida_->count(report_);
  if (flag < 0) return refuse(flag);
  report_.taken = t - state.t;
  // At a singular position the steps shrink without end.
  constexpr int kCrawl = 2000;
  ida_->crawling = report_.taken < 1e-7 * h ? ida_->crawling + 1 : 0;
  if (ida_->crawling > kCrawl) {
    report_.refusal = "the steps shrink without end, as they do at a singular position";
    IDAGetCurrentStep(ida_->memory, &report_.taken);
    ida_->leave();
    return StepStatus::not_converged;
  }
  return finish(t, state);
}

/// Takes over where IDA has come to, unless that is nowhere: then the state stays as it is.
StepStatus BdfIntegrator::finish(double t, State& state) {
  State& end = ida_->end;
  end = state;
  end.t = t;
  ida_->system.unpack(N_VGetArrayPointer(ida_->y), N_VGetArrayPointer(ida_->rate), end);
  StepStatus status = end.q.allFinite() && end.v.allFinite() ? StepStatus::ok : StepStatus::not_finite;
  if (status == StepStatus::ok) status = formulation_.position(t, end.q, ida_->last, work_);
  if (status == StepStatus::ok) {
    formulation_.velocity(end.v, work_);
    formulation_.gamma(work_);
    measure_violation(end.v, end.acceleration);
    status = opened() ? StepStatus::singular : formulation_.accept(ida_->last, end, work_);
  }
  if (status != StepStatus::ok) {
    ida_->leave();
    return status;
  }
  ida_->remember(end);
  state = ida_->last = end;
  return status;
}

/// Whether a constraint that was left out as redundant is open. Complains of it. It is off by what the others are at
/// least, which the tolerance leaves them.
bool BdfIntegrator::opened() {
  constexpr double kOpened = 1e-6;  // of its scale
  const double tolerance = settings_.error.relative + settings_.error.absolute / std::min(1.0, length_);
  for (const int k : analysis_.redundant) {
    if (std::abs(work_.equations.phi[k]) <= std::max(kOpened, tolerance) * structure_.constraint_scale[k]) continue;
    complaint_ = "the constraint '" + structure_.constraint_names[k] +
                 "' opens: it counted as redundant in the position of the start, which was singular";
    return true;
  }
  return false;
}

StepStatus BdfIntegrator::refuse(int flag) {
  IDAGetCurrentStep(ida_->memory, &report_.taken);
  ida_->leave();
  report_.error = std::numeric_limits<double>::infinity();
  if (flag != IDA_ERR_FAIL && flag != IDA_CONV_FAIL) return StepStatus::singular;
  const bool shortest = settings_.step_min > 0 && report_.taken <= settings_.step_min * (1 + 1e-9);
  report_.refusal = shortest ? "the shortest step allowed was reached" : "too many tries in a row were rejected";
  return StepStatus::not_converged;
}

void BdfIntegrator::interpolate(double t, State& state) const {
  IDAGetDky(ida_->memory, t, 0, ida_->y);
  IDAGetDky(ida_->memory, t, 1, ida_->rate);
  state.t = t;
  ida_->system.unpack(N_VGetArrayPointer(ida_->y), N_VGetArrayPointer(ida_->rate), state);
}

}  // namespace cardan
