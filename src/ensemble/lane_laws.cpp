// What steps in lanes ask instance by instance.
#include "ensemble/lane_model.hpp"

namespace cardan {
namespace {

template <class F>
void each_of(unsigned which, const F& f) {
  for (int lane = 0; lane < kLanes; ++lane)
    if ((which >> lane & 1U) != 0) f(lane);
}

}  // namespace

template <int D>
InstanceLaws<D>::InstanceLaws(const LaneInstances<D>& instances, const NewmarkSettings& settings)
    : tolerance_(settings.tolerance), budget_(settings.iteration_budget) {
  for (int lane = 0; lane < kLanes; ++lane) {
    models_[lane] = &instances[lane].formulation->model();
    keeps_tangent_[lane] = instances[lane].keeps_tangent && !tolerance_ && budget_ == 0;
  }
}

template <int D>
void InstanceLaws<D>::load(int index, unsigned which, const Lanes& elongation, const Lanes& rate, Lanes& force,
                           Lanes& stiffness, Lanes& damping) const {
  each_of(which, [&](int lane) {
    const auto& law = models_[lane]->scalar_loads()[static_cast<std::size_t>(index)];
    const Function::Value spring = law.spring.evaluate(elongation.of[lane]),
                          damper = law.damper.evaluate(rate.of[lane]);
    force.of[lane] = spring.f + damper.f;
    stiffness.of[lane] = spring.d1;
    damping.of[lane] = damper.d1;
  });
}

template <int D>
void InstanceLaws<D>::tyre(int index, unsigned which, const Lanes* center, const Lanes* axle, const Lanes* velocity,
                           Lanes* force, Lanes* moment, Lanes* rows) const {
  each_of(which, [&](int lane) {
    SmallVector<double, D> c, a, v;
    for (int i = 0; i < D; ++i) c[i] = center[i].of[lane], a[i] = axle[i].of[lane], v[i] = velocity[i].of[lane];
    const TyreForce<double, D> f = models_[lane]->tyres()[static_cast<std::size_t>(index)].force(c, a, v);
    for (int i = 0; i < D; ++i) force[i].of[lane] = f.force[i], moment[i].of[lane] = f.moment[i];
    Lanes* out = rows;
    for (const TyreRow<D>& row : TyreModel<D>::rows(f)) {
      for (int i = 0; i < D; ++i) out[i].of[lane] = row.direction[i], out[D + i].of[lane] = row.arm[i];
      out[2 * D].of[lane] = row.stiffness;
      out[2 * D + 1].of[lane] = row.damping;
      out += 2 * D + 2;
    }
  });
}

/// As NewmarkIntegrator::judge() and ends() do.
template <int D>
void InstanceLaws<D>::judge(int count, unsigned which, const Lanes& increment, const Lanes& rounding) {
  each_of(which, [&](int lane) {
    NewtonProgress& progress = progress_[lane];
    progress.see(increment.of[lane], count);
    if (count == 1) progress.first = progress.now;
    progress.small = tolerance_ ? progress.now <= *tolerance_
                                : progress.is_small(count) || progress.next(count) <= rounding.of[lane];
    progress.note(count);
  });
}

template <int D>
unsigned InstanceLaws<D>::ended(int count, unsigned which, const Lanes& phi) {
  unsigned ended = 0;
  each_of(which, [&](int lane) {
    const NewtonProgress& progress = progress_[lane];
    const double violation = phi.of[lane];
    const bool ends = budget_ > 0 ? progress.may_end(count, budget_, NewtonProgress::kPatience)
                                  : progress.is_converged(violation, tolerance_.has_value()) ||
                                        progress.is_stuck(count, budget_, NewtonProgress::kPatience, violation);
    if (ends) ended |= 1U << lane;
  });
  return ended;
}

/// NewmarkIntegrator::keeps_tangent()
template <int D>
unsigned InstanceLaws<D>::keep_tangent(int count, unsigned which) const {
  unsigned keep = 0;
  each_of(which, [&](int lane) {
    if (keeps_tangent_[lane] && progress_[lane].keeps_tangent(count)) keep |= 1U << lane;
  });
  return keep;
}

template class InstanceLaws<2>;
template class InstanceLaws<3>;

}  // namespace cardan
