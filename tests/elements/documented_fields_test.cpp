// The table of every load in docs/model-file.md has its fields as the load states them: name, meaning, unit, default.
#include <gtest/gtest.h>

#include <algorithm>

#include "cardan/load.hpp"
#include "io/documented_models.hpp"

namespace cardan {
namespace {

// Of the library alone, before any test registers more.
const std::vector<Load> kLoads = known_loads();

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += (cell.empty() ? "" : " " + cell) + " |";
  return text + "\n";
}

class Rows final : public FieldVisitor {
 public:
  using FieldVisitor::FieldVisitor;
  std::vector<std::string> rows;

 protected:
  void field(const Field& f) override {
    rows.push_back(row({"`" + std::string(f.name) + "`", f.meaning, f.unit, f.required ? "required" : f.absent}));
  }
};

/// Those in space, and those in the plane before the next one that both have.
std::string table_of(Load load) {
  Rows space(false), plane(true);
  load.fields(space);
  load.fields(plane);
  auto at = space.rows.end();
  for (auto own = plane.rows.rbegin(); own != plane.rows.rend(); ++own) {
    const auto found = std::find(space.rows.begin(), space.rows.end(), *own);
    at = found == space.rows.end() ? space.rows.insert(at, *own) : found;
  }
  std::string table;
  for (const std::string& line : space.rows) table += line;
  return table;
}

TEST(DocumentedFields, AreThoseOfEveryLoad) {
  const std::string page = text_of(CARDAN_SOURCE_DIR "/docs/model-file.md");
  EXPECT_GE(kLoads.size(), 10u);
  for (const Load& load : kLoads) {
    const std::string table = table_of(load);
    EXPECT_NE(page.find("| --- | --- | --- | --- |\n" + table + "\n"), std::string::npos)
        << "docs/model-file.md should have the table\n"
        << row({"field", "meaning", "unit", "default"}) << row({"---", "---", "---", "---"}) << table;
  }
}

TEST(DocumentedFields, SayWhatTheyMeanAndWhatHoldsWithoutThem) {
  class Texts final : public FieldVisitor {
   public:
    using FieldVisitor::FieldVisitor;
    int count = 0;

   protected:
    void field(const Field& f) override {
      EXPECT_NE(f.meaning, std::string()) << f.name;
      EXPECT_TRUE(f.required == nullptr || *f.absent == '\0') << f.name;
      ++count;
    }
  };
  for (const bool planar : {false, true}) {
    Texts texts(planar);
    for (Load load : kLoads) load.fields(texts);
    EXPECT_GT(texts.count, 50);
  }
}

}  // namespace
}  // namespace cardan
