// Laws of loads and of time on a tape, with those of neighbouring mechanisms beside them: which parameters they change
// with, and how much at an instant.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "ensemble/lane_model.hpp"
#include "ensemble/lane_time.hpp"
#include "gradients/taped_step.hpp"
#include "math/dual.hpp"

namespace cardan {

/// A law whose outputs depend on some numbers.
struct TapedLaw {
  std::vector<double> in, out, slopes;  // slopes: of every output by every input
  std::vector<std::int64_t> leaves;     // of the outputs, where a parameter changes the law
};

/// Of one mechanism: loads first, then tyres, then what depends on time alone.
template <int D>
class LawSet {
 public:
  static constexpr int kTyreRows = TyreModel<D>::kRows, kTyreOut = 2 * D + kTyreRows * (2 * D + 2);
  LawSet(const BodyModel<D>& model, const Mechanism& mechanism) : model_(model), mechanism_(mechanism) {}

  std::size_t loads() const { return model_.scalar_loads().size(); }
  std::size_t size() const { return loads() + model_.tyres().size() + 1; }
  /// Force, stiffness and damping of a load at elongation and rate; force, moment and rows of a tyre at centre, axle
  /// and velocity; all that depends on time.
  void evaluate(std::size_t law, const VecX& inputs, const std::vector<double>& in, std::vector<double>& out) {
    if (law < loads()) {
      const auto& load = model_.scalar_loads()[law];
      const Function::Value spring = load.spring.evaluate(in[0]), damper = load.damper.evaluate(in[1]);
      out.assign({spring.f + damper.f, spring.d1, damper.d1});
    } else if (law + 1 < size()) {
      tyre(law - loads(), in, out);
    } else {
      out.clear();
      each_law_of_time<D>(model_, mechanism_, inputs, in[0], seen_, [&](double value) { out.push_back(value); });
    }
  }
  /// Derivatives of what evaluate() gives by what it takes: of the rows of tyres by differences of fourth order.
  void differentiate(std::size_t law, const std::vector<double>& in, double size, std::vector<double>& slopes) {
    if (law < loads()) {
      const auto& load = model_.scalar_loads()[law];
      const Function::Value spring = load.spring.evaluate(in[0]), damper = load.damper.evaluate(in[1]);
      slopes.assign({spring.d1, damper.d1, spring.d2, 0, 0, damper.d2});
      return;
    }
    slopes.assign(in.size() * kTyreOut, 0);
    differentiate_tyre(law - loads(), in, slopes);
    std::vector<double> at = in;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double step = size * (i < D || i >= 2 * D ? 1 : 1e-2);
      for (const auto& [times, weight] : kFivePoints) {
        at[i] = in[i] + times * step;
        tyre(law - loads(), at, side_);
        for (std::size_t j = 2 * D; j < side_.size(); ++j) slopes[j * in.size() + i] += weight / (12 * step) * side_[j];
      }
      at[i] = in[i];
    }
  }

 private:
  /// Of force and moment.
  void differentiate_tyre(std::size_t index, const std::vector<double>& in, std::vector<double>& slopes) const {
    using Number = Dual<3 * D>;
    SmallVector<Number, D> c, a, v;
    for (int i = 0; i < D; ++i) {
      c[i] = Number::variable(in[i], i);
      a[i] = Number::variable(in[D + i], D + i);
      v[i] = Number::variable(in[2 * D + i], 2 * D + i);
    }
    const TyreForce<Number, D> f = model_.tyres()[index].template evaluate<Number>(c, a, v);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < 3 * D; ++j) {
        slopes[static_cast<std::size_t>(3 * D * i + j)] = f.force[i].d[j];
        slopes[static_cast<std::size_t>(3 * D * (D + i) + j)] = f.moment[i].d[j];
      }
  }
  void tyre(std::size_t index, const std::vector<double>& in, std::vector<double>& out) {
    SmallVector<double, D> c, a, v;
    for (int i = 0; i < D; ++i) c[i] = in[i], a[i] = in[D + i], v[i] = in[2 * D + i];
    const TyreForce<double, D> f = model_.tyres()[index].force(c, a, v);
    out.clear();
    for (int i = 0; i < D; ++i) out.push_back(f.force[i]);
    for (int i = 0; i < D; ++i) out.push_back(f.moment[i]);
    for (const TyreRow<D>& row : TyreModel<D>::rows(f)) {
      for (int i = 0; i < D; ++i) out.push_back(row.direction[i]);
      for (int i = 0; i < D; ++i) out.push_back(row.arm[i]);
      out.push_back(row.stiffness);
      out.push_back(row.damping);
    }
  }

  const BodyModel<D>& model_;
  const Mechanism& mechanism_;
  std::vector<Function::Value> seen_;
  std::vector<double> side_;
};

