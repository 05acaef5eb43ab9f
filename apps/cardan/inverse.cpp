// `cardan inverse MODEL`: the efforts that the paths of the drivers take.
#include <fmt/format.h>

#include "cardan/analysis.hpp"
#include "cardan/csv_sink.hpp"
#include "cardan/io.hpp"
#include "cardan/scene.hpp"
#include "commands.hpp"
#include "io/result_folder.hpp"
#include "io/text_table.hpp"
#include "output.hpp"

namespace cardan {

int run_inverse_dynamics(const InverseRequest& request) {
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters));
  const RunOptions defaults = RunOptions::for_mechanism(mechanism);
  const InverseOptions options{request.step.value_or(defaults.step), request.until.value_or(defaults.until)};
  options.check();
  const std::string fallback = std::filesystem::path(request.model).stem().string();
  const std::filesystem::path folder =
      output_folder(request.out, (mechanism.name.empty() ? fallback : mechanism.name) + "-inverse");

  CsvSink trajectory(folder / "trajectory.csv");
  const InverseDynamics result = inverse_dynamics(mechanism, options, &trajectory);
  trajectory.finish();
  std::string csv = result.csv();
  csv.pop_back();  // write_file() ends the last line
  write_file(folder / "inverse.csv", csv);
  write_file(folder / "scene.json", scene_json(mechanism));

  std::string text =
      fmt::format("{}: {} along {}, {} of freedom\n\n", mechanism.name, counted(result.time.size(), "sample"),
                  counted(result.names.size(), "path"), counted(result.degrees_of_freedom, "degree"));
  TextTable table(
      {{"driver", TextTable::Align::left}, {"from"}, {"to"}, {"largest speed"}, {"largest effort"}, {"at, s"}});
  for (std::size_t d = 0; d < result.names.size(); ++d) {
    const auto column = static_cast<Eigen::Index>(d);
    Eigen::Index row = 0;
    const double most = result.effort.col(column).cwiseAbs().maxCoeff(&row);
    table.add({result.names[d], fmt::format("{:.5g}", result.position(0, column)),
               fmt::format("{:.5g}", result.position(result.position.rows() - 1, column)),
               fmt::format("{:.5g}", result.velocity.col(column).cwiseAbs().maxCoeff()), fmt::format("{:.6g}", most),
               fmt::format("{:.5g}", result.time[row])});
  }
  text += table.text(2);
  text += fmt::format("\nwritten: {} and trajectory.csv\n", (folder / "inverse.csv").string());
  for (const std::string& note : result.notes) text += fmt::format("note: {}\n", note);
  print(text);
  if (!trajectory.error().empty()) {
    fmt::print(stderr, "cardan: {} is incomplete: {}\n", folder.string(), trajectory.error());
    return kSimulationFailed;
  }
  return kDone;
}

}  // namespace cardan
