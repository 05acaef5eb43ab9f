#include "ensemble/lane_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/decomposition/decompositions.hpp"
#include "math/sparse_symbolic.hpp"

namespace cardan {
namespace {

/// The same of all instances, or they do not go together.
template <class Of>
auto common(const char* what, const Of& of) {
  const auto first = of(0);
  for (int lane = 1; lane < kLanes; ++lane)
    if (of(lane) != first)
      throw std::invalid_argument(
          fmt::format("instances of an ensemble may differ in numbers alone, not in their {}", what));
  return first;
}

template <class Of>
Lanes number(const Of& of) {
  Lanes result;
  for (int lane = 0; lane < kLanes; ++lane) result.of[lane] = of(lane);
  return result;
}

/// Vectors and matrices, by columns.
template <int N, class Of>
void numbers(Lanes (&to)[N], const Of& of) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto value = of(lane).eval();
    for (int i = 0; i < value.size(); ++i) to[i].of[lane] = value.data()[i];
  }
}

template <int D, class Of>
LaneMeasure<D> measure(const Of& of) {
  using Kind = typename LaneMeasure<D>::Kind;
  LaneMeasure<D> m;
  m.kind = static_cast<Kind>(common("measures", [&](int lane) { return static_cast<int>(of(lane).kind); }));
  m.body1 = common("bodies", [&](int lane) { return of(lane).body1; });
  m.body2 = common("bodies", [&](int lane) { return of(lane).body2; });
  m.axis_on_body2 = common("axes", [&](int lane) { return of(lane).axis_on_body2; });
  const auto known = [](const auto& v) { return v.unaryExpr([](double x) { return std::isfinite(x) ? x : 0.0; }); };
  numbers(m.point1, [&](int lane) { return known(of(lane).point1); });
  numbers(m.point2, [&](int lane) { return known(of(lane).point2); });
  numbers(m.e1, [&](int lane) { return known(of(lane).e1); });
  numbers(m.e2, [&](int lane) { return known(of(lane).e2); });
  numbers(m.f1, [&](int lane) { return known(of(lane).f1); });
  numbers(m.f2, [&](int lane) { return known(of(lane).f2); });
  numbers(m.axis, [&](int lane) { return known(of(lane).axis); });
  m.offset = number([&](int lane) { return of(lane).offset; });
  return m;
}

LaneRows rows_of(const RowPattern& pattern) {
  return {pattern.start, pattern.column, pattern.slot_start, pattern.slot};
}

LaneSymbolic symbolic_of(const SymmetricPattern& pattern) {
  const SparseSymbolic symbolic(pattern);
  LaneSymbolic result;
  const int n = result.n = symbolic.n;
  result.original = symbolic.original;
  result.column_start = symbolic.column_start;
  result.row_start = symbolic.row_start;
  result.row = symbolic.row;
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[symbolic.original[k]] = k;
  std::vector<std::vector<std::pair<int, int>>> entries(n);
  for (int j = 0; j < n; ++j) entries[place[j]].emplace_back(pattern.column_start[j], place[j]);
  for (int j = 0; j < n; ++j)
    for (int k = pattern.column_start[j] + 1; k < pattern.column_start[j + 1]; ++k) {
      const auto [left, right] = std::minmax(place[j], place[pattern.row[k]]);
      entries[left].emplace_back(k, right);
    }
  std::vector<std::vector<LaneSymbolic::Update>> updates(n);
  for (int column = 0; column < n; ++column) {
    const int end = symbolic.row_start[column] + symbolic.rows_in(column);
    for (int rows = symbolic.rows_in(column); rows > 0; --rows)
      updates[symbolic.row[end - rows]].push_back({column, rows, end - rows});
  }
  result.entry_start = result.update_start = {0};
  for (int j = 0; j < n; ++j) {
    for (const auto& [value, row] : entries[j]) {
      result.entry_value.push_back(value);
      result.entry_row.push_back(row);
    }
    result.entry_start.push_back(static_cast<int>(result.entry_value.size()));
    result.updates.insert(result.updates.end(), updates[j].begin(), updates[j].end());
    result.update_start.push_back(static_cast<int>(result.updates.size()));
  }
  return result;
}

