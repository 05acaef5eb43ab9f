// Loads, couplers and drivers: their fields checked, then each lowered to primitives of the mechanism. And which
// coordinate of a joint is meant, and whether a function has a value.
#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "mechanism/frames.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

std::optional<int> Resolver::find_coordinate(int joint, const std::optional<Located<int>>& asked, CoordinateSort sort,
                                             const std::string& element, const SourceLocation& where,
                                             const char* other_sort) {
  if (other_sort == nullptr)
    other_sort = sort == CoordinateSort::angle ? "use 'joint_spring' for translations" : "use 'torsion' for angles";
  const JointSpec& spec = spec_.joints[static_cast<std::size_t>(joint)];
  const int count = joint_coordinate_count(spec.type, spec_.planar);
  const std::string what = fmt::format("joint '{}' ({})", spec.name.value, joint_type_name(spec.type));
  if (count == 0) {
    problems_.error(where, element, fmt::format("{} has no coordinate", what), "name a joint that can move");
    return std::nullopt;
  }
  const auto fits = [&](int index) {
    return sort == CoordinateSort::any || (sort == CoordinateSort::angle) == is_angle(spec.type, spec_.planar, index);
  };
  const auto is_vector = [&](int index) { return is_rotation_vector(spec.type, spec_.planar, index); };
  std::vector<int> choice;
  for (int i = 0; i < count; ++i)
    if (!is_vector(i) && fits(i)) choice.push_back(i);
  if (!asked) {
    if (choice.size() == 1 && (sort != CoordinateSort::any || count == 1)) return choice[0];
    if (is_vector(count - 1) && choice.empty()) {
      problems_.error(where, element,
                      fmt::format("{} turns by a rotation vector, which has no angles of its own", what),
                      "use a joint with one or two angles");
    } else if (choice.empty()) {
      problems_.error(where, element,
                      fmt::format("{} has no {}", what, sort == CoordinateSort::angle ? "angle" : "translation"),
                      other_sort);
    } else {
      problems_.error(where, element, fmt::format("{} has {} coordinates", what, count),
                      fmt::format("add 'coordinate', 1 to {}", count));
    }
    return std::nullopt;
  }
  const int index = asked->value - 1;
  const SourceLocation& at = first_known(asked->where, where);
  if (index < 0 || index >= count) {
    problems_.error(at, element, fmt::format("{} has no coordinate {}", what, asked->value),
                    count == 1 ? "it has only 1" : fmt::format("give 1 to {}", count));
  } else if (is_vector(index)) {
    problems_.error(at, element,
                    fmt::format("coordinate {} of {} is part of a rotation vector, which has no angles of its own",
                                asked->value, what),
                    "use a joint with one or two angles");
  } else if (!fits(index)) {
    problems_.error(at, element,
                    fmt::format("coordinate {} of {} is {}", asked->value, what,
                                sort == CoordinateSort::angle ? "a translation" : "an angle"),
                    other_sort);
  } else {
    return index;
  }
  return std::nullopt;
}

bool Resolver::check_function(const Located<Function>& function, double at, bool derivatives,
                              const std::string& element, const SourceLocation& where, const char* variable) {
  const Function::Value value = function.value.evaluate(at);
  const char* what = !std::isfinite(value.f)                   ? "the function"
                     : derivatives && !std::isfinite(value.d1) ? "the first derivative of the function"
                     : derivatives && !std::isfinite(value.d2) ? "the second derivative of the function"
                                                               : nullptr;
  if (what == nullptr) return true;
  problems_.error(first_known(function.where, where), element,
                  fmt::format("{} is not finite at the start ({} = {:.6g})", what, variable, at),
                  "change it so that it has a value there");
  return false;
}

