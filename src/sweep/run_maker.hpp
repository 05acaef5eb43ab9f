// Makes runs of a plan by their number. One for each worker: it keeps the parsed model and its buffers.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardan/simulation.hpp"
#include "io/model_template.hpp"
#include "math/expression.hpp"
#include "sweep/measures.hpp"
#include "sweep/plan.hpp"

namespace cardan {

enum class RowStatus { ok, stopped, failed };

/// What a run comes to.
struct RunRow {
  RowStatus status = RowStatus::ok;
  std::string reason;             // why it failed or where it was stopped; one line
  std::vector<double> measures;   // empty of one that failed
  std::vector<bool> constraints;  // which hold; empty of one that failed
  double stepping_seconds = 0;    // CPU time of its steps
  bool interrupted = false;       // it does not count
};

/// An expression of measures, of numbers that vary and of the model's other parameters.
class RowExpression {
 public:
  RowExpression(const SweepPlan& plan, const std::string& text);
  double evaluate(const std::vector<double>& measures, const RunPoint& point);

 private:
  const SweepPlan& plan_;
  Expression expression_;
  std::vector<double> values_;
};

class RunMaker {
 public:
  /// Throws ModelError where an expression of the plan has no meaning in the model.
  explicit RunMaker(const SweepPlan& plan);

  /// Never throws because of the model: what cannot be assembled has failed. `folder`: a trajectory is written there.
  /// Throws std::system_error when it cannot be.
  RunRow make(std::uint64_t run, const std::atomic<bool>* stop = nullptr, const std::filesystem::path& folder = {});
  /// Those from `first` to before `end` together, in lanes; `stop` as above. What cannot go on there is made by itself.
  std::vector<RunRow> make_together(std::uint64_t first, std::uint64_t end, const std::atomic<bool>* stop = nullptr);
  /// Why they cannot be, in a sentence; empty when they can.
  std::string not_in_lanes();
  /// "1,0.25,hybrid": what varies, as the table has it.
  std::string point_text(std::uint64_t run);
  /// The same, cell by cell.
  std::vector<std::string> point_cells(std::uint64_t run);

 private:
  Mechanism mechanism(const std::map<std::string, double>& parameters, bool bare);
  void add_measures(Reading& reading, MechanismSpec& spec, bool bare);
  void set_inputs(Mechanism& mechanism) const;
  SimulationDefaults options() const;
  std::map<std::string, double> parameters() const;
  RunRow simulate(const std::atomic<bool>* stop, const std::filesystem::path& folder);
  bool step_together(class Ensemble& ensemble, const RunOptions& options, const std::atomic<bool>* stop,
                     std::vector<RunRow>& rows) const;
  void judge_constraints(RunRow& row);

  /// What was made last, which runs that differ in inputs or methods alone share.
  struct Made {
    std::map<std::string, double> parameters;
    bool bare;
    Mechanism mechanism;
  };

  const SweepPlan& plan_;
  RunPoints points_;
  RunPoint point_;
  ModelTemplate model_;
  bool may_share_;  // something else than parameters varies
  std::optional<Made> made_;
  std::vector<std::string> signals_;             // of the expressions of the measures, each once
  std::vector<YamlPointer> expressions_;         // likewise
  std::vector<std::optional<Varying>> read_;     // likewise, once they are, where no parameter has a part
  std::vector<bool> mentions_;                   // likewise: a parameter has
  std::vector<std::size_t> signal_of_;           // measure: which of these
  std::vector<std::vector<InputTrack>> tracks_;  // axis: of its files
  std::vector<RowExpression> constraints_;
};

/// The header of the table and one line of it, without line ends.
std::string table_header(const SweepPlan& plan);
std::string table_line(const SweepPlan& plan, std::uint64_t run, const std::string& point, const RunRow& row);

const char* row_status_name(RowStatus status);

}  // namespace cardan
