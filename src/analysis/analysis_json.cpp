// The results of analyses as JSON.
#include <nlohmann/json.hpp>

#include "cardan/analysis.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

Json row_of(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json matrix(const Eigen::MatrixXd& A) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < A.cols(); ++j) row.push_back(A(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json poses(const std::vector<BodyPose>& bodies) {
  Json list = Json::array();
  for (const BodyPose& pose : bodies)
    list.push_back({{"position", row_of(pose.position)}, {"rotation", matrix(pose.rotation)}});
  return list;
}

// Names come from files and may not be valid UTF-8; the output must be.
std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string Equilibrium::json() const {
  Json json;
  json["status"] = converged ? "ok" : "failed";
  json["reason"] = reason;
  json["unbalanced_force"] = force;
  json["unbalanced_moment"] = moment;
  json["worst_body"] = worst_body;
  json["iterations"] = iterations;
  json["limited_iterations"] = limited;
  json["degrees_of_freedom"] = degrees_of_freedom;
  json["driven"] = driven;
  json["unstable_directions"] = unstable;
  json["neutral"] = neutral;
  json["poses"] = poses(bodies);
  Json& all = json["values"] = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) all[columns[i]] = values[i];
  Json& springs = json["loads"] = Json::object();
  for (const LoadValue& load : loads) springs[load.name] = {{"length", load.length}, {"force", load.force}};
  json["notes"] = notes;
  return text_of(json);
}

std::string Linearization::json() const {
  Json json;
  json["unbalanced_force"] = force;
  json["unbalanced_moment"] = moment;
  json["modes"] = Json::array();
  for (const Mode& mode : modes) {
    Json entry;
    entry["frequency"] = mode.frequency;
    entry["natural_frequency"] = mode.natural_frequency;
    entry["damping_ratio"] = mode.damping_ratio;
    entry["eigenvalue"] = {mode.eigenvalue.real(), mode.eigenvalue.imag()};
    entry["rigid"] = mode.rigid;
    entry["unstable"] = mode.unstable;
    Json& shape = entry["shape"] = Json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) shape[columns[i]] = {mode.shape[i].real(), mode.shape[i].imag()};
    json["modes"].push_back(std::move(entry));
  }
  json["poses"] = poses(bodies);
  json["columns"] = columns;
  json["motions"] = matrix(motions);
  json["mass"] = matrix(mass);
  json["damping"] = matrix(damping);
  json["stiffness"] = matrix(stiffness);
  json["notes"] = notes;
  return text_of(json);
}

}  // namespace cardan
