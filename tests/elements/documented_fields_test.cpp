// The table of every load, coupler and driver in docs/model-file.md has its fields as the element states them: name,
// meaning, unit, default.
#include <gtest/gtest.h>

#include <algorithm>

#include "cardan/element.hpp"
#include "io/documented_models.hpp"

namespace cardan {
namespace {

// Of the library alone, before any test registers more.
const std::vector<Element> kElements = known_elements();

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
    rows.push_back(row({"`" + std::string(f.name) + "`", f.meaning, f.unit, f.to_add ? "required" : f.absent}));
  }
};

/// Those in space, and those in the plane before the next one that both have.
std::string table_of(Element element) {
  Rows space(false), plane(true);
  element.fields(space);
  element.fields(plane);
  auto at = space.rows.end();
  for (auto own = plane.rows.rbegin(); own != plane.rows.rend(); ++own) {
    const auto found = std::find(space.rows.begin(), space.rows.end(), *own);
    at = found == space.rows.end() ? space.rows.insert(at, *own) : found;
  }
  std::string table;
  for (const std::string& line : space.rows) table += line;
  return table;
}

TEST(DocumentedFields, AreThoseOfEveryElement) {
  const std::string page = text_of(CARDAN_SOURCE_DIR "/docs/model-file.md");
  EXPECT_GE(kElements.size(), 14u);
  for (const Element& element : kElements) {
    const std::string table = table_of(element);
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
      EXPECT_TRUE(f.to_add == nullptr || *f.absent == '\0') << f.name;
      ++count;
    }
  };
  for (const bool planar : {false, true}) {
    Texts texts(planar);
    for (Element element : kElements) element.fields(texts);
    EXPECT_GT(texts.count, 50);
  }
}

}  // namespace
}  // namespace cardan
