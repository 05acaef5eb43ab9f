// How what a mechanism shows changes with an input at once, the motion and the states being as they are: exact
// derivatives, by the chain rule along the signals. Positions, velocities and states follow no input before a step is
// taken; efforts of actuators and pulls along lines follow the signals of their laws; what needs accelerations, and
// forces of other elements, is not known here.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

/// Whether a value follows an input at once.
enum class FollowsInput { no, yes, unknown };

class InputDerivatives {
 public:
  InputDerivatives(const Mechanism& mechanism, const std::vector<std::string>& columns);

  /// Of a column, by the index of the input in the mechanism. Allocates nothing, as all that follows.
  FollowsInput follows(int column, int input);
  /// Derivatives of all columns, NaN of those that are not known. `phase` is the mechanism, or what events have left of
  /// it, `values` are those of its signals.
  void find(const Mechanism& phase, const VecX& values, int input, double* row);

 private:
  /// What a column shows.
  struct Source {
    enum class Of { motion, input, signal, actuator, line_force, unknown };
    Of of = Of::unknown;
    int index = -1;  // of the mechanism
  };
  void visit(int signal, std::vector<char>& visited);
  int signal_of(const Source& source) const;
  bool is_on(const Source& source, const Mechanism& phase) const;
  void look_at_all(const std::vector<Signal>& signals, int input);
  FollowsInput look(const Signal& signal, int input) const;
  double derivative(const Signal& signal, const VecX& values, int input) const;
  double by_rate_of(const std::vector<Signal>& signals, int argument, int input) const;

  const std::vector<Input> inputs_;
  const std::vector<Signal> signals_;
  const std::vector<Actuator> actuators_;
  const std::vector<LineForce> line_forces_;
  std::vector<Source> sources_;        // of every column
  std::vector<int> order_;             // of signals: behind those that they are made of
  std::vector<FollowsInput> follows_;  // of every signal
  std::vector<double> slopes_;         // likewise
};

}  // namespace cardan
