// `cardan sweep PLAN`: many runs of a model, on all processors, under mpirun, or as one of the parts of a job array.
#include "sweep/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "cardan/ensemble.hpp"
#include "command_options.hpp"
#include "commands.hpp"
#include "hdf5/h5_sink.hpp"
#include "io/result_folder.hpp"
#include "io/text_table.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "sweep/launch.hpp"
#include "sweep/run_maker.hpp"
#include "sweep/sweep_report.hpp"

namespace cardan {
namespace {

constexpr double kManyRuns = 1e7;     // which nobody plans without meaning to
constexpr double kMostRuns = 4.5e15;  // numbers of runs are exact below

/// "2/8"
SweepPart parse_part(const std::string& text) {
  SweepPart part;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, part.number);
  const bool slash = first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, part.of) : first;
  if (!slash || second.ptr != end || part.number < 1 || part.of < part.number)
    throw std::invalid_argument(fmt::format("--part: '{}' is not I/N with I from 1 to N, like 2/8", text));
  --part.number;
  return part;
}

bool answered_yes() {
  char answer[16] = "";
  return std::fgets(answer, sizeof answer, stdin) != nullptr && (answer[0] == 'y' || answer[0] == 'Y');
}

/// A slip in a plan can ask for more than a lifetime of runs.
void refuse_too_many(const SweepPlan& plan, const SweepRequest& request) {
  const double count = plan.counted_runs();
  const std::string many = fmt::format("the plan has {:.3g} runs", count);
  if (count > kMostRuns) throw std::invalid_argument(many + ", which is more than can be numbered; vary less");
  if (count <= kManyRuns || request.yes) return;
  if (isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0) {
    say(fmt::format("{} and its table some {:.3g} GB. Begin? [y/N]", many, count * 100e-9));
    if (answered_yes()) return;
    throw std::invalid_argument("nothing was begun");
  }
  throw std::invalid_argument(many + "; vary less, or give --yes if you mean it");
}

std::string numbers_text(const SweepPlan& plan, const SweepResult& result) {
  TextTable table(
      {{"measure", TextTable::Align::left}, {"lowest"}, {"of run"}, {"mean"}, {"deviation"}, {"highest"}, {"of run"}});
  for (std::size_t i = 0; i < plan.measures.size(); ++i) {
    const MeasureStatistics& of = result.measures[i];
    if (of.count == 0) {
      table.add({plan.measures[i].name, "-", "", "", "", "", ""});
      continue;
    }
    const auto brief = [](double value) { return fmt::format("{:.5g}", value); };
    table.add({plan.measures[i].name, brief(of.lowest), std::to_string(of.lowest_run), brief(of.mean),
               brief(of.deviation()), brief(of.highest), std::to_string(of.highest_run)});
  }
  return plan.measures.empty() ? "" : table.text(2);
}

std::string readable(const SweepPlan& plan, const SweepFolder& folder, const SweepResult& result) {
  std::string text = fmt::format("{}: {} of {} runs done: {} ok, {} stopped, {} failed", plan.name, result.done(),
                                 result.planned, result.ok, result.stopped, result.failed);
  if (!plan.constraints.empty()) text += fmt::format("; {} feasible", result.feasible);
  text += "\n" + numbers_text(plan, result);
  for (const auto& [reason, count] : result.reasons)
    text += wrapped("", fmt::format("{} failed: {}", count, reason), kScreenWidth, 2);
  for (const auto& [value, run] : result.worst)
    text += fmt::format("  worst: run {} ({:.5g}), cardan view {}\n", run, value, folder.run_folder(run - 1).string());
  if (result.twice > 0)
    text += fmt::format("  {} lines of the journals stand there twice and count once\n", result.twice);
  return text + fmt::format("  written: {}, times.csv and summary.json\n", (folder / "sweep.csv").string());
}

