// Reads the fields of an element from a model file, each as its sort asks; docs/model-file.md is the reference.
#pragma once

#include "cardan/fields.hpp"
#include "io/yaml_fields.hpp"

namespace cardan {

/// The names of an element's fields, in their order.
class FieldNames final : public FieldVisitor {
 public:
  using FieldVisitor::FieldVisitor;
  std::vector<std::string_view> names;

 protected:
  void field(const Field& f) override { names.emplace_back(f.name); }
};

/// What is absent stays as it is; what is required and absent, or of the wrong type, is reported.
class FieldReader final : public FieldVisitor {
 public:
  explicit FieldReader(Fields& fields) : FieldVisitor(fields.reading().planar), fields_(fields) {}

  void body(const Field& f, Name& name) override;
  void two_bodies(const Field& f, Name& body1, Name& body2, Ends ends) override;
  void road(const Field& f, Name& name) override;
  void joint(const Field& f, Name& name, const Field& coordinate, std::optional<Located<int>>& index,
             CoordinateSort sort) override;
  void place(const Field& f, std::optional<Place>& place) override;
  void two_places(const Field& f, std::optional<Place>& place1, std::optional<Place>& place2, Ends ends) override;
  void direction(const Field& f, std::optional<Direction>& direction, Parity parity, const char* fallback) override;
  void axes(const Field& f, std::optional<AxesSpec>& axes, AxesImage& image,
            const std::vector<LentAxes>& lent) override;
  void number(const Field& f, std::optional<Number>& number) override;
  void along_axes(const Field& f, std::optional<Located<Vec3>>& numbers, bool rotational) override;
  void levels(const Field& f, std::optional<Number>& forward, std::optional<Number>& backward) override;
  void function(const Field& f, const char* variable, std::optional<Located<Function>>& function) override;
  void components(const Field& f, std::array<Located<Function>, 3>& components, const VectorSort& sort) override;
  void choice(const Field& f, const std::vector<std::string>& words, int& chosen) override;
  void flag(const Field& f, bool& flag) override;
  void group(const Field& f, bool& given, SourceLocation& where,
             const std::function<void(FieldVisitor&)>& inside) override;

 private:
  /// The field's value, or null, reported when it is required.
  const YamlNode* find(const Field& f);

  Fields& fields_;
};

}  // namespace cardan