template <int D>
class LaneModelMaker {
 public:
  explicit LaneModelMaker(const LaneInstances<D>& instances) : instances_(instances) {}

  LaneModel<D> make() {
    common("topology", [&](int lane) { return structure(lane).jacobian.column; });
    common("topology", [&](int lane) { return structure(lane).loads.column; });
    const Structure& s = structure(0);
    model_.coordinates = common("coordinates", [&](int lane) { return structure(lane).coordinates; });
    model_.constraints = common("constraints", [&](int lane) { return structure(lane).constraints; });
    model_.bodies = common("bodies", [&](int lane) { return bodies(lane).bodies(); });
    model_.counted = common("joints", [&](int lane) { return bodies(lane).counted_angles(); });
    model_.jacobian = rows_of(s.jacobian);
    model_.loads_rows = rows_of(s.loads);
    model_.pattern_start = s.pattern.column_start;
    model_.pattern_row = s.pattern.row;
    model_.symbolic = symbolic_of(s.pattern);
    for (int i = 0; i < model_.coordinates; ++i)
      model_.scale.push_back(number([&](int lane) { return structure(lane).scale[i]; }));
    for (int k = 0; k < model_.constraints; ++k)
      model_.effective_mass.push_back(number([&](int lane) { return instances_[lane].effective_mass[k]; }));
    numbers(model_.gravity, [&](int lane) { return bodies(lane).gravity(); });
    add_bodies();
    add_tree();
    add_constraints();
    add_loads();
    add_given();
    add_rotors();
    for (std::size_t i = 0; i < bodies(0).joint_coordinates().size(); ++i) {
      const auto of = [&](int lane) -> const auto& { return bodies(lane).joint_coordinates()[i]; };
      model_.counted_coordinates.push_back({of(0).angular,
                                            measure<D>([&](int lane) -> const auto& { return of(lane).measure; }),
                                            number([&](int lane) { return of(lane).unturned; })});
    }
    const auto counts = [](const auto& one) { return one.turns_of >= 0; };
    model_.counts_turns = std::ranges::any_of(model_.terms, counts) || std::ranges::any_of(model_.loads, counts);
    return std::move(model_);
  }

 private:
  const RelativeFormulation<D>& formulation(int lane) const { return *instances_[lane].formulation; }
  const Structure& structure(int lane) const { return formulation(lane).structure(); }
  const BodyModel<D>& bodies(int lane) const { return formulation(lane).model(); }
  const TreeMotion<D>& tree(int lane) const { return formulation(lane).tree(); }

  LaneSpan span(int body1, int body2) {
    const auto found = tree(0).span(body1, body2);
    LaneSpan result;
    result.first = static_cast<int>(model_.columns.size());
    result.split = result.first + found.split;
    model_.columns.insert(model_.columns.end(), found.columns.begin(), found.columns.end());
    result.last = static_cast<int>(model_.columns.size());
    return result;
  }

  void add_bodies() {
    for (int b = 0; b < model_.bodies; ++b) {
      LaneBody& body = model_.body.emplace_back();
      body.mass = number([&](int lane) { return bodies(lane).inertias()[b].mass; });
      for (int lane = 0; lane < kLanes; ++lane) {
        const auto& J = bodies(lane).inertias()[b].inertia;
        if constexpr (D == 2) {
          body.middle.of[lane] = J(0, 0);
        } else {
          // As TurningInertia keeps it.
          const SymmetricEigenvalues principal = symmetric_eigenvalues(J);
          body.middle.of[lane] = principal.values[1];
          for (int i = 0; i < 3; ++i) {
            body.less[i].of[lane] = std::sqrt(principal.values[1] - principal.values[0]) * principal.vectors(i, 0);
            body.more[i].of[lane] = std::sqrt(principal.values[2] - principal.values[1]) * principal.vectors(i, 2);
          }
        }
      }
    }
  }

