// All motions of a free or spherical joint given by a table of poses over time: translations by natural cubic splines,
// the rotation along a RotationPath. Each motion is a driver of its own, so that its effort is known: forces along the
// axes of frame 1, torques about those of frame 2.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cardan/element.hpp"
#include "cardan/specs/joints.hpp"
#include "math/rotation_path.hpp"

namespace cardan {
namespace {

constexpr double kNearlyZero = 1e-6;  // of the length of a quaternion
constexpr double kFarthestStart = std::numbers::pi / 2;
constexpr double kDegrees = 180 / std::numbers::pi;

/// Of roll, pitch, yaw: about z, then about the new y, then about the newest x.
Quat from_angles(const double* angle) {
  return Quat(Eigen::AngleAxisd(angle[2], Vec3::UnitZ()) * Eigen::AngleAxisd(angle[1], Vec3::UnitY()) *
              Eigen::AngleAxisd(angle[0], Vec3::UnitX()));
}

/// The table as columns, after checks of its shape.
struct PoseTable {
  std::vector<double> time;
  std::vector<std::vector<double>> translation;  // one for each
  std::vector<Quat> rotation;                    // in space

  /// `translations`: as many numbers in a row behind the time, before those of the rotation.
  static std::optional<PoseTable> read(Lowering& to, const std::vector<TableRow>& rows, int translations, bool turns,
                                       const std::string& columns);
};

std::optional<PoseTable> PoseTable::read(Lowering& to, const std::vector<TableRow>& rows, int translations, bool turns,
                                         const std::string& columns) {
  const auto refuse = [&](const SourceLocation& where, const std::string& message, const std::string& remedy) {
    to.error(where, message, remedy);
    return std::nullopt;
  };
  if (rows.size() < 2)
    return refuse(
        rows.empty() ? SourceLocation() : rows[0].where,
        fmt::format("a path needs two poses at least, there {} {}", rows.size() == 1 ? "is" : "are", rows.size()),
        "give rows of " + columns);
  PoseTable table;
  table.translation.resize(static_cast<std::size_t>(translations));
  const std::size_t first = static_cast<std::size_t>(translations) + 1, width = rows[0].values.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double>& row = rows[i].values;
    const bool fits = turns ? width == first + 3 || width == first + 4 : width == first;
    if (row.size() != width || !fits)
      return refuse(rows[i].where, fmt::format("pose {} has {} numbers", i + 1, row.size()),
                    "give every row as many: " + columns);
    for (const double number : row)
      if (!std::isfinite(number))
        return refuse(rows[i].where, fmt::format("pose {} has a number that is not finite", i + 1), "give finite ones");
    if (i > 0 && row[0] <= table.time.back())
      return refuse(rows[i].where,
                    fmt::format("time goes from {} to {} s at pose {}", table.time.back(), row[0], i + 1),
                    "give poses in the order of time, each at its own");
    table.time.push_back(row[0]);
    for (std::size_t j = 0; j + 1 < first; ++j) table.translation[j].push_back(row[1 + j]);
    if (!turns) continue;
    const double* r = row.data() + first;
    Quat q = width == first + 3 ? from_angles(r) : Quat(r[0], r[1], r[2], r[3]);
    if (q.norm() < kNearlyZero)
      return refuse(rows[i].where, fmt::format("the quaternion of pose {} has the length {:.3g}", i + 1, q.norm()),
                    "give w, x, y, z of a rotation, as 1, 0, 0, 0 for none");
    q.normalize();
    const double turn = i == 0 ? 0 : q.angularDistance(table.rotation.back());
    if (turn > RotationPath::kFarthest)
      return refuse(
          rows[i].where,
          fmt::format("from pose {} to {} it turns by {:.0f} degrees, so that the way is not clear", i, i + 1,
                      turn * kDegrees),
          fmt::format("put poses in between, {:.0f} degrees apart at most", RotationPath::kFarthest * kDegrees));
    table.rotation.push_back(q);
  }
  return table;
}

}  // namespace

ElementKind PathSpec::kind() const { return {.name = "path", .called = "a driver along a path", .section = "driver"}; }

void PathSpec::fields(FieldVisitor& visit) {
  visit.whole_joint(Field("path", "the joint, `free` or `spherical`").required(), joint);
  visit.poses(
      Field("poses",
            "rows of `t, x, y, z` and `qw, qx, qy, qz` or `roll, pitch, yaw`; spherical: without x, y, z; planar: "
            "`t, x, y, angle`. Or `{file: PATH}`, a CSV file with these columns",
            "s, m, 1 or rad")
          .required("add 'poses: [[t, ...], ...]'"),
      joint, poses);
}

void PathSpec::lower(Lowering& to) const {
  const int index = to.joint(joint);
  const Joint& on = to.mechanism().joints[static_cast<std::size_t>(index)];
  const bool planar = to.mechanism().planar, is_free = on.type == JointType::free;
  if (!is_free && on.type != JointType::spherical)
    return to.error(joint.where, fmt::format("joint '{}' is no free or spherical joint", joint.value),
                    "give its coordinates one by one: 'joint', 'coordinate' and 'position'");
  constexpr Function::Beyond kBeyond = Function::Beyond::error;
  const int translations = is_free ? (planar ? 2 : 3) : 0;
  const std::string columns = planar     ? "[t, x, y, angle]"
                              : !is_free ? "[t, qw, qx, qy, qz] or [t, roll, pitch, yaw]"
                                         : "[t, x, y, z, qw, qx, qy, qz] or [t, x, y, z, roll, pitch, yaw]";
  const auto table = PoseTable::read(to, poses, planar ? 3 : translations, !planar, columns);
  if (!table) return;
  const auto driver = [&](const char* called, int coordinate) {
    return Driver{.name = called, .element = name.value, .joint = index, .coordinate = coordinate};
  };
  const char* kNames[] = {"x", "y", planar ? "angle" : "z"};
  for (std::size_t i = 0; i < table->translation.size(); ++i) {
    Driver along = driver(kNames[i], static_cast<int>(i));
    along.position = Function::table(table->time, table->translation[i], Function::Interpolation::cubic, kBeyond);
    to.add(along);
  }
  if (planar) return;
  const auto path = std::make_shared<const RotationPath>(table->time, table->rotation, kBeyond);
  const Mat3 drawn = on.frame1.axes.transpose() * on.frame2.axes;
  const double away = Quat(drawn).angularDistance(Quat(path->evaluate(0).R));
  if (away > kFarthestStart)
    return to.error(
        poses[0].where,
        fmt::format("the path starts {:.0f} degrees from how joint '{}' is drawn", away * kDegrees, joint.value),
        "draw it less than a quarter turn from there");
  const char* kTurns[] = {"turn_x", "turn_y", "turn_z"};
  for (int i = 0; i < 3; ++i) {
    Driver about = driver(kTurns[i], translations + i);
    about.position = path->component(1 + i);
    about.rotation = path;
    about.axis = i;
    to.add(about);
  }
}

}  // namespace cardan
