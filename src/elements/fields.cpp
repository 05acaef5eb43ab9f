#include "cardan/fields.hpp"

namespace cardan {

void FieldVisitor::joint(const Field& f, Name& name, std::optional<Located<int>>& coordinate, CoordinateSort sort) {
  const char* absent = sort == CoordinateSort::angle         ? "the only angle"
                       : sort == CoordinateSort::translation ? "the only translation"
                                                             : "the only one";
  joint(f, name, Field("coordinate", "which one, counted from 1", "", absent), coordinate, sort);
}

void FieldVisitor::number(const Field& f, Number& number) {
  std::optional<Number> given = number;
  this->number(f, given);
  if (given) number = *given;
}

void FieldVisitor::number(const Field& f, double& number) {
  Number located = number;
  this->number(f, located);
  number = located.value;
}

void FieldVisitor::function(const Field& f, const char* variable, Located<Function>& function) {
  std::optional<Located<Function>> given = function;
  this->function(f, variable, given);
  if (given) function = *given;
}

void FieldVisitor::choice(const Field& f, const std::string& no, const std::string& yes, bool& chosen) {
  int index = chosen ? 1 : 0;
  choice(f, std::vector{no, yes}, index);
  chosen = index == 1;
}

}  // namespace cardan
