#include "sweep/case_pages.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "io/report.hpp"

namespace cardan {

namespace fs = std::filesystem;

CasePages::CasePages(const SweepPlan& plan, const SweepFolder& folder, const fs::path& report)
    : plan_(plan), folder_(folder), pages_(report.parent_path() / (report.stem().string() + "-cases")) {}

std::string CasePages::address(std::uint64_t run, const std::string& what, RunMaker& maker) {
  if (const auto found = known_.find(run); found != known_.end()) return found->second;
  std::string& address = known_[run];
  const fs::path trajectory = folder_.run_folder(run - 1), name = fmt::format("run-{}.html", run);
  try {
    if (!fs::exists(trajectory / "summary.json")) maker.make(run - 1, nullptr, trajectory);
    ReportData data;
    data.title = fmt::format("{}, run {}", plan_.name, run);
    const std::vector<std::string> cells = maker.point_cells(run - 1);
    for (std::size_t i = 0; i < plan_.axes.size(); ++i)
      data.text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", plan_.axes[i].name, cells[i]);
    data.text += ": " + what;
    data.command = "cardan view " + trajectory.string();
    data.runs.push_back(read_report_run(fmt::format("run {}", run), trajectory));
    fs::create_directories(pages_);
    write_report(pages_ / name, data);
    address = (pages_.filename() / name).generic_string();
  } catch (const std::runtime_error&) {
    // A run that failed before its first sample has nothing to show.
  }
  return address;
}

}  // namespace cardan
