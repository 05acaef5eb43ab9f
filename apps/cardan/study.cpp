// `cardan study NAME | --list`: the published experiments.
#include "studies/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "commands.hpp"
#include "io/text_table.hpp"
#include "mechanism/nearest_name.hpp"
#include "output.hpp"
#include "progress_line.hpp"

namespace cardan {
namespace {

const Study& find_study(const std::string& name) {
  std::vector<std::string> known;
  for (const Study& study : studies()) {
    if (study.name == name) return study;
    known.emplace_back(study.name);
  }
  const std::string nearest = nearest_name(name, known);
  throw std::invalid_argument(fmt::format("no study is called '{}'{} The studies are: {}", name,
                                          nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest),
                                          fmt::join(known, ", ")));
}

}  // namespace

int run_study(const StudyRequest& request) {
  if (request.list) {
    TextTable table({{"study", TextTable::Align::left}, {"what it shows", TextTable::Align::left}});
    for (const Study& study : studies()) table.add({std::string(study.name), std::string(study.summary)});
    print(table.text());
    return kDone;
  }
  if (request.name.empty()) throw std::invalid_argument("which study? `cardan study --list` names them");
  const Study& study = find_study(request.name);

  ProgressLine line([&](double fraction, double seconds) {
    return fmt::format("{}: {:.0f} % {}", study.name, 100 * fraction, time_left(fraction, seconds));
  });
  StudyContext context;
  context.out = output_folder(request.out, request.name);
  context.print = [](std::string_view text) { print(text); };
  context.progress = [&line](double fraction) { line.update(fraction); };
  context.threads = std::max(1U, std::thread::hardware_concurrency());
  study.run(context);
  return kDone;
}

}  // namespace cardan
