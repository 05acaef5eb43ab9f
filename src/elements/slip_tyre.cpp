// A wheel that rolls on a road with slip. The law is in math/tyre/rolling_tyre.hpp; here it becomes a wrench
// between ground and the wheel that remembers the deflection of its tread.
#include "cardan/specs/slip_tyre.hpp"

#include <fmt/format.h>

#include "elements/calspan_fields.hpp"
#include "elements/slip_tyre_law.hpp"
#include "elements/tyre_file.hpp"

namespace cardan {
namespace {

constexpr double kRelaxationPart = 0.5;  // over the radius
constexpr double kShoulderPart = 0.25;   // over the width

void linear_slip_fields(FieldVisitor& visit, LinearTyreSpec& p) {
  visit.number(Field("longitudinal", "", "N").required("add 'longitudinal'").bounded(Bound::positive), p.longitudinal);
  visit.number(Field("cornering", "", "N/rad").required("add 'cornering'").bounded(Bound::positive), p.cornering);
  visit.number(Field("friction", "", "1", "1").bounded(Bound::positive), p.friction);
  visit.number(Field("trail", "", "m", "0").bounded(Bound::not_negative), p.trail);
}

void calspan_slip_fields(FieldVisitor& visit, CalspanSlipSpec& spec) {
  calspan_coefficients(visit, spec.formulas, Bound::positive);
  visit.number(Field("ratio", "", "1", "1").bounded(Bound::positive), spec.ratio);
}

/// With this direction as the axis of that number.
Mat3 frame_with(const Vec3& direction, int axis) {
  Mat3 result;
  const Vec3 other = direction.cross(Vec3::Unit(std::abs(direction.x()) < 0.8 ? 0 : 2)).normalized();
  result.col(axis) = direction;
  result.col((axis + 1) % 3) = other;
  result.col((axis + 2) % 3) = direction.cross(other);
  return result;
}

std::vector<WrenchReading> tyre_readings(const SlipTyreLaw& law) {
  using Result = RollingForce<double>;
  const auto reading = [&law](const char* quantity, const char* unit, double (*value)(const Result&)) {
    return WrenchReading{quantity, unit, [law, value](const FramePair& at) { return value(law.result(at)); }};
  };
  return {reading("load", "N", [](const Result& f) { return f.load; }),
          reading("longitudinal", "N", [](const Result& f) { return f.forces.forward; }),
          reading("lateral", "N", [](const Result& f) { return f.forces.left; }),
          reading("aligning", "N m", [](const Result& f) { return f.forces.aligning; }),
          reading("slip", "", [](const Result& f) { return f.slip.kappa; }),
          reading("slip_angle", "rad", [](const Result& f) { return std::atan(f.slip.side); }),
          reading("camber", "rad", [](const Result& f) { return f.slip.camber; })};
}

/// What the fields say, with what a tyre file says in their place.
struct TyreDimensions {
  double radius = 0, width = 0, shoulder = 0, stiffness = 0, damping = 0;
};

class SlipTyreParts {
 public:
  SlipTyreParts(const SlipTyreSpec& spec, Lowering& to) : spec_(spec), to_(to) {}

  /// One ground, one law of slip, nothing twice.
  bool are_chosen() {
    const auto& plane = spec_.plane;
    const int models = (spec_.linear ? 1 : 0) + (spec_.calspan ? 1 : 0) + (spec_.magic_formula ? 1 : 0);
    const auto &x = spec_.relaxation_x, &y = spec_.relaxation_y;
    if (spec_.road.value.empty() != plane.has_value())
      return refuse(plane ? plane->where : SourceLocation{},
                    plane ? "both 'road' and 'plane' are given" : "there is nothing under it",
                    plane ? "give one of them" : "add 'road: NAME' or 'plane: {}'");
    if (models != 1)
      return refuse({}, models == 0 ? "it is not said how it slips" : "it has several laws of slip",
                    "give one of 'linear', 'calspan' and 'magic_formula'");
    if (spec_.magic_formula && (x || y))
      return refuse(x ? x->where : y->where, "the tyre file has its relaxation lengths", "leave this one out");
    return true;
  }

  std::optional<TyreFile> file() {
    const TextFile& given = *spec_.magic_formula;
    const auto from = std::make_shared<const SourceLocation>(given.where);
    return read_tyre_file(given.text, [&](int line, const std::string& message, const std::string& remedy) {
      to_.error(line > 0 ? SourceLocation{given.path, line, 1, from} : given.where,
                line > 0 ? message : fmt::format("'{}': {}", given.path, message), remedy);
    });
  }

