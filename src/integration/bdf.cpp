#include "integration/bdf.hpp"

#include <algorithm>

#include "integration/bdf_system.hpp"

namespace cardan {

/// IDA with its vectors and matrix, and the system that it solves.
struct BdfIntegrator::Ida {
  BdfSystem system;
  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector y = nullptr, rate = nullptr, kind = nullptr, tolerance = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  State last;                                                      // what step() returned last
  long iterations = 0, evaluations = 0, setups = 0, rejected = 0;  // counts of IDA at the end of the last step

  Ida(const Formulation& formulation, Workspace& work, const std::vector<int>& rows, int index, double constraint_scale)
      : system(formulation, work, rows, index, constraint_scale) {
    SUNContext_Create(nullptr, &context);
    const int n = system.size();
    y = N_VNew_Serial(n, context);
    rate = N_VClone(y);
    kind = N_VClone(y);
    tolerance = N_VClone(y);
    matrix = SUNDenseMatrix(n, n, context);
    solver = SUNLinSol_Dense(y, matrix, context);
    memory = IDACreate(context);
  }
  ~Ida() {
    IDAFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    for (N_Vector vector : {y, rate, kind, tolerance}) N_VDestroy(vector);
    SUNContext_Free(&context);
  }

  bool open(const BdfSettings& settings, const State& state) {
    system.set_reference(state);
    system.pack(state, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    system.mark(settings, state, N_VGetArrayPointer(kind), N_VGetArrayPointer(tolerance));
    const bool done = IDAInit(memory, BdfSystem::residual, state.t, y, rate) == 0 &&
                      IDASVtolerances(memory, settings.relative_tolerance, tolerance) == 0 &&
                      IDASetUserData(memory, &system) == 0 && IDASetLinearSolver(memory, solver, matrix) == 0 &&
                      IDASetJacFn(memory, BdfSystem::jacobian) == 0 && IDASetId(memory, kind) == 0 &&
                      IDASetSuppressAlg(memory, SUNTRUE) == 0 && IDASetErrHandlerFn(memory, silent, nullptr) == 0;
    last = state;
    return done;
  }

  bool reopen(const State& state) {
    system.set_reference(state);
    system.pack(state, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    iterations = evaluations = setups = rejected = 0;
    return IDAReInit(memory, state.t, y, rate) == 0;
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

  static void silent(int, const char*, const char*, char*, void*) {}
};

BdfSettings BdfSettings::for_options(const RunOptions& options, double length) {
  BdfSettings settings;
  settings.index = options.index;
  settings.relative_tolerance = options.relative_tolerance;
  settings.absolute_tolerance = options.absolute_tolerance;
  settings.length = length;
  return settings;
}

BdfIntegrator::BdfIntegrator(const Formulation& formulation, Workspace& work, const BdfSettings& settings)
    : formulation_(formulation),
      work_(work),
      settings_(settings),
      start_solver_(make_linear_solver("automatic", formulation.structure().pattern)) {}

BdfIntegrator::~BdfIntegrator() = default;

StepStatus BdfIntegrator::start(State& state) {
  const Structure& structure = formulation_.structure();
  state.acceleration = VecX::Zero(structure.coordinates);
  state.lambda = VecX::Zero(structure.constraints);
  Index1Acceleration acceleration(formulation_, work_, *start_solver_);
  const StepStatus status = start_accelerations(acceleration, structure, work_, state);
  state.algorithmic = state.acceleration;
  if (status != StepStatus::Ok) return status;
  if (ida_) return ida_->reopen(state) ? StepStatus::Ok : StepStatus::Singular;
  std::vector<int> rows;
  for (int k = 0; k < structure.constraints; ++k) {
    if (!std::binary_search(analysis_.redundant.begin(), analysis_.redundant.end(), k)) rows.push_back(k);
  }
  constexpr double kTypicalStep = 1e-3;  // s, for the scale of the constraints in index 3
  ida_ = std::make_unique<Ida>(formulation_, work_, rows, settings_.index, 1 / (kTypicalStep * kTypicalStep));
  return ida_->open(settings_, state) ? StepStatus::Ok : StepStatus::Singular;
}

StepStatus BdfIntegrator::step(State& state, double h) {
  report_ = StepReport{};
  if (state.t != ida_->last.t || state.q != ida_->last.q || state.v != ida_->last.v) {
    if (!ida_->reopen(state)) return StepStatus::Singular;
  }
  ida_->last = state;
  ida_->system.set_reference(ida_->last);
  IDASetStopTime(ida_->memory, state.t + h);
  double t = state.t;
  const int flag = IDASolve(ida_->memory, state.t + h, &t, ida_->y, ida_->rate, IDA_ONE_STEP);
  ida_->count(report_);
  if (flag < 0) return flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL ? StepStatus::NotConverged : StepStatus::Singular;
  report_.taken = t - state.t;
  state.t = t;
  ida_->system.unpack(N_VGetArrayPointer(ida_->y), N_VGetArrayPointer(ida_->rate), state);
  formulation_.position(t, state.q, ida_->last, work_);
  formulation_.velocity(state.v, work_);
  formulation_.gamma(work_);
  measure_violation(formulation_.structure(), work_.equations, state.v, state.acceleration, settings_.length);
  const StepStatus status = formulation_.accept(ida_->last, state, work_);
  ida_->last = state;
  return state.q.allFinite() ? status : StepStatus::NonFinite;
}

void BdfIntegrator::interpolate(double t, State& state) const {
  IDAGetDky(ida_->memory, t, 0, ida_->y);
  IDAGetDky(ida_->memory, t, 1, ida_->rate);
  state.t = t;
  ida_->system.unpack(N_VGetArrayPointer(ida_->y), N_VGetArrayPointer(ida_->rate), state);
}

}  // namespace cardan
