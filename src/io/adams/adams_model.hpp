// The model that an ADAMS dataset amounts to, made statement by statement: bodies and frames (adams_bodies.cpp), joints
// and motions (adams_joints.cpp), forces (adams_loads.cpp, adams_directions.cpp, adams_elastic.cpp), what functions
// measure (adams_measures.cpp, adams_reactions.cpp) and interpolate (adams_splines.cpp), requests
// (adams_requests.cpp). All values are converted to SI units as they are read.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/adams/adams_expression.hpp"
#include "io/adams/adams_statements.hpp"
#include "io/formats/model_tree.hpp"

namespace cardan {

/// Factor times what the text says.
std::string multiple(double factor, const std::string& text);
/// Row by row matrix times components, zeros left out.
std::array<std::string, 3> turned_by(const Mat3& matrix, const std::array<std::string, 3>& components);
TreeNode words_node(const std::array<std::string, 3>& words, const SourceLocation& where);
/// The turn of I against J about z of J.
double angle_about_z(const Frame& i, const Frame& j);

/// Of the dataset, in SI units.
struct AdamsUnits {
  double length = 1, mass = 1, time = 1, force = 1;
  double torque() const { return force * length; }
};

struct AdamsPart {
  const AdamsStatement* statement = nullptr;
  Frame frame;       // its own axes, drawn
  std::string body;  // its name in the model, "ground" of ground
};

struct AdamsMarker {
  int part = 0;
  Frame frame;  // drawn
  bool floating = false;
};

/// A joint of the model with coordinates, and what its statement calls them.
struct AdamsJoint {
  std::string name;
  std::string type;  // as model files have it
  int i = 0, j = 0;  // markers
  Vec3 axis = Vec3::UnitZ();
};

/// The coordinate that a motion drives: sign times what its function says less a constant.
struct AdamsDriven {
  std::string joint;
  int coordinate = 1;  // from 1
  bool turns = false;
  bool alone = true;  // the only one of its joint
  double sign = 1, shift = 0;
};

/// What acts on the part of an I marker, at that marker: laws, in inertial axes and SI units.
struct AdamsWrench {
  std::array<std::string, 3> force, torque;
};

class AdamsModel final : public AdamsMeasures {
 public:
  AdamsModel(const ForeignFile& file, const AdamsDataset& dataset, const ImportOptions& options, Problems& problems);
  ModelTree make();

  std::string time() override;
  std::optional<std::string> measure(const std::string& name, const std::vector<int>& ids,
                                     std::string& why_not) override;
  std::optional<std::string> spline(const AdamsSpline& wanted, std::string& why_not) override;
  std::string shared(const std::string& expression) override;

 private:
  using Statement = AdamsStatement;
  /// Why a statement is left out or refused.
  struct Refusal {
    std::string message, remedy;
    bool broken = false;  // an error in the file: refused in any case
  };
  [[noreturn]] static void refuse(const std::string& message, const std::string& remedy = "");
  [[noreturn]] static void broken(const std::string& message, const std::string& remedy = "");

  void each(std::string_view keyword, void (AdamsModel::*read)(const Statement&));
  void take(const Statement& statement, void (AdamsModel::*read)(const Statement&));
  void leave_out(const SourceLocation& where, const std::string& label, const Refusal& refusal);
  void check_all_used(const Statement& statement);

  // Arguments.
  std::optional<std::vector<double>> numbers(const Statement& s, std::string_view name, std::size_t least,
                                             std::size_t most);
  double number(const Statement& s, std::string_view name, double absent);
  Vec3 vector(const Statement& s, std::string_view name, const Vec3& absent);
  std::optional<int> identifier(const Statement& s, std::string_view name);
  std::vector<int> identifiers(const Statement& s, std::string_view name, std::size_t count);
  const AdamsMarker& marker(int id);
  const AdamsMarker& marker_of(const Statement& s, std::string_view name, int* id = nullptr);
  const std::string& body_of(const AdamsMarker& marker) const { return parts_.at(marker.part).body; }
  std::string expression(const Statement& s, std::string_view name, double unit);
  std::string name_of(const Statement& s);