  std::optional<TyreDimensions> dimensions(const std::optional<TyreFile>& file) {
    bool sound = true;
    const auto value = [&](const std::optional<Number>& given, const std::optional<double>& of_file,
                           const char* field) {
      if (given) return given->value;
      if (of_file) return *of_file;
      sound = refuse({}, fmt::format("'{}' is missing", field), fmt::format("add '{}'", field));
      return 0.0;
    };
    using Maybe = std::optional<double>;
    TyreDimensions d;
    d.radius = value(spec_.radius, file ? Maybe(file->formula.UNLOADED_RADIUS) : Maybe(), "radius");
    d.width = value(spec_.width, file ? file->width : Maybe(), "width");
    d.stiffness = value(spec_.stiffness, file ? file->stiffness : Maybe(), "stiffness");
    d.damping = spec_.damping ? spec_.damping->value : file && file->damping ? *file->damping : 0;
    d.shoulder = spec_.shoulder ? spec_.shoulder->value : kShoulderPart * d.width;
    if (sound && (!(d.shoulder < 0.5 * d.width) || !(0.5 * d.width < d.radius)))
      sound = refuse(spec_.shoulder ? spec_.shoulder->where : SourceLocation{},
                     fmt::format("a tread of width {:.6g} m and radius {:.6g} m has no shoulders of {:.6g} m", d.width,
                                 d.radius, d.shoulder),
                     "the shoulder is less than half the width, and that less than the radius");
    return sound ? std::optional(d) : std::nullopt;
  }

  CustomWrench frames(const TyreDimensions& size) {
    const Mechanism& m = to_.mechanism();
    CustomWrench wrench{.body1 = kGround, .body2 = to_.body(spec_.body)};
    wrench.frame2.origin = spec_.at ? to_.place(*spec_.at) : m.bodies[static_cast<std::size_t>(wrench.body2)].center;
    const Vec3 axle = m.planar ? Vec3(-Vec3::UnitZ()) : spec_.axis ? to_.direction(*spec_.axis) : Vec3(Vec3::UnitY());
    wrench.frame2.axes = frame_with(axle, 1);
    wrench.wheel = WheelOutline{axle, size.radius, size.width, -1};
    return wrench;
  }

  /// In frame 1, which has its axes where it is a plane.
  std::optional<Terrain> ground(CustomWrench& wrench) {
    const Mechanism& m = to_.mechanism();
    const int up = m.planar ? 1 : 2;
    Terrain ground = Terrain::plane(Vec3::Zero(), Vec3::Unit(up));
    std::string under = "the plane";
    if (spec_.plane) {
      const GroundPlaneSpec& plane = spec_.plane->value;
      if (plane.at) wrench.frame1.origin = to_.place(*plane.at);
      if (plane.normal) wrench.frame1.axes = frame_with(to_.direction(*plane.normal), up);
    } else {
      wrench.wheel->road = to_.road(spec_.road);
      const Road& road = m.roads[static_cast<std::size_t>(wrench.wheel->road)];
      under = fmt::format("road '{}'", road.name);
      if (road.sort == Road::Sort::profile) {
        ground = Terrain::endless_profile(road.profile, m.planar);
      } else if (road.sort == Road::Sort::grid) {
        ground = Terrain::grid(*road.grid);
      } else if (road.body == kGround) {
        wrench.frame1.origin = road.origin;
        wrench.frame1.axes = frame_with(road.normal, up);
      } else {
        refuse(spec_.road.where, fmt::format("{} belongs to '{}', which moves", under, m.body_name(road.body)),
               "give a road of ground");
        return std::nullopt;
      }
    }
    const double above =
        ground.clearance(wrench.frame1.axes.transpose() * (wrench.frame2.origin - wrench.frame1.origin));
    if (above > 0) return ground;
    refuse({}, fmt::format("the wheel's centre is drawn {:.6g} m below {}", -above, under), "draw it above");
    return std::nullopt;
  }

  SlipModel model(const std::optional<TyreFile>& file, double radius) {
    if (file) return file->formula;
    const double sigma_x = spec_.relaxation_x ? spec_.relaxation_x->value : kRelaxationPart * radius;
    const double sigma_y = spec_.relaxation_y ? spec_.relaxation_y->value : kRelaxationPart * radius;
    if (spec_.linear) {
      const LinearTyreSpec& p = spec_.linear->value;
      return LinearSlip{p.longitudinal.value, p.cornering.value, p.friction.value, p.trail.value, sigma_x, sigma_y};
    }
    const CalspanTyre& p = spec_.calspan->value.formulas;
    return CalspanSlip{p.a0,    p.a1,   p.a2,   p.a3, p.a4, p.b1,
                       p.b3,    p.b4,   p.skid, p.m1, p.m2, spec_.calspan->value.ratio.value,
                       sigma_x, sigma_y};
  }