/// Laws of the neighbours of a mechanism. A law that a parameter does not change need not be asked at every instant: it
/// is asked at one of sixteen, and whether it has changed after all is told, so that everything can be done again.
template <int D>
class LawNeighbours {
 public:
  static constexpr std::size_t kProbed = 16;

  LawNeighbours(const std::vector<TapedNeighbour>& neighbours, std::size_t laws) {
    for (const TapedNeighbour& n : neighbours)
      sides_.push_back({{relative_formulation<D>(*n.plus)->model(), *n.of_plus},
                        {relative_formulation<D>(*n.minus)->model(), *n.of_minus},
                        &n.plus->state.inputs,
                        &n.minus->state.inputs,
                        n.change,
                        std::vector<char>(laws, 0)});
    changed_.assign(laws, 0);
    // Most are found at once.
    for (const double x : {0.0, 1e-3, 0.05, 0.7, 11.0, -1e-3, -0.05, -0.7})
      for (std::size_t law = 0; law < laws; ++law) {
        const bool is_load = !sides_.empty() && law < sides_.front().plus.loads();
        if (is_load || law + 1 == laws)
          for (std::size_t p = 0; p < sides_.size(); ++p) ask(p, law, {is_load ? x : std::abs(x), x});
      }
    surprised_ = false;
  }
  bool changes(std::size_t law) const { return changed_[law] != 0; }
  /// True when a law was found to change that was not known to.
  bool surprised() const { return surprised_; }
  void forget_surprise() { surprised_ = false; }

  /// Derivatives of the law's outputs by every parameter that changes it, to `visit(parameter, slopes)`.
  template <class Visit>
  void each(std::size_t law, const std::vector<double>& in, const Visit& visit) {
    ++asked_;
    for (std::size_t p = 0; p < sides_.size(); ++p) {
      const Side& side = sides_[p];
      if (!side.changed[law] && (p + law + asked_ / changed_.size()) % kProbed != 0) continue;
      if (!ask(p, law, in)) continue;
      for (std::size_t j = 0; j < up_.size(); ++j) up_[j] = (up_[j] - down_[j]) / side.change;
      visit(p, up_);
    }
  }

 private:
  struct Side {
    LawSet<D> plus, minus;
    const VecX *plus_inputs, *minus_inputs;
    double change;
    std::vector<char> changed;
  };
  /// True where the law changes with the parameter, as far as it is known.
  bool ask(std::size_t parameter, std::size_t law, const std::vector<double>& in) {
    Side& side = sides_[parameter];
    side.plus.evaluate(law, *side.plus_inputs, in, up_);
    side.minus.evaluate(law, *side.minus_inputs, in, down_);
    if (!side.changed[law] && up_ != down_) {
      surprised_ = true;
      side.changed[law] = changed_[law] = 1;
    }
    return side.changed[law] != 0;
  }

  std::vector<Side> sides_;
  std::vector<char> changed_;
  std::vector<double> up_, down_;
  std::size_t asked_ = 0;
  bool surprised_ = false;
};

}  // namespace cardan