  void add_tree() {
    using Kind = typename JointMotion<D>::Kind;
    std::vector<std::vector<int>> path(model_.bodies + 1);
    model_.path_start = {0};
    for (std::size_t l = 0; l < tree(0).links().size(); ++l) {
      const auto of = [&](int lane) -> const auto& { return tree(lane).links()[l]; };
      LaneLink<D>& link = model_.links.emplace_back();
      link.body = common("tree", [&](int lane) { return of(lane).body; });
      link.parent = common("tree", [&](int lane) { return of(lane).parent; });
      link.first_motion = of(0).first_motion, link.last_motion = of(0).last_motion;
      link.first = of(0).first, link.last = of(0).last;
      link.is_hinge = common("tree", [&](int lane) { return of(lane).hinge >= 0; });
      numbers(link.rotation, [&](int lane) { return of(lane).rotation; });
      numbers(link.center, [&](int lane) { return of(lane).center; });
      link.angle = number([&](int lane) { return of(lane).angle; });
      if (link.is_hinge) {
        const auto hinge = [&](int lane) -> const auto& { return tree(lane).hinges()[of(lane).hinge]; };
        if constexpr (D == 2) {
          numbers(link.arm, [&](int lane) { return hinge(lane).arm; });
        } else {
          numbers(link.fixed, [&](int lane) { return hinge(lane).fixed; });
          numbers(link.even, [&](int lane) { return hinge(lane).even; });
          numbers(link.odd, [&](int lane) { return hinge(lane).odd; });
        }
      }
      path[link.body] = path[link.parent];
      for (int k = link.first; k < link.last; ++k) path[link.body].push_back(k);
      model_.path.insert(model_.path.end(), path[link.body].begin(), path[link.body].end());
      model_.path_start.push_back(static_cast<int>(model_.path.size()));
    }
    for (std::size_t i = 0; i < tree(0).motions().size(); ++i) {
      const auto of = [&](int lane) -> const auto& { return tree(lane).motions()[i]; };
      LaneMotion<D>& motion = model_.motions.emplace_back();
      const Kind kind = common("joints", [&](int lane) { return of(lane).kind; });
      motion.kind = static_cast<typename LaneMotion<D>::Kind>(kind);
      motion.first = of(0).first;
      if (kind == Kind::ball) motion.ball = model_.balls++;
      numbers(motion.axis, [&](int lane) { return of(lane).axis; });
      numbers(motion.point, [&](int lane) { return of(lane).point; });
      motion.lead = number([&](int lane) { return of(lane).lead; });
      motion.has_lead = common("joints", [&](int lane) { return of(lane).lead != 0; });
    }
    std::vector<int> link_of(model_.coordinates, 0);
    for (const LaneLink<D>& link : model_.links)
      for (int i = link.first; i < link.last; ++i) link_of[i] = link.body;
    model_.mass_slot_start = {0};
    for (int i = 0; i < model_.coordinates; ++i) {
      for (const int j : path[link_of[i]])
        if (j <= i) model_.mass_slot.push_back(structure(0).pattern.slot(i, j));
      model_.mass_slot_start.push_back(static_cast<int>(model_.mass_slot.size()));
    }
  }

