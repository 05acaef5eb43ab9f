// A mechanism with every sort of element that has columns or forces, anywhere: a four-bar or spatial linkage with loads
// on it, a free body on a bushing, a wheel on a road, inputs and a state; some loads are switched off on the way.
#pragma once

#include "cardan/builder.hpp"
#include "cardan/specs.hpp"
#include "cardan/specs/air_spring.hpp"
#include "follow.hpp"
#include "random_place.hpp"

namespace cardan {

/// The road of a wheel lies along x, wherever the rest stands.
inline void add_wheel(MechanismBuilder& b, bool planar) {
  const Vec3 hub = planar ? Vec3(20, 0.29, 0) : Vec3(20, 1, 0.29);
  const Vec3 up = planar ? Vec3(0, 1, 0) : Vec3(0, 0, 1), across = planar ? Vec3(0, 0, 1) : Vec3(0.1, 1, 0.05);
  if (planar) {
    b.body("hub", 10, Place(hub), 0.5);
  } else {
    b.body("hub", 10, Place(hub), Mat3(0.5 * Mat3::Identity()));
  }
  if (planar) {
    b.body("knuckle", 2, Place(hub), 0.1);
    b.add(JointSpec{.name = "post", .type = JointType::free, .body1 = "ground", .body2 = "knuckle"});
    b.revolute("steer", "knuckle", "hub", hub);
  } else {
    b.body("knuckle", 2, Place(hub), Mat3(0.1 * Mat3::Identity()));
    b.add(JointSpec{.name = "post", .type = JointType::free, .body1 = "ground", .body2 = "knuckle"});
    b.revolute("steer", "knuckle", "hub", hub, up);
  }
  RoadSpec road;
  road.name = "track";
  road.profile = std::vector<Vec2>{{10, 0.01}, {30, -0.02}};
  b.add(road);
  TyreSpec tyre;
  tyre.name = "tyre", tyre.body = "hub", tyre.road = "track";
  tyre.radius = Number(0.3), tyre.stiffness = Number(2e4), tyre.damping = Number(50);
  if (!planar) {
    tyre.axis = Direction(across);
    CalspanTyre side;
    side.a0 = 500, side.a1 = 8, side.a2 = 4000, side.a3 = 1, side.a4 = 4000, side.b3 = 1, side.m1 = 1e-5;
    tyre.lateral = Located<CalspanTyre>(side);
  }
  b.add(tyre);
  b.velocity("hub", planar ? Vec3(1, -0.2, 0) : Vec3(2, 0.3, -0.2));
}

inline std::array<Located<Varying>, 3> three(const char* x, const char* y, const char* z) {
  return {follow(x), follow(y), follow(z)};
}

inline MechanismBuilder every_element(const RandomPlace& p, bool planar, bool events) {
  MechanismBuilder b("every element");
  b.planar(planar).gravity(9.81 * p.along(0.3, -0.9, planar ? 0 : 0.2));
  const double out = planar ? 0 : 0.1;
  b.rod("crank", p.at(0, 0), p.at(0.2, 0.8, out), 1, 0.04);
  b.rod("coupler", p.at(0.2, 0.8, out), p.at(2, 1.1, -out), 2, 0.04);
  b.rod("rocker", p.at(1.8, 0), p.at(2, 1.1, -out), 1.5, 0.04);
  b.box("block", {0.2, 0.3, 0.2}, p.at(0.4, -1), 0.7);
  b.box("float", {0.4, 0.3, 0.2}, p.at(-1, 0.5, out), 3);
  if (planar) {
    b.revolute("A", "ground", "crank", p.at(0, 0)).revolute("B", "crank", "coupler", p.at(0.2, 0.8));
    b.revolute("C", "coupler", "rocker", p.at(2, 1.1)).revolute("D", "ground", "rocker", p.at(1.8, 0));
  } else {
    b.revolute("A", "ground", "crank", p.at(0, 0), p.along(0.1, 0.2, 1));
    b.spherical("B", "crank", "coupler", p.at(0.2, 0.8, out));
    b.universal("C", "coupler", "rocker", p.at(2, 1.1, -out), p.along(0, 0, 1), p.along(1, 0, 0));
    b.revolute("D", "ground", "rocker", p.at(1.8, 0), p.along(-0.1, 0.1, 1));
  }
  b.prismatic("slide", "ground", "block", p.at(0.4, -1), p.along(1, 0.2, out));
  b.body("wheel", 1, Place(p.at(3, 0)), planar ? Mat3(Mat3::Identity()) : Mat3(0.3 * Mat3::Identity()));
  if (planar) {
    b.revolute("spin", "ground", "wheel", p.at(3, 0));
  } else {
    b.revolute("spin", "ground", "wheel", p.at(3, 0), p.along(0.2, 0, 1));
  }
  b.free("afloat", "ground", "float");
  b.marker("tip", "coupler", Place(p.at(1, 1.3))).marker("fixed_mark", "ground", Place(p.at(1, 2)));
  b.gear("gear", "A", "spin", -1.5);
  b.driver("move", "slide", Function::sine(0.1, 2));
  b.input("valve", 0.4).state("filter", 0.2, follow("3*(D.q - filter) + valve"));
  b.spring("spring", "crank", "block", p.at(0.1, 0.4), p.at(0.6, -0.9), 12, 0.8);
  AirSpringSpec gas;
  gas.name = "gas", gas.body1 = "ground", gas.body2 = "rocker";
  gas.at1 = Place(p.at(3, 1)), gas.at2 = Place(p.at(2, 1.1, -out));
  gas.area = 2e-3, gas.volume = 6e-3, gas.pressure = 2e5, gas.atmosphere = 1e5, gas.exponent = 1.3;
  b.add(gas);
  b.torsion("hinge", "D", 4, 0.3, 0.4).friction("rub", "A", 0.2, 0.6).rotor("armature", "A", 0.02, 3);
  b.add(JointSpringSpec{.name = "buffer", .joint = "slide", .torsion = false, .stiffness = 30, .damping = 2});
  BushingSpec rubber;
  rubber.name = "rubber", rubber.body1 = "ground", rubber.body2 = "float";
  rubber.at1 = Place(p.at(-1.1, 0.4)), rubber.at2 = Place(p.at(-1.05, 0.45));
  rubber.stiffness = Vec3(200, 300, planar ? 0 : 400), rubber.damping = Vec3(3, 0, planar ? 0 : 5);
  rubber.rotational_stiffness = Vec3(planar ? 0 : 20, planar ? 0 : 30, 10);
  rubber.rotational_damping = Vec3(planar ? 0 : 0.2, 0, 0.1);
  b.add(rubber);
  b.actuator("motor", "D", Varying::combination({1, 1}, {Function::sine(0.8, 3), follow("-2*D.v + valve")}));
  b.actuator("pusher", "A", Function::sine(0.4, 5));
  b.pull("rope", "ground", "float", p.at(-2, 1), p.at(-1, 0.5, out), follow("5*rope.length + 0.5*rope.rate + filter"));
  ForceSpec jet{.name = "jet", .body = "coupler", .at = Place(p.at(1, 1)), .components = three("1 + t", "-D.v", "2")};
  if (planar) jet.components[2] = Varying(0.0);
  jet.body_axes = true;
  b.add(jet);
  jet.name = "wind", jet.body = "float", jet.body_axes = false;
  b.add(jet);
  TorqueSpec couple{
      .name = "couple", .body1 = "ground", .body2 = "float", .components = three("0.3", "t", "0.2 - D.q")};
  if (planar) couple.components[0] = couple.components[1] = Varying(0.0);
  couple.body_axes = true;
  b.add(couple);
  couple.name = "twister", couple.body_axes = false;
  b.add(couple);
  add_wheel(b, planar);
  b.joint_velocity("A", 1.5);
  if (events) {
    b.switch_off("less", 0.021, {"spring", "hinge", "rubber", "motor", "jet", "rope", "move"});
    b.switch_off("lift", 0.031, {"tyre", "buffer", "couple"});
    b.switch_on("more", 0.041, {"spring", "hinge", "rubber", "motor", "jet", "tyre"});
  }
  return b;
}

}  // namespace cardan
