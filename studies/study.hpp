// A study is a published experiment run again: our numbers beside the published ones. One folder each; the registry
// below lists them for the command line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

namespace cardan {

/// What a study is given by the program that runs it.
struct StudyContext {
  std::filesystem::path out;                      // an existing folder for its files
  std::function<void(std::string_view)> print;    // its report
  std::function<void(double fraction)> progress;  // called now and then, from any thread; may be empty
  unsigned threads = 1;                           // for runs that do not depend on each other
};

struct Study {
  std::string_view name;
  std::string_view summary;
  void (*run)(const StudyContext& context);
};

/// All studies, by name.
std::span<const Study> studies();

}  // namespace cardan