 private:
  bool refuse(const SourceLocation& where, const std::string& message, const std::string& remedy) {
    to_.error(where, message, remedy);
    return false;
  }

  const SlipTyreSpec& spec_;
  Lowering& to_;
};

}  // namespace

ElementKind SlipTyreSpec::kind() const { return {"slip_tyre", "a slip tyre"}; }

void SlipTyreSpec::fields(FieldVisitor& visit) {
  visit.body(Field("slip_tyre", "the wheel's body").required(), body);
  visit.road(Field("road", "the road's name", "", "this or `plane`"), road);
  visit.record(Field("plane",
                     "`{at: PLACE, normal: DIRECTION}`: level ground, tilted as the normal says; by default "
                     "through the origin, normal to `z` (in the plane `y`)",
                     "", "this or `road`"),
               plane, [](FieldVisitor& inside, GroundPlaneSpec& p) {
                 inside.place(Field("at"), p.at);
                 inside.direction(Field("normal"), p.normal, Parity::polar);
               });
  visit.place(Field("at", "the wheel's centre", "", "the body's centre"), at);
  visit.direction(Field("axis", "the axle, so that the wheel rolls forward along axis x up (in space)", "", "`y`"),
                  axis, Parity::axial, "y");
  visit.number(Field("radius", "R, of the unloaded tyre", "m", "the tyre file's").bounded(Bound::positive), radius);
  visit.number(Field("width", "w, of the tread with its shoulders", "m", "the tyre file's").bounded(Bound::positive),
               width);
  visit.number(
      Field("shoulder", "radius of the edges of the tread, less than w/2", "m", "w/4").bounded(Bound::not_negative),
      shoulder);
  visit.number(Field("stiffness", "k, radial", "N/m", "the tyre file's").bounded(Bound::positive), stiffness);
  visit.number(Field("damping", "c, radial", "N s/m", "the tyre file's, or 0").bounded(Bound::not_negative), damping);
  visit.record(
      Field("linear", "`{longitudinal: N, cornering: N/rad, friction: mu, trail: m}`, below", "", "one of three"),
      linear, linear_slip_fields);
  visit.record(Field("calspan", "`{a0: ..., ratio: ...}`, below", "", "one of three"), calspan, calspan_slip_fields);
  visit.file(Field("magic_formula", "a tyre file (.tir), below", "", "one of three"), magic_formula);
  visit.number(Field("relaxation_x", "sigma_x, not with a tyre file", "m", "R/2").bounded(Bound::positive),
               relaxation_x);
  visit.number(Field("relaxation_y", "sigma_y, not with a tyre file", "m", "R/2").bounded(Bound::positive),
               relaxation_y);
  visit.number(Field("tread_damping", "T, of the tread's deflection", "s", "0.01").bounded(Bound::not_negative),
               tread_damping);
  visit.number(Field("rolling_resistance", "f, moment over R times the load", "1", "0").bounded(Bound::not_negative),
               rolling_resistance);
  visit.number(
      Field("low_speed", "v0, slower sliding holds as friction at rest does", "m/s", "0.1").bounded(Bound::positive),
      low_speed);
}

void SlipTyreSpec::lower(Lowering& to) const {
  SlipTyreParts parts(*this, to);
  if (!parts.are_chosen()) return;
  std::optional<TyreFile> file;
  if (magic_formula && !(file = parts.file())) return;
  const auto size = parts.dimensions(file);
  if (!size) return;
  CustomWrench wrench = parts.frames(*size);
  const auto ground = parts.ground(wrench);
  if (!ground) return;
  const SlipTyreLaw law({.shape = WheelShape(size->radius, size->width, size->shoulder),
                         .ground = *ground,
                         .model = parts.model(file, size->radius),
                         .radius = size->radius,
                         .stiffness = size->stiffness,
                         .damping = size->damping,
                         .tread_damping = tread_damping.value,
                         .low_speed = low_speed.value,
                         .rolling_resistance = rolling_resistance.value});
  wrench.law = [law](const FramePair& pair) { return law.wrench(pair); };
  wrench.tangent = [law](const FramePair& pair) { return law.tangent(pair); };
  wrench.energy = [law](const FramePair& pair) { return law.result(pair).energy; };
  wrench.elastic = [law](const FramePair& pair) { return law.elastic(pair); };
  wrench.memory = SlipTyreLaw::kMemory;
  wrench.remember = [law](const FramePair& pair, double* memory) { law.remember(pair, memory); };
  wrench.length = size->radius;
  wrench.readings = tyre_readings(law);
  to.add(std::move(wrench));
}

}  // namespace cardan