/// sweep.h5: a dataset for each column of the table that is a number; words are numbered, and their attribute `units`
/// says what the numbers stand for.
void write_h5(const SweepPlan& plan, const SweepFolder& folder) {
  std::vector<std::string> columns{"run"};
  H5Sink::Description description{plan.model, {}};
  for (const SweepAxis& axis : plan.axes) {
    columns.push_back(axis.name);
    std::string& words = description.units[axis.name];
    for (std::size_t i = 0; i < axis.words.size(); ++i)
      words += fmt::format("{}{}: {}", i == 0 ? "" : ", ", i + 1, axis.words[i]);
  }
  columns.push_back("status");
  description.units["status"] = "0: ok, 1: stopped, 2: failed";
  for (const SweepMeasure& measure : plan.measures) columns.push_back(measure.name);
  if (!plan.constraints.empty()) columns.push_back("feasible");
  const std::filesystem::path file = folder / "sweep.h5";
  H5Sink sink(file, description);
  sink.start(columns);
  std::vector<double> numbers;
  for_each_row(plan, folder, [&](const SweepRow& row) {
    numbers.assign(1, static_cast<double>(row.run));
    for (std::size_t i = 0; i < plan.axes.size(); ++i) numbers.push_back(place_on(plan.axes[i], row.point[i]));
    numbers.push_back(row.status == "ok" ? 0 : row.status == "stopped" ? 1 : 2);
    numbers.insert(numbers.end(), row.measures.begin(), row.measures.end());
    if (!plan.constraints.empty()) numbers.push_back(row.feasible ? 1 : 0);
    sink.sample(numbers.data(), numbers.size());
  });
  sink.finish();
  if (!sink.error().empty())
    throw std::system_error(std::make_error_code(std::errc::io_error), file.string() + ": " + sink.error());
}

/// Everything but what is said at the end.
class Command {
 public:
  explicit Command(const SweepRequest& request)
      : request_(request), plan_(read_plan(request.plan)), launch_(find_launch()) {
    refuse_too_many(plan_, request);
    if (!request.part.empty()) work_.part = parse_part(request.part);
    RunMaker check(plan_);  // what is wrong with its expressions is said before anything is written
    not_in_lanes_ = check.not_in_lanes();
    plan_.in_lanes = not_in_lanes_.empty();
    if (!request.report.empty()) prepare_report(request.report, plan_.files);
    folder_.emplace(output_folder(request.out, plan_.name), plan_);
    for (const std::string& other : request.merge) folder_->take_over(other);
    work_.threads = request.threads > 0 ? static_cast<unsigned>(request.threads) : own_processors(launch_);
    work_.stop = request.stop;
  }

  int go() {
    if (!folder_->table_is_written()) {
      tell_what_is_left();
      tell_how();
      work();
    }
    if (!result_) result_ = read_results(plan_, *folder_);
    if (request_.h5 && launch_.is_first()) write_h5(plan_, *folder_);
    if (!request_.report.empty() && launch_.is_first())
      write_sweep_report(request_.report, plan_, *folder_, *result_, request_.command_line);
    return tell();
  }

 private:
  void tell_what_is_left() const {
    const std::uint64_t done = folder_->done(), all = plan_.runs();
    if (done > 0 && launch_.is_first() && !request_.json)
      print(fmt::format("{}: going on, {} of {} runs are done, {} left\n", plan_.name, done, all,
                        all - std::min(all, done)));
  }

  void tell_how() const {
    if (!launch_.is_first() || request_.json) return;
    const std::uint64_t together = folder_->chunks().together;
    if (together > 1)
      print(fmt::format("{}: {} runs at a time in lanes ({})\n", plan_.name, together, Ensemble::instructions()));
    if (!plan_.in_lanes) print(fmt::format("{}: runs one by one, since {}\n", plan_.name, not_in_lanes_));
  }

