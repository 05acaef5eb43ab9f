#include "studies/excavator/digging_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "cardan/io.hpp"
#include "io/input_file.hpp"
#include "studies/model_file.hpp"

namespace cardan {
namespace {

const std::vector<std::string> kCylinders{"lift", "draw", "curl"}, kMotors{"swing_drive"},
    kValves{"boom_valve", "stick_valve", "bucket_valve", "swing_valve"};

/// Looks at samples, one after each step, and adds up powers by the trapezoidal rule.
class Bookkeeper {
 public:
  Bookkeeper(const std::vector<std::string>& columns, DiggingRun& run) : run_(run), row_(columns.size()) {
    for (std::size_t i = 0; i < columns.size(); ++i) column_[columns[i]] = i;
  }
  double* row() { return row_.data(); }

  void book(double t, double energy) {
    DiggingEnergy power;  // W
    power.pump = at("pump.power");
    power.digging = at("digging");
    power.relief = at("pump.lost");
    double stored = at("pump.stored");
    for (const std::string& valve : kValves) power.valves += at(valve + ".lost") + at(valve + ".returned");
    const auto see = [&](const std::string& element) {
      power.cylinders += at(element + ".lost");
      stored += at(element + ".stored");
      for (const char* chamber : {".pa", ".pb"}) see_pressure(at(element + chamber));
    };
    for (const std::string& cylinder : kCylinders) see(cylinder), power.fluid -= at(cylinder + ".carried");
    for (const std::string& motor : kMotors) see(motor);
    run_.swing_work += first_ ? 0 : 0.5 * (t - t_) * (swing_ + at("swing_drive.power"));
    swing_ = at("swing_drive.power");
    see_pressure(at("pump.p"));
    run_.largest_power = std::max(run_.largest_power, power.pump);
    run_.deepest = std::max(run_.deepest, -at("tip_at.z"));
    if (first_) {
      energy_ = energy, stored_ = stored;
    } else {
      const auto add = [&](double DiggingEnergy::*part) {
        run_.energy.*part += 0.5 * (t - t_) * (power_.*part + power.*part);
      };
      for (const auto part : {&DiggingEnergy::pump, &DiggingEnergy::digging, &DiggingEnergy::relief,
                              &DiggingEnergy::valves, &DiggingEnergy::cylinders})
        add(part);
      carried_ += 0.5 * (t - t_) * (power_.fluid + power.fluid);
      run_.energy.machine = energy - energy_;
      run_.energy.fluid = stored - stored_ + carried_;
    }
    t_ = t, power_ = power, first_ = false;
    if (t >= static_cast<double>(run_.tip.size()) * kDiggingSampling - 1e-9)
      run_.tip.emplace_back(at("tip_at.x"), at("tip_at.y"), at("tip_at.z"));
  }

 private:
  double at(const std::string& name) const { return row_[column_.at(name)]; }
  void see_pressure(double p) {
    run_.largest_pressure = std::max(run_.largest_pressure, p);
    run_.smallest_pressure = std::min(run_.smallest_pressure, p);
  }

  DiggingRun& run_;
  std::vector<double> row_;
  std::map<std::string, std::size_t> column_;
  DiggingEnergy power_;
  double t_ = 0, energy_ = 0, stored_ = 0, carried_ = 0, swing_ = 0;
  bool first_ = true;
};

}  // namespace

Mechanism digging_machine() {
  Mechanism machine = read_mechanism(model_file("excavator.yaml").string());
  std::vector<std::string> files;
  read_inputs_from_files(machine, {model_file("inputs/excavator_dig.csv").string()}, false, files);
  return machine;
}

DiggingRun dig(const Mechanism& machine, const std::string& formulation, double step, const std::string& integrator) {
  RunOptions options = RunOptions::for_mechanism(machine);
  options.formulation = formulation;
  options.integrator = integrator;
  options.step = step;
  options.until = kDiggingTime;
  DiggingRun run;
  Simulation simulation(machine, options);
  Bookkeeper book(simulation.columns(), run);
  const auto look = [&] {
    simulation.sample(book.row());
    book.book(simulation.time(), simulation.energy());
  };
  look();
  StepStatus status = StepStatus::ok;
  for (double rest; status == StepStatus::ok && (rest = kDiggingTime - simulation.time()) > 1e-9 * step;) {
    status = simulation.step(std::min(step, rest));
    if (status == StepStatus::ok) look();
  }
  run.last.assign(book.row(), book.row() + simulation.columns().size());
  run.summary = simulation.summary();
  return run;
}

double path_difference(const DiggingRun& one, const DiggingRun& two) {
  if (one.tip.size() != two.tip.size()) throw std::invalid_argument("the two runs did not reach the same time");
  double most = 0;
  for (std::size_t i = 0; i < one.tip.size(); ++i) most = std::max(most, (one.tip[i] - two.tip[i]).norm());
  return most;
}

}  // namespace cardan
