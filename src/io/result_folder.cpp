#include "io/result_folder.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "cardan/csv_sink.hpp"
#include "cardan/scene.hpp"

namespace cardan {

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text << '\n' << std::flush;
  if (!out) throw std::system_error(errno, std::generic_category(), "cannot write " + file.string());
}

WrittenRun run_into_folder(const Mechanism& mechanism, const RunOptions& options, const std::filesystem::path& folder,
                           const Progress& progress) {
  write_file(folder / "scene.json", scene_json(mechanism));  // first, for whoever looks on while it runs
  CsvSink sink(folder / "trajectory.csv");
  CsvSink steps(folder / "steps.csv");
  WrittenRun result;
  result.summary = run(mechanism, options, &sink, progress, &steps);
  write_file(folder / "summary.json", result.summary.json());
  result.error = sink.error();
  return result;
}

}  // namespace cardan