  void work() {
    std::optional<ProgressLine> line;
    if (launch_.is_first()) {
      line.emplace([all = plan_.runs()](double fraction, double seconds) {
        return fmt::format("{:.0f} of {} runs, {}", fraction * static_cast<double>(all), all,
                           time_left(fraction, seconds));
      });
      work_.progress = [&line](double fraction) { line->update(fraction); };
    }
    do {
      outcome_ = work_on(plan_, *folder_, work_);
      line.reset();
      work_.progress = {};
      const Claims::Counts all = Claims(folder_->claims(), folder_->chunks(), {}).count();
      complete_ = all.begun + all.untouched == 0;
      // Of several that are through at once, one writes the table, and the others find it.
      if (complete_ && folder_->table_is_written()) return;
      result_ = write_results(plan_, *folder_, complete_);
    } while (!result_);
  }

  int tell() const {
    const bool interrupted = request_.stop != nullptr && *request_.stop && result_->done() < result_->planned;
    if (launch_.is_first()) {
      if (request_.json) {
        print(summary_json(plan_, *result_) + "\n");
      } else {
        print(readable(plan_, *folder_, *result_));
        if (request_.h5) print(fmt::format("  the table in HDF5: {}\n", (*folder_ / "sweep.h5").string()));
        if (!request_.report.empty()) print(fmt::format("  report: {}\n", request_.report));
      }
    }
    const std::uint64_t left = result_->planned - result_->done();
    if (interrupted) {
      if (launch_.is_first())
        complain(fmt::format("interrupted: {} left; the same command goes on with them",
                             counted(left, "run is", "runs are")));
      return exit_interrupted;
    }
    if (outcome_.too_many_failures) {
      complain(fmt::format("stopped after {} failures, as the plan asks; {} left", folder_->failures(),
                           counted(left, "run is", "runs are")));
      return exit_failed;
    }
    if (left > 0 && launch_.is_first()) print(fmt::format("  {} runs are left to other parts\n", left));
    return result_->done() > 0 && result_->failed == result_->done() ? exit_failed : exit_done;
  }

  const SweepRequest& request_;
  SweepPlan plan_;
  Launch launch_;
  SweepWork work_;
  std::optional<SweepFolder> folder_;
  SweepOutcome outcome_;
  std::optional<SweepResult> result_;
  bool complete_ = false;
  std::string not_in_lanes_;
};

}  // namespace

int sweep_model(const SweepRequest& request) {
  Command command(request);
  try {
    return command.go();
  } catch (const std::system_error& error) {
    throw std::runtime_error(
        fmt::format("{}; what is done stays, and the same command goes on with the rest", error.what()));
  }
}

void add_sweep(CLI::App& app, SweepRequest& request) {
  CLI::App& command =
      *app.add_subcommand("sweep", "many runs of a model: grids and samples of what varies, in one table");
  command.add_option("PLAN", request.plan, "the plan, a YAML file")->required();
  command.add_option("--out", request.out, "folder for the results (default: out/<plan name>)")->type_name("DIR");
  command.add_option("--threads", request.threads, "workers of this process (default: all processors)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command.add_option("--part", request.part, "the Ith of N parts alone, for job arrays")->type_name("I/N");
  command
      .add_option("--merge", request.merge,
                  "take over what was done in another folder of the same plan; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_flag("--h5", request.h5, "also write the table in HDF5, DIR/sweep.h5");
  command.add_flag("--yes", request.yes, "begin, however many runs there are");
  command
      .add_option("--report", request.report,
                  "also write one self-contained HTML page: scatter, main effects, histograms, worst cases")
      ->type_name("FILE");
  command.add_flag("--json", request.json, "print the summary as JSON");
  command.footer(
      "DIR receives sweep.csv (a row for each run), times.csv, summary.json, and in runs/ the trajectories that the "
      "plan\n"
      "asks for. Ended at any moment, the same command goes on where it was. Several processes may work in one "
      "folder:\n"
      "under mpirun or srun they do. docs/sweep.md has the plan's fields.\n\n"
      "examples:\n"
      "  cardan sweep models/sweeps/forklift_tipping.yaml --report tipping.html\n"
      "  mpirun -n 4 cardan sweep plan.yaml\n"
      "  cardan sweep plan.yaml --part $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT");
}

}  // namespace cardan
