// The models that pages of docs/ show.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace cardan {

struct DocumentedModel {
  std::string page;
  std::string text;  // behind as many blank lines as put it on its line of the page, so that a message points there
};

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The complete models of a page: every ```yaml block that starts with `cardan: 1`. Blocks of ```yaml broken show
/// mistakes; those of ```yaml apart go with files of their own or with each other, and have tests of their own.
inline std::vector<DocumentedModel> models_of(const std::filesystem::path& page) {
  std::ifstream stream(page);
  std::vector<DocumentedModel> models;
  std::string line, block;
  bool inside = false;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (!inside && line == "```yaml") {
      inside = true;
      block.assign(number, '\n');
    } else if (inside && line == "```") {
      inside = false;
      if (block.find_first_not_of('\n') == block.find("cardan: 1\n")) models.push_back({page.string(), block});
    } else if (inside) {
      block += line + '\n';
    }
  }
  return models;
}

/// Of every page.
inline std::vector<DocumentedModel> all_documented_models() {
  std::vector<DocumentedModel> models;
  const std::filesystem::path docs = CARDAN_SOURCE_DIR "/docs";
  for (auto entry = std::filesystem::recursive_directory_iterator(docs); entry != std::filesystem::end(entry);
       ++entry) {
    if (entry->path() == docs / "site") entry.disable_recursion_pending();
    if (entry->path().extension() != ".md") continue;
    for (DocumentedModel& model : models_of(entry->path())) models.push_back(std::move(model));
  }
  return models;
}

}  // namespace cardan