  const ConstraintRows<D>& constraints(int lane) const {
    return instances_[lane].held ? *instances_[lane].held : formulation(lane).constraints();
  }
  void add_constraints() {
    const auto& rows = constraints(0).rows();
    const RowPattern& jacobian = structure(0).jacobian;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto of = [&](int lane) -> const auto& { return constraints(lane).rows()[r]; };
      LaneRow& row = model_.rows.emplace_back();
      row.first = of(0).first, row.last = of(0).last, row.driver = of(0).driver;
      row.offset = number([&](int lane) { return of(lane).offset; });
      row.period = number([&](int lane) { return of(lane).period; });
      row.scale = number([&](int lane) { return structure(lane).constraint_scale[static_cast<Eigen::Index>(r)]; });
      for (int lane = 0; lane < kLanes; ++lane) row.has_period = row.has_period || row.period.of[lane] > 0;
      const auto first = jacobian.column.begin() + jacobian.start[r],
                 last = jacobian.column.begin() + jacobian.start[r + 1];
      for (int i = row.first; i < row.last; ++i) {
        const auto term_of = [&](int lane) -> const auto& { return constraints(lane).terms()[i]; };
        LaneTerm<D>& term = model_.terms.emplace_back();
        term.measure = measure<D>([&](int lane) -> const auto& { return term_of(lane).measure; });
        term.weight = number([&](int lane) { return term_of(lane).weight; });
        term.turns_of = term_of(0).turns_of;
        term.span = span(term.measure.body1, term.measure.body2);
        term.places = static_cast<int>(model_.places.size());
        for (int k = term.span.first; k < term.span.last; ++k)
          model_.places.push_back(static_cast<int>(std::find(first, last, model_.columns[k]) - first));
      }
    }
  }

  void add_loads() {
    const auto& rows = bodies(0).load_rows();
    int across = static_cast<int>(bodies(0).first_row_across());
    for (std::size_t i = 0; i < bodies(0).scalar_loads().size(); ++i) {
      const auto of = [&](int lane) -> const auto& { return bodies(lane).scalar_loads()[i]; };
      LaneLoad<D>& load = model_.loads.emplace_back();
      load.measure = measure<D>([&](int lane) -> const auto& { return of(lane).measure; });
      load.turns_of = of(0).turns_of;
      load.free = number([&](int lane) { return of(lane).free; });
      for (int lane = 0; lane < kLanes; ++lane) load.has_spring = load.has_spring || !of(lane).spring.is_zero();
      load.span = span(rows[i].body1, rows[i].body2);
      if (!BodyModel<D>::acts_along_line(of(0))) continue;
      load.across = across;
      for (int j = 0; j < kAcross<D>; ++j, ++across) load.spans[j] = span(rows[across].body1, rows[across].body2);
    }
    int row = static_cast<int>(model_.loads.size());
    for (std::size_t i = 0; i < bodies(0).tyres().size(); ++i, row += TyreModel<D>::kRows) {
      const auto of = [&](int lane) -> const auto& { return bodies(lane).tyres()[i]; };
      LaneTyre<D>& tyre = model_.tyres.emplace_back();
      tyre.body = of(0).body;
      numbers(tyre.center, [&](int lane) { return of(lane).center; });
      numbers(tyre.axis, [&](int lane) { return of(lane).axis; });
      tyre.row = row;
      tyre.span = span(rows[row].body1, rows[row].body2);
    }
  }

  void add_given() {
    const auto local = [&](int lane, int body, const Vec3& point) {
      return bodies(lane).measures().local_point(body, point);
    };
    const Mechanism& m = bodies(0).mechanism();
    const auto index = [&](int body) { return bodies(0).measures().body_index(body); };
    for (std::size_t i = 0; i < m.forces.size(); ++i) {
      LaneGiven<D>& given = model_.given.emplace_back();
      given.body_axes = m.forces[i].body_axes;
      given.body1 = index(kGround), given.body2 = index(m.forces[i].body);
      numbers(given.point,
              [&](int lane) { return local(lane, m.forces[i].body, bodies(lane).mechanism().forces[i].point); });
    }
    for (const Torque& torque : m.torques) {
      LaneGiven<D>& given = model_.given.emplace_back();
      given.is_torque = true;
      given.body_axes = torque.body_axes;
      given.body1 = index(torque.body1), given.body2 = index(torque.body2);
    }
    for (std::size_t i = 0; i < bodies(0).efforts().size(); ++i) {
      const auto of = [&](int lane) -> const auto& { return bodies(lane).efforts()[i].measure; };
      model_.efforts.push_back({measure<D>(of), bodies(0).efforts()[i].sign});
    }
  }

  void add_rotors() {
    RowPattern rows;
    for (std::size_t i = 0; i < bodies(0).rotors().size(); ++i) {
      const auto of = [&](int lane) -> const auto& { return bodies(lane).rotors()[i]; };
      LaneRotor<D>& rotor = model_.rotors.emplace_back();
      rotor.measure = measure<D>([&](int lane) -> const auto& { return of(lane).measure; });
      rotor.inertia = number([&](int lane) { return of(lane).inertia; });
      rotor.span = span(rotor.measure.body1, rotor.measure.body2);
      rows.add({model_.columns.begin() + rotor.span.first, model_.columns.begin() + rotor.span.last});
    }
    rows.locate(structure(0).pattern);
    model_.rotor_rows = rows_of(rows);
  }

  const LaneInstances<D>& instances_;
  LaneModel<D> model_;
};

}  // namespace

