// The equations that joints, couplers and drivers impose, each a short sum of measures:
//     Phi = sum of weight s  -  offset  -  position(t)
// Most have one term; screws and couplers tie two measures together. An angle counts over full turns. Edges and discs
// that roll add velocities that are no rates, the last rows, whose Phi is zero.
//
// A rotation R(t) of frame 2 (axes b) in frame 1 (axes a) is driven by the sines of the turns that are left about each
// axis i, with j and k those that follow it:
//     Phi = sum over n of (R_nk a_n . b_j - R_nj a_n . b_k) / 2
// so that the terms of these rows have factors that vary in time: Phi = sum of weight R s.
#pragma once

#include "formulation/body_model.hpp"
#include "formulation/held_rows.hpp"
#include "math/rotation_path.hpp"

namespace cardan {

template <int D>
class ConstraintRows {
 public:
  using Twist = typename Space<D>::Twist;
  struct Term {
    Measure<D> measure;
    double weight = 1;
    int turns_of = -1;  // index of the joint coordinate whose full turns it counts, or -1
    int n = 0, m = 0;   // of a driven rotation: R_nm is its factor
  };
  struct Row {
    int first, last;  // range in terms()
    double offset = 0;
    double period = 0;      // Phi counts modulo this; 0: as it is
    int driver = -1;        // index of the driver, or -1
    std::string name = {};  // "pin position x"
    const RotationPath* rotation = nullptr;
    bool is_plain = false;      // nothing but one component along an axis, as most rows are
    bool shares_place = false;  // likewise, and between the points of the row before
  };
  /// What the terms of a row are multiplied with at an instant, with its derivatives: 1 but for driven rotations.
  class Factors {
   public:
    Factors(const Row& row, double t) : moves_(row.rotation != nullptr) {
      if (moves_) motion_ = row.rotation->evaluate(t);
    }
    Function::Value operator()(const Term& term) const {
      return moves_ ? motion_.entry(term.n, term.m) : Function::Value{1, 0, 0};
    }

   private:
    bool moves_;
    RotationPath::Motion motion_;
  };

  explicit ConstraintRows(const BodyModel<D>& model) : model_(model) {}
  /// In this order: joints, couplers, drivers, discs, velocities.
  void add_joint(int joint);
  /// The row of a screw that ties its translation to its angle; nothing for other joints.
  void add_pitch(int joint);
  void add_couplers();
  void add_drivers();
  /// The heights of discs over their planes.
  void add_discs();
  /// Of knife edges, then of discs.
  void add_velocities();

  /// Makes the rows of joints that take hold under way what the state holds (Context::attached).
  void hold(const VecX& attached) {
    if (held_.empty()) return;
    held_.hold(attached, [this](int term) -> Measure<D>& { return terms_[term].measure; });
  }

  int size() const { return static_cast<int>(rows_.size()); }
  /// How many of them, the last ones, are of velocities alone.
  int velocities() const { return velocities_; }
  /// What the Phi of every row is measured in: 1 for angles and cosines, `length` for lengths.
  VecX scales(double length) const;
  const std::vector<Term>& terms() const { return terms_; }
  const std::vector<Row>& rows() const { return rows_; }
  /// sum of weight s - offset, of rows that are not driven rotations, angles continued from `turns`
  /// (BodyModel::turns_size()).
  double value(int row, const BodyKinematics<D>& k, const VecX& turns) const;
  /// Of a driver; zeros for other rows.
  Function::Value position_of(int row, double t, const BodyKinematics<D>& k) const;
  /// x shifted by whole periods to lie next to zero.
  double wrapped(int row, double x) const;

  /// W of every term, times its factor, Phi and Phi_t of every row.
  void position(double t, const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& gradient, double* phi,
                double* phi_t) const;
  /// Phi'' at zero second derivatives of the coordinates (k.bias counts), as it stands on the left of Phi_q a.
  [[gnu::noinline]] double bias(int row, double t, const BodyKinematics<D>& k,
                                const std::vector<Twist>& gradient) const;
  /// gamma = -bias of every row.
  void gamma(double t, const BodyKinematics<D>& k, const std::vector<Twist>& gradient, double* gamma) const;

 private:
  void add(const Measure<D>& measure, const std::string& name);
  void find_plain(std::size_t first);
  void add_turn(const typename BodyModel<D>::DriverEquation& driver);
  /// Of a row that is not plain. Never where it is called: position() is to stay short.
  [[gnu::noinline]] void evaluate(int row, double t, const BodyKinematics<D>& k, const VecX& turns,
                                  std::vector<Twist>& gradient, double& phi, double& phi_t) const;
  void driven_turn(const Row& row, double t, const BodyKinematics<D>& k, std::vector<Twist>& gradient, double& phi,
                   double& phi_t) const;
  static double weighed(const Term& term, double s, const VecX& turns) {
    return term.weight * (term.turns_of < 0 ? s : nearest_turn(s, turns[term.turns_of]));
  }

  const BodyModel<D>& model_;
  std::vector<Term> terms_;
  std::vector<Row> rows_;
  HeldRows<D> held_;  // by term
  int velocities_ = 0;
};

}  // namespace cardan
