// A volume of gas between two points. Its equation and fields are in src/elements/air_spring.cpp.
#pragma once

#include "cardan/element.hpp"

namespace cardan {

struct AirSpringSpec {
  Name name;
  Name body1, body2;
  std::optional<Place> at1, at2;
  Number area, volume, pressure;      // m^2, m^3, Pa (absolute)
  Number atmosphere = 101325.0;       // Pa
  Number exponent = 1.4;              // polytropic: 1 isothermal, 1.4 adiabatic air
  std::optional<Number> free_length;  // where the gas has that volume and pressure; default: as drawn

  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
