// Checks what every load's fields say of themselves: required ones are there, names are known, numbers keep their
// bounds, functions of time have a value at the start. What spans several fields is checked where a load is lowered.
#pragma once

#include <string>

#include "cardan/load.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

class FieldChecks final : public FieldVisitor {
 public:
  FieldChecks(Resolver& resolver, const Load& load, bool planar);
  /// Nothing is wrong with the fields, nor with what they name.
  bool sound() const;

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
  void group(const Field& f, bool& given, SourceLocation& where,
             const std::function<void(FieldVisitor&)>& inside) override;

 private:
  /// False after reporting that what must be given is not.
  bool is_given(const Field& f, bool given);
  void error(const SourceLocation& where, const std::string& message, const std::string& remedy);
  void need(bool sound) { sound_ = sound_ && sound; }

  Resolver& resolver_;
  Name name_;
  std::string element_, called_;
  std::size_t errors_before_;
  bool sound_ = true;
};

}  // namespace cardan
