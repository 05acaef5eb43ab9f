// Runs a fuzz target without a fuzzer: every file of the folders given, and changed copies of each, always the same
// ones.
//   fuzz_NAME FOLDER... --changes N
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void try_out(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

/// A byte replaced, a stretch removed or a stretch written twice.
std::string changed(std::string text, std::mt19937& random) {
  if (text.empty()) return text;
  const std::size_t at = random() % text.size();
  const std::size_t count = std::min<std::size_t>(1 + random() % 12, text.size() - at);
  switch (random() % 3) {
    case 0:
      text[at] = static_cast<char>(random() % 256);
      break;
    case 1:
      text.erase(at, count);
      break;
    default:
      text.insert(random() % text.size(), text.substr(at, count));
  }
  return text;
}

}  // namespace

int main(int count, char** words) {
  int changes = 0, inputs = 0;
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    if (std::string(words[i]) == "--changes" && i + 1 < count) {
      changes = std::stoi(words[++i]);
      continue;
    }
    for (fs::path& file : files_in(words[i])) files.push_back(std::move(file));
  }
  std::mt19937 random(1);
  for (const fs::path& file : files) {
    const std::string text = text_of(file);
    try_out(text);
    std::string other = text;
    for (int i = 0; i < changes; ++i) try_out(other = changed(i % 8 ? std::move(other) : text, random));
    inputs += 1 + changes;
  }
  std::printf("%d inputs from %zu files\n", inputs, files.size());
  return files.empty() ? 1 : 0;
}
