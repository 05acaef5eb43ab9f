// `cardan study NAME | --list`: the published experiments.
#include "studies/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "commands.hpp"
#include "interruption.hpp"
#include "io/report.hpp"
#include "io/result_folder.hpp"
#include "io/text_table.hpp"
#include "io/viewer_page.hpp"
#include "options/unknown_name.hpp"
#include "output.hpp"
#include "progress_line.hpp"

namespace cardan {
int run_study(const StudyRequest& request) {
  if (request.list) {
    TextTable table({{"study", TextTable::Align::left}, {"what it shows", TextTable::Align::left}});
    for (const Study& study : studies()) table.add({std::string(study.name), std::string(study.summary)});
    print(table.text());
    return exit_done;
  }
  if (request.name.empty()) throw std::invalid_argument("which study? `cardan study --list` names them");
  const Study& study = find_by_name("study", request.name, studies());

  ProgressLine line([&](double fraction, double seconds) {
    return fmt::format("{}: {:.0f} % {}", study.name, 100 * fraction, time_left(fraction, seconds));
  });
  ReportData report;
  report.title = study.name;
  report.text = fmt::format("{}\n\nPublished: {}.", study.about, study.published);
  report.command = request.command_line;
  StudyContext context(report);
  const ResultFolder folder(output_folder(request.out, request.name));
  context.out = folder.path();
  const auto stop_if_asked = [&request] {
    if (request.stop && *request.stop) throw Interrupted();
  };
  context.print = [&](std::string_view text) {
    line.wipe();
    print(text);
    stop_if_asked();
  };
  context.progress = [&](double fraction) {
    line.update(fraction);
    stop_if_asked();
  };
  context.threads = std::max(1U, std::thread::hardware_concurrency());
  bool interrupted = false;
  try {
    study.run(context);
  } catch (const Interrupted&) {
    interrupted = true;
    report.text += "\n\nThis study was interrupted: what had been found is shown.";
  } catch (const std::system_error& error) {
    throw std::runtime_error(error.what());  // a table that cannot be written: it is not the input that is bad
  }
  line.wipe();
  std::string written = (context.out / "*.csv").string();
  if (viewer_page().empty()) {
    print(fmt::format("no report: it needs the viewer, which is not in this program: {}\n", viewer_page_missing()));
  } else {
    const std::filesystem::path page = context.out / fmt::format("{}.html", study.name);
    write_report(page, report);
    written += fmt::format(", {}", page.string());
  }
  print(fmt::format("written: {}\n", written));
  if (!interrupted) return exit_done;
  complain("interrupted: the tables hold what had been found");
  return exit_interrupted;
}

}  // namespace cardan