namespace {

template <class T>
std::vector<T>& list_of(Mechanism& m) {
  if constexpr (std::is_same_v<T, SpringDamper>) return m.springs;
  if constexpr (std::is_same_v<T, JointSpringDamper>) return m.joint_springs;
  if constexpr (std::is_same_v<T, Bushing>) return m.bushings;
  if constexpr (std::is_same_v<T, CustomWrench>) return m.custom_wrenches;
  if constexpr (std::is_same_v<T, Rotor>) return m.rotors;
  if constexpr (std::is_same_v<T, PointForce>) return m.forces;
  if constexpr (std::is_same_v<T, Torque>) return m.torques;
  if constexpr (std::is_same_v<T, Actuator>) return m.actuators;
  if constexpr (std::is_same_v<T, LineForce>) return m.line_forces;
  if constexpr (std::is_same_v<T, Tyre>) return m.tyres;
  if constexpr (std::is_same_v<T, Contact>) return m.contacts;
  if constexpr (std::is_same_v<T, Coupler>) return m.couplers;
  if constexpr (std::is_same_v<T, Driver>) return m.drivers;
  if constexpr (std::is_same_v<T, KnifeEdge>) return m.knife_edges;
  if constexpr (std::is_same_v<T, RollingDisc>) return m.rolling_discs;
  if constexpr (std::is_same_v<T, Sensor>) return m.sensors;
}

/// Everything was found when the fields were checked.
class LoweringInto final : public Lowering {
 public:
  LoweringInto(Resolver& resolver, const Element& element, Mechanism& result)
      : resolver_(resolver),
        name_(element.name()),
        element_(element_label(element.kind().section, name_.value)),
        is_driver_(std::string_view(element.kind().section) == "driver"),
        result_(result) {}

  const Mechanism& mechanism() const override { return result_; }
  int body(const Name& name) override { return resolver_.find_body(name, element_).value(); }
  int road(const Name& name) override { return resolver_.find_road(name, element_, name_.where).value(); }
  int joint(const Name& name) override { return resolver_.find_joint(name, element_).value(); }
  std::optional<Coordinate> coordinate(const Name& name, const std::optional<Located<int>>& index, CoordinateSort sort,
                                       const char* other_sort) override {
    const int joint = this->joint(name);
    const auto found =
        resolver_.find_coordinate(joint, index, sort, element_, first_known(name.where, name_.where), other_sort);
    if (!found) return std::nullopt;
    const std::vector<double>& drawn = result_.joints[static_cast<std::size_t>(joint)].drawn;
    const auto i = static_cast<std::size_t>(*found);
    const double value = i < drawn.size() ? drawn[i] : 0;
    return resolver_.with_start({joint, *found, value, value}, name.value);
  }
  Vec3 place(const Place& place) override { return resolver_.find_place(place, element_).value(); }
  Vec3 direction(const Direction& direction) override {
    return resolver_.find_direction(direction, element_, "").value();
  }
  std::pair<Frame, Frame> frames(const std::optional<Place>& at1, const std::optional<Place>& at2,
                                 const std::optional<AxesSpec>& axes, const Provenance& provenance) override {
    const AxesImage& image = noted(provenance).image;
    const Mat3 given = axes ? resolver_.find_axes(*axes, element_, image).value() : Mat3(Mat3::Identity());
    const auto frame = [&](const Place& at, const Vec3& signs) -> Frame {
      const Marker* marker = axes ? nullptr : resolver_.marker_named(at.name);
      return {place(at), marker == nullptr ? carried_over(given, image) : Mat3(marker->axes * signs.asDiagonal())};
    };
    const Frame frame1 = frame(at1.value(), noted(provenance).marker_signs1);
    return {frame1, at2 ? frame(*at2, noted(provenance).marker_signs2) : frame1};
  }

