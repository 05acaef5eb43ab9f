// The signals of a mechanism at the level of bodies: leaves, which look at time, inputs, states, poses and twists, and
// what is made of them, evaluated in order with exact derivatives.
//
// A leaf that looks at bodies has one wrench W: for changes of the motion, dleaf = k W . (dq) + c W . (dv), with
// (k, c) = (1, 0) for values and (0, 1) for rates. As in the tangents of loads, how W turns with the bodies is left out
// of the derivatives of rates; values are exact. The force of a contact has wrenches of its own on all bodies that
// touch, for motions and for velocities.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "formulation/measure.hpp"
#include "math/flat_program.hpp"

namespace cardan {

template <int D>
class BodyModel;

/// Where a driver that follows a signal is at a time and the inputs there: an iteration asks many times.
struct DriverPath {
  Function::Value value;
  double t = std::numeric_limits<double>::quiet_NaN();  // of the value; NaN: not known
};

/// A signal that is no finite number, for messages.
struct BrokenSignal {
  std::string sentence;     // with what it is made of; empty: there is none
  bool is_written = false;  // as an expression of the model, which can be mended there
};

/// Values of one evaluation. Written by SignalFormulation, read by whoever follows signals.
struct SignalValues {
  std::vector<Function::Value> inputs;        // as signals see them, with their rates in time
  std::vector<DriverPath> paths;              // of every driver
  VecX states;                                // z
  std::vector<Function::Value> along;         // one for each signal: value, and for those that rates are taken of d/dt
  VecX value;                                 // one for each signal
  VecX gradient;                              // of what is followed with respect to its bases, one after the other
  std::vector<double> place, slope, partial;  // of the program of what is followed
  std::vector<double> kept;  // of each of its results: f0, then x0 and f' of all that it is made of, where f' was taken
  Eigen::Matrix<double, 6, Eigen::Dynamic> wrench;  // W of each leaf that is followed, where gradients were asked for
  std::vector<double> known;   // of each leaf that is a coordinate, or rate of one, of the formulation itself: it
  std::vector<char> is_known;  // writes these, see BodyFormulation::own_coordinate()
  VecX contact;                // ContactSet::kTotals of every contact, where a signal looks at one
  // Of each contact that is followed: on every body, and ground, likewise.
  Eigen::Matrix<double, 6, Eigen::Dynamic> by_motion, by_velocity;
};

template <int D>
bool same_measure(const Measure<D>& a, const Measure<D>& b) {
  return a.kind == b.kind && a.body1 == b.body1 && a.body2 == b.body2 && a.point1 == b.point1 && a.point2 == b.point2 &&
         a.e1 == b.e1 && a.e2 == b.e2 && a.f1 == b.f1 && a.f2 == b.f2 && a.axis == b.axis &&
         a.axis_on_body2 == b.axis_on_body2;
}

template <int D>
class SignalSet {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  /// A leaf that looks at bodies.
  struct Leaf {
    enum class Sort { value, rate, velocity, spin, tension, contact };
    Sort sort = Sort::value;
    int signal = -1;
    int body1 = 0, body2 = 0;  // whose twists count
    Measure<D> measure;        // of velocity: whose e1 is the direction and P2 the point; of spin: e1
    int coordinate = -1;       // of a joint's coordinate or its rate: which one
    int turns_of = -1;         // of angles: what continues them
    int load = -1;             // of tension: which scalar load; of contact: which one
    int component = 0;         // of contact: among ContactSet::kTotals
    int contact = -1;          // of contact: among those that are followed
    int row = -1;              // among rows_of_leaves(), where its W is a row of the tangents by itself
    int shares = -1;           // of value and rate: a leaf before it with the same W
    bool is_shared = false;
  };
  /// What a signal depends on: a leaf, the rate of one that is a value, or a state.
  struct Base {
    enum class Of { leaf, rate_of_leaf, state };
    int index;
    Of of = Of::leaf;
    bool operator==(const Base&) const = default;
  };

  explicit SignalSet(const BodyModel<D>& model);

  bool empty() const { return order_.empty(); }
  /// Those that loads and states follow come first.
  const std::vector<Leaf>& leaves() const { return leaves_; }
  /// What follows more leaves than kFew, or a contact, has the sum of their W, each times its slope, for a row of the
  /// tangents; leaves of what follows fewer are rows of their own, which many may share.
  static constexpr int kFew = 4;
  bool sums_leaves(int signal) const;
  const std::vector<int>& rows_of_leaves() const { return rows_of_leaves_; }
  const std::vector<Base>& bases(int signal) const { return nodes_[signal].bases; }
  /// Derivatives of a signal with respect to its bases.
  const double* gradient(int signal, const SignalValues& values) const {
    return values.gradient.data() + nodes_[signal].gradient_at;
  }