template <int D>
LaneWork<D>::LaneWork(const LaneModel<D>& m) {
  const auto make = [](LaneArray& array, std::size_t size) { array.assign(size, Lanes{}); };
  const auto bodies = static_cast<std::size_t>(m.bodies) + 1, n = static_cast<std::size_t>(m.coordinates),
             c = static_cast<std::size_t>(m.constraints), balls = static_cast<std::size_t>(m.balls);
  for (LaneArray* one : {&twist, &bias, &wrench}) make(*one, kTwist * bodies);
  make(rotation, D * D * bodies);
  make(center, D * bodies);
  make(angle, bodies);
  for (int i = 0; i < D; ++i)
    for (int lane = 0; lane < kLanes; ++lane) rotation[D * D * (bodies - 1) + i * (D + 1)].of[lane] = 1;
  make(column, kTwist * n);
  make(joint_bias, kTwist * m.links.size());
  make(ball_axes, 9 * balls);
  make(ball_reference, 9 * balls);
  make(ball_point, 3 * balls);
  make(composite, (1 + D + (D == 2 ? 1 : 6)) * bodies);
  make(gradient, kTwist * m.terms.size());
  make(turns, static_cast<std::size_t>(m.counted));
  for (LaneArray* one : {&phi, &phi_t, &gamma, &lambda, &weight, &violation}) make(*one, c);
  for (LaneArray* one : {&jacobian, &rows}) make(*one, m.jacobian.column.size());
  for (LaneArray* one : {&mass, &tangent, &before}) make(*one, m.pattern_row.size());
  make(loads, m.loads_rows.column.size());
  make(rotor_row, m.rotor_rows.column.size());
  const auto load_rows = static_cast<std::size_t>(m.loads_rows.size());
  for (LaneArray* one : {&stiffness, &damping}) make(*one, load_rows);
  live.assign(load_rows, 0);
  make(effort, m.efforts.size());
  make(given, 3 * m.given.size());
  int drivers = 0;
  for (const LaneRow& row : m.rows) drivers = std::max(drivers, row.driver + 1);
  make(driver, 3 * static_cast<std::size_t>(drivers));
  for (LaneArray* one : {&force, &predicted_q, &predicted_v, &q, &v, &a, &A, &moved, &rhs, &increment, &diagonal,
                         &inverse, &accumulated, &permuted})
    make(*one, n);
  make(lower, m.symbolic.row.empty() ? 0 : static_cast<std::size_t>(m.symbolic.column_start.back()));
}

template <int D>
LaneModel<D> make_lane_model(const LaneInstances<D>& instances) {
  return LaneModelMaker<D>(instances).make();
}

template struct LaneWork<2>;
template struct LaneWork<3>;
template LaneModel<2> make_lane_model(const LaneInstances<2>&);
template LaneModel<3> make_lane_model(const LaneInstances<3>&);

}  // namespace cardan
