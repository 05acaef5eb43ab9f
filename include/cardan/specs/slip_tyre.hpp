// A tyre that rolls, drives, brakes and steers. Its equations are in src/math/tyre/ and docs/theory/tyres.md, its
// fields in src/elements/slip_tyre.cpp.
#pragma once

#include "cardan/element.hpp"

namespace cardan {

struct LinearTyreSpec {
  Number longitudinal;    // N, force over slip
  Number cornering;       // N/rad
  Number friction = 1.0;  // mu
  Number trail = 0.0;     // m
};

/// The formulas stand at CalspanTyre; `ratio`: what longitudinal slip counts against a slip angle.
struct CalspanSlipSpec {
  CalspanTyre formulas;
  Number ratio = 1.0;
};

struct GroundPlaneSpec {
  std::optional<Place> at;          // default: the origin
  std::optional<Direction> normal;  // default: z
};

struct SlipTyreSpec {
  Name name;
  Name body;
  Name road;                                                // this
  std::optional<Located<GroundPlaneSpec>> plane;            // or this
  std::optional<Place> at;                                  // the wheel's centre; default: the body's
  std::optional<Direction> axis;                            // default: y
  std::optional<Number> radius, width, stiffness, damping;  // required without a tyre file
  std::optional<Number> shoulder;                           // m
  std::optional<Located<LinearTyreSpec>> linear;            // one of these three
  std::optional<Located<CalspanSlipSpec>> calspan;
  std::optional<TextFile> magic_formula;
  std::optional<Number> relaxation_x, relaxation_y;  // m
  Number tread_damping = 0.01;                       // s
  Number rolling_resistance = 0.0;
  Number low_speed = 0.1;  // m/s

  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
