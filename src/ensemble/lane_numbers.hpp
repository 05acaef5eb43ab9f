// All numbers that differ from instance to instance in what forces and constraints are made of, in a fixed order.
#pragma once

#include "ensemble/lanes.hpp"

namespace cardan {

template <int D, class Visit>
void each_number(LaneMeasure<D>& m, const Visit& visit) {
  for (Lanes* vector : {m.point1, m.point2, m.e1, m.e2, m.f1, m.f2})
    for (int i = 0; i < D; ++i) visit(vector[i]);
  for (Lanes& one : m.axis) visit(one);
  visit(m.offset);
}

template <int D, class Visit>
void each_number(LaneModel<D>& model, const Visit& visit) {
  const auto all = [&](auto& vector) {
    for (Lanes& one : vector) visit(one);
  };
  all(model.gravity);
  for (LaneBody& body : model.body) visit(body.mass);
  for (LaneLink<D>& link : model.links) {
    all(link.rotation), all(link.center), visit(link.angle);
    all(link.fixed), all(link.even), all(link.odd), all(link.arm);
  }
  for (LaneMotion<D>& motion : model.motions) all(motion.axis), all(motion.point), visit(motion.lead);
  for (LaneTerm<D>& term : model.terms) each_number<D>(term.measure, visit), visit(term.weight);
  for (LaneRow& row : model.rows) visit(row.offset), visit(row.period);
  for (LaneLoad<D>& load : model.loads) each_number<D>(load.measure, visit), visit(load.free);
  for (LaneTyre<D>& tyre : model.tyres) all(tyre.center), all(tyre.axis);
  for (LaneEffort<D>& effort : model.efforts) each_number<D>(effort.measure, visit);
  for (LaneGiven<D>& given : model.given) all(given.point);
  for (LaneRotor<D>& rotor : model.rotors) each_number<D>(rotor.measure, visit), visit(rotor.inertia);
}

}  // namespace cardan