  void error(const SourceLocation& where, const std::string& message, const std::string& remedy) override {
    resolver_.problems().error(first_known(where, name_.where), element_, message, remedy);
  }
  void warning(const SourceLocation& where, const std::string& message, const std::string& remedy) override {
    resolver_.problems().warning(first_known(where, name_.where), element_, message, remedy);
  }
  void check_law(const std::optional<Located<Function>>& law, double start) override {
    if (law) resolver_.check_function(*law, start, false, element_, name_.where, "x");
  }
  Law law(const Located<Varying>& number) override {
    return resolver_.law(number, element_, name_.where,
                         is_driver_ ? Resolver::Follower::driver : Resolver::Follower::load);
  }
  Law given_law(const Located<Varying>& number) override {
    return resolver_.law(number, element_, name_.where, Resolver::Follower::given);
  }
  void add_state(const std::string& quantity, const char* unit, double start, double scale,
                 const Varying& rate) override {
    const std::string name = signal_name(name_, quantity);
    if (!is_new(name)) return;
    resolver_.add_state({.name = name, .where = name_.where, .start = start, .scale = scale, .unit = unit}, rate,
                        element_, name_.where);
  }
  void add_signal(const std::string& quantity, const char* unit, const Located<Varying>& value) override {
    const std::string name = signal_name(name_, quantity);
    if (is_new(name)) resolver_.add_signal(name, unit, value, element_, name_.where);
  }
  void add_sum(const std::string& quantity, const char* unit) override {
    const std::string name = signal_name(name_, quantity);
    if (is_new(name)) resolver_.declare_sum(name, unit, element_, name_.where);
  }
  void add_to(const Name& element, const std::string& quantity, const Varying& term) override {
    resolver_.add_term(signal_name(element, quantity), term, element_, name_.where);
  }
  std::string kind_of(const Name& element) override {
    const Element* found = resolver_.element_named(element.value);
    return found == nullptr ? "" : found->kind().name;
  }
  void add(Primitive primitive) override {
    std::visit(
        [this](auto& load) {
          using T = std::decay_t<decltype(load)>;
          auto& list = list_of<T>(result_);
          const char* many = nullptr;  // of which columns would have one name
          if constexpr (std::is_same_v<T, SpringDamper>) many = "two springs";
          if constexpr (std::is_same_v<T, KnifeEdge>) many = "two knife edges";
          if constexpr (std::is_same_v<T, RollingDisc>) many = "two discs";
          if constexpr (std::is_same_v<T, CustomWrench>) many = "two wrenches";
          if constexpr (std::is_same_v<T, Sensor>) many = "two sensors";
          if (many != nullptr && !list.empty() && list.back().name == name_.value) {
            return error({}, fmt::format("it becomes {}, whose columns would have one name", many),
                         "let the second be an element of its own");
          }
          if (!is_whole(load)) return error({}, "it has no law", "give it the C++ function");
          if constexpr (std::is_same_v<std::decay_t<decltype(load)>, CustomWrench>) {
            if (!remembers_well(load)) return;
            load.memory_at = result_.load_memory;
            result_.load_memory += load.memory;
          }
          if constexpr (std::is_same_v<T, Contact>) {
            load.memory_at = result_.load_memory;
            result_.load_memory += load.memory;
          }
          load.name = load.name.empty() ? name_.value : signal_name(name_, load.name);
          load.where = name_.where;
          list.push_back(std::move(load));
        },
        primitive);
  }

 private:
  bool is_new(const std::string& signal) {
    if (!resolver_.has_signal(signal)) return true;
    error({}, fmt::format("it has two signals called '{}'", signal), "give the second another name");
    return false;
  }
  bool remembers_well(const CustomWrench& wrench) {
    if (wrench.memory < 0 || wrench.memory > kMostRemembered) {
      error({}, fmt::format("it asks for {} numbers to remember", wrench.memory),
            fmt::format("ask for 0 to {}", kMostRemembered));
      return false;
    }
    if (wrench.memory == 0 || wrench.remember) return true;
    error({}, "it has a memory that nothing fills", "give 'remember'");
    return false;
  }
  template <class T>
  static bool is_whole(const T&) {
    return true;
  }
  static bool is_whole(const CustomWrench& wrench) { return wrench.law != nullptr; }
  static bool is_whole(const Sensor& sensor) { return sensor.value != nullptr; }

  Resolver& resolver_;
  const Name& name_;
  std::string element_;
  bool is_driver_;
  Mechanism& result_;
};

}  // namespace

/// Initial values are those of joints with one coordinate.
Lowering::Coordinate Resolver::with_start(Lowering::Coordinate coordinate, const std::string& joint) const {
  for (const InitialSpec& initial : spec_.initial) {
    if (initial.name.value != joint) continue;
    if (initial.joint_position) coordinate.initial = initial.joint_position->value;
    if (initial.joint_velocity) coordinate.initial_rate = initial.joint_velocity->value;
  }
  return coordinate;
}

void Resolver::resolve_elements() {
  for (Element element : spec_.elements) {  // a copy: visitors of fields may write
    const std::size_t before = problems_.error_count();
    const bool sound = !noted(element).incomplete && check_fields(*this, element, spec_.planar);
    if (sound) {
      LoweringInto to(*this, element, result_);
      element.lower(to);
    }
    if (!sound || problems_.error_count() > before) signals_.miss_those_of(element.name().value);
  }
  resolve_sums();
}

}  // namespace cardan
