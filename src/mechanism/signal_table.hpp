// The signals of a mechanism by name: those that the model names, those that its elements have, and those that laws are
// made of. Names are looked up when everything is known, levels and cycles are checked then.
#pragma once

#include <map>
#include <optional>
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
  std::optional<int> find_field(const std::string& name);
  std::optional<Signal> of_body(int body, const std::string& field) const;
  std::optional<Signal> of_joint(int joint, const std::string& field) const;
  std::optional<int> value_of(const Law& law);
  void unknown(const std::string& name, const Pending& from);
  bool find_level(int signal, std::vector<int>& path);
  std::string label(int signal) const;

  Mechanism& m_;
  Problems& problems_;
  std::map<std::string, int> named_;
  std::vector<Pending> pending_;
  std::vector<Requirement> required_;
  std::vector<int> shown_;  // expressions, each of the one signal that is shown
  std::vector<char> visited_;
};

}  // namespace cardan
