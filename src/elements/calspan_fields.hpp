// The coefficients of the Calspan formulas, which stand at CalspanTyre, as fields of the elements that take them.
#pragma once

#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {

inline void calspan_coefficients(FieldVisitor& visit, CalspanTyre& p, Bound of_skid) {
  const auto number = [&](const char* name, const char* unit, const char* absent, double& value,
                          Bound bound = Bound::any) {
    visit.number(Field(name, "", unit, absent).bounded(bound), value);
  };
  number("a0", "N", "0", p.a0);
  number("a1", "1", "0", p.a1);
  number("a2", "N", "1", p.a2, Bound::positive);
  number("a3", "1", "0", p.a3);
  number("a4", "N", "1", p.a4, Bound::positive);
  number("b1", "1/N", "0", p.b1);
  number("b3", "1", "1", p.b3);
  number("b4", "1/N^2", "0", p.b4);
  number("skid", "1", "1", p.skid, of_skid);
  number("m1", "m/N", "0", p.m1);
  number("m2", "m/N", "0", p.m2);
}

}  // namespace cardan
