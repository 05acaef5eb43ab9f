// The signals of a mechanism by name: those that the model names, those that its elements have, and those that laws are
// made of. Names are looked up when everything is known, levels and cycles are checked then.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/specs.hpp"
#include "mechanism/problems.hpp"

namespace cardan {

class SignalTable {
 public:
  SignalTable(Mechanism& mechanism, Problems& problems) : m_(mechanism), problems_(problems) {}

  /// What an element follows: -1 for functions of time alone.
  Law law(const Varying& number, const std::string& element, const SourceLocation& where);
  /// The same as one signal, functions of time included.
  int signal(const Varying& number, const std::string& element, const SourceLocation& where);
  int add(Signal signal);
  /// Under a name that expressions may use.
  void name(int signal, const std::string& name, const std::string& unit, const SourceLocation& where);

  bool has(const std::string& name) const { return named_.count(name) > 0; }
  /// An element with mistakes, reported already, has no signals; what names them is not to blame.
  void miss_those_of(const std::string& element) { missed_.insert(element); }
  bool misses(const std::string& name) const { return missed_.count(name.substr(0, name.rfind('.'))) > 0; }
  /// Gives it a column, unless it is one by itself.
  void show(const std::string& name, const std::string& element, const SourceLocation& where);

  /// After the last element: finds what expressions name, then levels. Reports what is unknown, depends on itself, or
  /// is not known where it is asked for.
  void resolve();
  /// How high the level of something that follows a signal may be, and why not more.
  void require(int signal, SignalLevel most, const std::string& element, const SourceLocation& where, const char* why);

 private:
  struct Pending {
    int signal;
    std::string element;
    SourceLocation where;
  };
  struct Requirement {
    int signal;
    SignalLevel most;
    std::string element;
    SourceLocation where;
    const char* why;
  };
  int expression_signal(const SignalExpression& expression, const std::string& element, const SourceLocation& where);
  int time();
  std::optional<int> find(const std::string& name, const Pending& from);
  // element_signals.cpp
  std::optional<int> find_quantity(const std::string& name);
  std::optional<int> of_body(int body, const std::string& field);
  std::optional<int> of_point(int body, const Vec3& point, const std::string& field);
  std::optional<int> of_joint(int joint, const std::string& field);
  std::optional<int> of_load(const std::string& element, std::string field);
  int of_line(const Vec3& point1, const Vec3& point2, const Signal& ends);
  int of_actuator(int actuator);
  int of_tyre(int tyre, int component);
  int relative_spin(const Joint& joint, int axis);
  int component(const std::array<Law, 3>& laws, int axis, int body, bool body_axes);
  int value_of(const Law& law);
  int sum(const std::vector<double>& factors, std::vector<int> parts);
  int product(int one, int other);

  void take_over_units();
  void unknown(const std::string& name, const Pending& from);
  bool find_level(int signal, std::vector<int>& path);
  std::string label(int signal) const;

  Mechanism& m_;
  Problems& problems_;
  std::map<std::string, int> named_;
  std::set<std::string> missed_;
  std::vector<Pending> pending_;
  std::vector<Requirement> required_;
  std::vector<int> shown_;  // expressions, each of the one signal that is shown
  std::vector<char> visited_;
};

}  // namespace cardan