  // adams_bodies.cpp
  void read_units();
  void read_gravity(const Statement& s);
  void find_part(const Statement& s);
  void find_marker(const Statement& s);
  Frame frame_of(const Statement& s, const char* origin, const char* z_point, const char* x_point);
  void add_body(const Statement& s);
  void add_start(const Statement& s);
  void add_graphics(const Statement& s);
  void add_free_joints();
  // adams_joints.cpp
  void add_joint(const Statement& s);
  void add_primitive(const Statement& s);
  AdamsDriven driven_by(const Statement& s);
  void add_motion(const Statement& s);
  void add_coupler(const Statement& s);
  void add_gear(const Statement& s);
  void add_rack(const Statement& s);
  void add_general_constraint(const Statement& s);
  TreeElement new_joint(const Statement& s, const std::string& type, bool carries);
  TreeElement begin_joint(const Statement& s, AdamsJoint& kept, const char* type);
  void place_joint(TreeElement& joint, const AdamsMarker& i, const AdamsMarker& j, bool along_axis);
  void point_joint(TreeElement& joint, const AdamsMarker& i, const AdamsMarker& j);
  void add_axial_joint(const Statement& s, AdamsJoint& kept);
  void add_planar_joint(const Statement& s, AdamsJoint& kept);
  void add_initial_motion(const Statement& s, const AdamsJoint& kept);
  const AdamsJoint& joint_of(int id);
  /// The coordinate, from 1, that turns about (or moves along) the axis of a joint; 0: none.
  static int coordinate(const AdamsJoint& joint, bool turns);
  static bool has_one_coordinate(const AdamsJoint& joint);
  // adams_loads.cpp
  void add_spring(const Statement& s);
  void add_bushing(const Statement& s);
  void add_single_force(const Statement& s);
  void add_vector_force(const Statement& s);
  void add_variable(const Statement& s);
  /// Empty, or why it is not understood.
  const std::string& define_variable(const Statement& s);
  void add_state(const Statement& s);
  void add_twist(const Statement& s, const std::string& torque, const AdamsMarker& i, const AdamsMarker& j);
  void add_components(const Statement& s, const char* kind, const AdamsMarker& i, const AdamsMarker& reference,
                      const std::array<std::string, 3>& components, const AdamsMarker* reaction);
  std::array<std::string, 3> components(const Statement& s, std::array<const char*, 3> names, double unit);
  void find_plant_inputs();
  // adams_elastic.cpp
  Statement elastic_force(const Statement& s);
  void add_elastic(const Statement& s);
  void add_sensor(const Statement& s);
  // adams_reactions.cpp
  void remember(const Statement& s, const std::string& name);
  std::string translated(const std::string& text, double unit);
  AdamsWrench wrench_on_i(const Statement& s);
  AdamsWrench wrench_on_j(const Statement& s);
  void single_wrench(const Statement& s, AdamsWrench& wrench);
  std::array<std::string, 3> seen_from(int rm, const std::array<std::string, 3>& vector);
  std::string component_of(const AdamsWrench& wrench, bool torque, int component, int rm);
  std::optional<std::string> force_of(const std::string& name, const std::vector<int>& ids);
  /// Of axis `column` of marker i and axis `row` of marker j, from 0.
  std::string cosine(int i, std::size_t column, int j, std::size_t row);
  std::array<std::string, 3> angles_313(int i, int j);
  // adams_requests.cpp
  void add_request(const Statement& s);
  void add_request_of(const Statement& s, const std::string& quantity, const std::string& name);
  // adams_directions.cpp
  std::array<std::string, 3> in_space(const AdamsMarker& reference, const std::array<std::string, 3>& components);
  void add_in_space(const Statement& s, bool torque, std::array<std::string, 3> components,
                    const AdamsMarker* reaction);
  std::string direction_marker(int part, int axis);
  std::string marker_name(int id);
  // adams_measures.cpp
  std::optional<std::string> value_of(const std::string& name, int id, std::string& why_not);
  std::optional<std::string> acceleration(const std::string& name, const std::array<int, 4>& ids, std::string& why_not);
  bool is_still(int marker_id);
  const AdamsJoint* hinge_between(const AdamsMarker& i, const AdamsMarker& j) const;
  std::array<std::string, 3> difference(const char* kind, int i, int j, int k, bool rates);
  std::string signal_name(const std::string& key, const std::string& wanted, const TreeNode& value);
  std::string angle(int i, int j, int axis);

  const ForeignFile& file_;
  const AdamsDataset& dataset_;
  const ImportOptions& options_;
  Problems& problems_;
  ModelTree model_;
  NameTable names_;
  AdamsUnits units_;
  std::map<int, AdamsPart> parts_;
  std::map<int, AdamsMarker> markers_;
  std::map<int, AdamsJoint> joints_;
  std::map<int, std::string> variables_, states_, marker_names_;
  std::set<int> plant_inputs_;                                    // variables that come from outside
  std::map<std::pair<int, int>, std::string> direction_markers_;  // part and axis, 3 for its origin
  std::map<int, std::string> lost_variables_;                  // those that have been looked at, and why they were lost
  std::vector<std::pair<std::string, std::string>> tied_;      // bodies that joints tie
  std::map<std::string, std::string> shared_, signals_;        // expression, quantity -> signal
  std::map<const Statement*, std::vector<std::string>> made_;  // joints, drivers and bushings of a statement
  std::set<const Statement*> asked_;                           // whose forces are being written
  std::vector<std::string> left_out_;
  const Statement* current_ = nullptr;
};

}  // namespace cardan
