// Hydraulic elements: a pump with its line, valves, cylinders, motors, accumulators. Pressures are above that of the
// atmosphere. Equations and fields are in src/elements/, one file each.
#pragma once

#include "cardan/element.hpp"

namespace cardan {

/// The fluid of two chambers.
struct ChambersSpec {
  Number bulk_modulus = 1.5e9;             // Pa
  std::optional<Number> start_a, start_b;  // Pa; one: both
  Number leakage = 0.0;                    // m^3/(s Pa)

 protected:
  void chamber_fields(FieldVisitor& visit, const char* where_it_leaks);
};

/// Two chambers of fluid between two points.
struct CylinderSpec : ChambersSpec {
  Name name;
  Name body1, body2;
  std::optional<Place> at1, at2;
  std::optional<Number> bore, rod;                     // diameters, m
  std::optional<Number> area_a, area_b;                // in place of them, m^2
  Number retracted, stroke;                            // m
  std::optional<Number> dead_volume_a, dead_volume_b;  // m^3; one: both
  Number viscous = 0.0, coulomb = 0.0;                 // N s/m, N
  Number friction_velocity = 0.01;                     // m/s
  Number stop_stiffness = 1e8;                         // N/m
  Number stop_velocity = 0.1;                          // m/s

  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// Two chambers of fluid on an angle of a joint.
struct HydraulicMotorSpec : ChambersSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;
  Number displacement;                       // m^3/rad
  std::optional<Number> volume_a, volume_b;  // m^3; one: both
  Number viscous = 0.0, coulomb = 0.0;       // N m s/rad, N m
  Number friction_speed = 0.01;              // rad/s

  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A source of flow with its line, relief valve and losses.
struct PumpSpec {
  Name name;
  Located<Varying> flow;          // m^3/s
  Number volume;                  // of the line, m^3
  Number bulk_modulus = 1.5e9;    // Pa
  Number start = 0.0;             // Pa
  Number leakage = 0.0;           // m^3/(s Pa)
  std::optional<Number> relief;   // Pa
  Number relief_gradient = 1e-8;  // m^3/(s Pa)
  Number efficiency = 1.0;

  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A directional valve with three positions between a pump, a tank and the two ports of a cylinder or motor.
struct ValveSpec {
  Name name;
  Name cylinder, supply;  // or motor
  Located<Varying> command;
  Number rated_flow;                                   // m^3/s
  Number rated_drop = 5e5;                             // Pa
  Number tank = 0.0;                                   // Pa
  Number time_constant = 0.02;                         // s
  std::optional<Number> damping_ratio;                 // of a spool of second order
  Number overlap = 0.0, leakage = 1e-4;                // parts of the full stroke and of the full opening
  Number transition = 5e4;                             // Pa
  Number a_to_tank = 1.0, b_to_tank = 1.0;             // openings towards the tank over those from the supply
  bool check = false;                                  // no flow from the cylinder into the supply
  Number makeup = 0.0;                                 // m^3/s at the rated drop, from the tank into a port
  std::optional<Number> port_relief_a, port_relief_b;  // Pa; one: both

  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// Gas behind a membrane, on the line of a pump or a port of a cylinder or motor.
struct AccumulatorSpec {
  Name name;
  Name line;
  int port = 0;                 // of a cylinder or motor: 0 a, 1 b
  Number volume, precharge;     // m^3, Pa
  std::optional<Number> start;  // Pa
  Number exponent = 1.4;
  Number atmosphere = 101325.0;  // Pa
  Number rated_flow;             // m^3/s
  Number rated_drop = 5e5;       // Pa
  Number transition = 5e4;       // Pa

  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