  SignalValues make_values() const;
  /// All signals that are known at the level of velocities; inputs and states are in `values`. What only columns show
  /// is left out unless `all`.
  void evaluate(double t, const BodyKinematics<D>& k, const VecX& turns, bool all, SignalValues& values) const;
  /// What loads and states follow, with gradients. With `may_keep` these, and W, stay as they were taken last if they
  /// foretell the values well: enough for Newton's method, which goes on from there. Returns true when they did.
  bool differentiate(double t, const BodyKinematics<D>& k, const VecX& turns, bool may_keep,
                     SignalValues& values) const;
  /// Of the values of the last evaluation the first that is no finite number, though all that it is made of is: its
  /// name or text, and the values that it was given. Empty when there is none.
  BrokenSignal broken(const SignalValues& values) const;
  /// W of a leaf: on body 2, and the opposite on body 1.
  Twist wrench(const Leaf& leaf, const BodyKinematics<D>& k) const;
  /// The same after differentiate().
  auto wrench(int leaf, const SignalValues& values) const { return values.wrench.col(leaf).template head<S::kTwist>(); }
  /// Adds those of a contact, times a factor, to what acts on the bodies.
  void add_contact(const Leaf& leaf, double factor, const SignalValues& values, std::vector<Twist>& by_motion,
                   std::vector<Twist>& by_velocity) const;

 private:
  struct Node {
    std::vector<Base> bases;
    int gradient_at = 0;
    int leaf = -1;
    bool followed = false;   // by a load or a state
    bool has_along = false;  // a rate is taken of it, or of what it is part of
  };
  void mark_followed();
  void visit(int signal);
  void list_rows();
  void write_program();
  FlatProgram::Sum add_to_program(int signal, const std::vector<FlatProgram::Sum>& made);
  void add_result(int signal, const FlatProgram::Sum& sum);
  void add_leaf(int signal);
  void share_gradients();
  void find_bases(int signal);
  void mark(int signal, bool Node::*flag);
  void evaluate_followed(double t, const BodyKinematics<D>& k, const VecX& turns, SignalValues& values) const;
  template <bool Wrenches>
  void read_given(double t, const BodyKinematics<D>& k, const VecX& turns, SignalValues& values) const;
  template <bool Gradients>
  void run(const BodyKinematics<D>& k, SignalValues& values) const;
  bool foretold(const SignalValues& values) const;
  /// What touches, for leaves that look at contacts.
  void see_contacts(const BodyKinematics<D>& k, const VecX& turns, bool wrenches, SignalValues& values) const;
  double contact_value(const Leaf& leaf, const SignalValues& values) const {
    return values.contact[leaf.load * (2 + D) + leaf.component];
  }
  /// Of the program: what is no expression.
  template <bool Gradients>
  double call(int signal, const std::vector<int>& arguments, double* partial, const BodyKinematics<D>& k,
              const SignalValues& values) const;
  /// Of leaves, time, inputs, states and rates.
  double given_value(int signal, double t, const SignalValues& values) const;
  /// Value of a leaf that is followed; its W where somebody asks for it.
  template <bool Wrenches>
  double evaluate_leaf(int leaf, const BodyKinematics<D>& k, const VecX& turns, SignalValues& values) const;
  /// Value and W.
  typename Measure<D>::Evaluation evaluate(const Leaf& leaf, const BodyKinematics<D>& k, const VecX& turns) const;
  void tyre_partials(const Signal& signal, const SignalValues& values, double* partial) const;
  Function::Value along_arguments(int signal, double t, const SignalValues& values) const;

  const BodyModel<D>& model_;
  const std::vector<Signal>& signals_;
  std::vector<Node> nodes_;  // one for each signal
  std::vector<Leaf> leaves_;
  std::vector<int> order_;           // of evaluation, leaves included, sampled ones left out
  std::vector<int> followed_;        // the first of them
  std::vector<int> sinks_;           // signals that loads follow themselves, and rates of states
  std::vector<int> rows_of_leaves_;  // indices into leaves_
  std::vector<int> contacts_;        // likewise, of contacts that are followed
  bool shows_contacts_ = false;      // a signal looks at one
  bool may_keep_ = true;             // nothing is followed whose W changes faster than the bodies move
  FlatProgram program_;              // of what is followed
  /// What the program is given, and signals that rates are taken of, in order.
  struct Given {
    int signal, place;  // place: -1 of the latter
    int leaf;           // or -1
    bool has_along;     // see Node
  };
  std::vector<Given> given_;
  std::vector<int> signal_at_;  // of the places that are given
  /// A result of the program: a sink, or what a rate is taken of.
  struct Result {
    struct Entry {
      int place, base;  // of what is given, among the bases of the signal
      int rate;         // of a rate: where the derivative of its argument stands among the gradients; or -1
    };
    int signal;
    std::vector<Entry> entries;
  };
  std::vector<Result> results_;
  std::vector<char> visited_;
  int gradient_size_ = 0;
  std::size_t kept_size_ = 0;
};

}  // namespace cardan
