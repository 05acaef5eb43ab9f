// Which tables a motion has left: looked at after every step, at places that were accepted, so that iterates may go
// anywhere. Most mechanisms have none, and then nothing is done.
#pragma once

#include <string>
#include <vector>

#include "formulation/body_model.hpp"

namespace cardan {

/// A table whose end was passed.
struct LeftTable {
  std::string table;  // "load 'bump', x": the element and what the table is a function of
  std::string sentence;
  double time;  // when it was first left, s
  bool ends_run;
};

/// `of`: what the table is a function of, with its value when the end was passed.
LeftTable left_table(const std::string& element, const char* of, double value, double time,
                     const Function::PassedEnd& end);

template <int D>
class TableWatch {
 public:
  explicit TableWatch(const BodyModel<D>& model);

  bool empty() const { return tables_.empty(); }
  /// Notes the tables that do not reach the arguments of this instant. False when one of them ends the run. `turns` is
  /// Context::memory.
  bool look(double t, const BodyKinematics<D>& k, const VecX& turns);
  std::vector<LeftTable> left() const;

 private:
  enum class Argument { time, elongation, rate };
  struct Watched {
    std::string element;
    Function function;
    Argument argument;
    int load = -1;  // index of the scalar load whose elongation or rate it takes
    bool left = false;
    Function::PassedEnd end{};
    double value = 0, time = 0;  // of the argument when it was first left, and when that was
  };
  void watch(const std::string& kind, const std::string& name, const Function& function,
             Argument argument = Argument::time, int load = -1);

  const BodyModel<D>& model_;
  std::vector<Watched> tables_;
};

}  // namespace cardan
