// SignalFormulation: how forces and rates of states follow the motion, as rows and couplings of the tangents.
#include "formulation/signal_formulation.hpp"

namespace cardan {
/// After the inner rows two for each sum of leaves, then one for each state, each with nothing but its diagonal in M:
/// places in the inner structure stay valid. Sums have no stiffness of their own and so no place in the tangent.
template <int D>
void SignalFormulation<D>::extend_structure() {
  structure_ = inner_.structure();
  structure_.coordinates = n_ + states_;
  structure_.states = states_;
  structure_.scale.conservativeResize(structure_.coordinates);
  structure_.scale.tail(states_).setOnes();
  for (const StateVariable& state : model_->mechanism().states)
    structure_.coordinate_names.push_back("integral of state " + state.name);
  if (structure_.pattern.n != n_ || structure_.pattern.column_start.empty()) return;
  list_sinks();
  RowPattern& loads = structure_.loads;
  std::vector<int> all(static_cast<std::size_t>(n_));
  for (int i = 0; i < n_; ++i) all[static_cast<std::size_t>(i)] = i;
  for (Sink& sink : sinks_) {
    if (sink.sum_row < 0) continue;
    sink.sum_row = loads.rows();
    for (int i = 0; i < 2; ++i) loads.add(all), loads.slot_start.push_back(static_cast<int>(loads.slot.size()));
  }
  for (int i = 0; i < states_; ++i) {
    loads.add({n_ + i});
    loads.slot.push_back(structure_.pattern.nonzeros());
    loads.slot_start.push_back(static_cast<int>(loads.slot.size()));
    structure_.pattern.row.push_back(n_ + i);
    structure_.pattern.column_start.push_back(structure_.pattern.nonzeros());
    ++structure_.pattern.n;
  }
  const auto& forces = model_->signal_forces();
  for (std::size_t i = 0; i < sinks_.size(); ++i)
    add_couplings(sinks_[i], i < forces.size() ? model_->measure(forces[i]) : nullptr);
  if (inner_.is_differentiable()) extend_tangent();
}

/// Every state is a group of its own; who acts is coupled with who is felt.
template <int D>
void SignalFormulation<D>::extend_tangent() {
  std::vector<int> starts = structure_.tangent.starts();
  std::vector<std::pair<int, int>> blocks = structure_.tangent.blocks();
  const int groups = structure_.tangent.groups();
  const RowPattern& loads = structure_.loads;
  for (int i = 1; i <= states_; ++i) starts.push_back(n_ + i);
  const auto group_of = [&](int entry) {
    const int column = loads.column[entry];
    return column < n_ ? structure_.tangent.group_of(column) : groups + column - n_;
  };
  const auto couple = [&](int force, int felt) {
    for (int a = loads.start[force]; a < loads.start[force + 1]; ++a)
      for (int b = loads.start[felt]; b < loads.start[felt + 1]; ++b) {
        const std::pair block(group_of(a), group_of(b));
        if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
      }
  };
  for (int i = 0; i < states_; ++i) blocks.emplace_back(groups + i, groups + i);
  for (std::size_t i = inner_.structure().couplings.size(); i < structure_.couplings.size(); ++i)
    couple(structure_.couplings[i].force, structure_.couplings[i].felt);
  structure_.tangent = BlockPattern(std::move(starts), std::move(blocks));
}

/// The forces, then the rates of states.
template <int D>
void SignalFormulation<D>::list_sinks() {
  const SignalSet<D>& signals = model_->signals();
  int row = static_cast<int>(model_->first_signal_row() + signals.rows_of_leaves().size());
  const auto add = [&](int signal, double scale, double sign) {
    sinks_.push_back({signal, row++, scale, sign, {}, signals.sums_leaves(signal) ? 0 : -1, -1});
  };
  for (const auto& force : model_->signal_forces()) {
    const bool effort = force.sort == BodyModel<D>::SignalForce::Sort::effort;
    add(force.signal, 1, effort ? model_->efforts()[force.index].sign : 1);
  }
  for (int i = 0; i < states_; ++i) add(model_->mechanism().states[i].rate, scale_[i], 1);
}

template <int D>
void SignalFormulation<D>::add_couplings(Sink& sink, const Measure<D>* measure) {
  using Of = typename SignalSet<D>::Base::Of;
  using Sort = typename SignalSet<D>::Leaf::Sort;
  const SignalSet<D>& signals = model_->signals();
  const int first_state = structure_.loads.rows() - states_;
  const bool is_state = &sink - sinks_.data() >= std::ssize(model_->signal_forces());
  if (is_state) sink.row = first_state + static_cast<int>(&sink - sinks_.data() - std::ssize(model_->signal_forces()));
  const auto couple = [&](int felt) {
    structure_.couplings.push_back({sink.row, felt});
    return static_cast<int>(structure_.couplings.size()) - 1;
  };
  for (const auto& base : signals.bases(sink.signal)) {
    Slope slope{base.of, -1, 1, false, -1};
    if (base.of == Of::state) {
      slope.scale = scale_[base.index];
      slope.own = first_state + base.index == sink.row;
      slope.coupling = couple(first_state + base.index);
    } else {
      slope.leaf = base.index;
      // On one and the same measure the tangent stays symmetric.
      const auto& leaf = signals.leaves()[base.index];
      const bool of_measure = leaf.sort == Sort::value || leaf.sort == Sort::rate;
      slope.own = measure && of_measure && same_measure(*measure, leaf.measure);
      if (sink.sum_row < 0) slope.coupling = couple(static_cast<int>(model_->first_signal_row()) + leaf.row);
    }
    sink.bases.push_back(slope);
  }
  if (sink.sum_row < 0) return;
  sink.sum = couple(sink.sum_row);
  couple(sink.sum_row + 1);
}

/// k = -df/dq, c = -df/dv. What resists on its own row stays on the diagonal, where the tangent is symmetric; that is
/// written anew even where all else is kept.
template <int D>
void SignalFormulation<D>::write_couplings(bool keep, Work& w) const {
  using Of = typename SignalSet<D>::Base::Of;
  using Sort = typename SignalSet<D>::Leaf::Sort;
  Equations& e = w.equations;
  const SignalSet<D>& signals = model_->signals();
  for (const Sink& sink : sinks_) {
    const double* gradient = signals.gradient(sink.signal, w.values);
    bool is_stiff = false, is_damped = false;  // the sum, which begins with nothing
    for (const Slope& base : sink.bases) {
      const double slope = -base.scale / sink.scale * *gradient++;
      if (keep && !base.own) continue;
      if (base.leaf >= 0 && signals.leaves()[base.leaf].sort == Sort::contact) {
        for (auto& [wrenches, any] : {std::tie(w.stiff, is_stiff), std::tie(w.damped, is_damped)}) {
          if (!any) std::fill(wrenches.begin(), wrenches.end(), Space<D>::Twist::Zero());
          any = true;
        }
        signals.add_contact(signals.leaves()[base.leaf], slope, w.values, w.stiff, w.damped);
        continue;
      }
      double k = 0, c = slope;
      if (base.of == Of::leaf) {
        const auto& leaf = signals.leaves()[base.leaf];
        if (leaf.sort == Sort::value) {
          k = slope, c = 0;
        } else if (leaf.sort == Sort::tension) {
          k = slope * e.stiffness[leaf.load], c = slope * e.damping[leaf.load];
        }
      }
      const bool own = base.own && sink.sign * k >= 0 && sink.sign * c >= 0;
      if (own) {
        e.stiffness[sink.row] += sink.sign * k;
        e.damping[sink.row] += sink.sign * c;
        k = c = 0;
      }
      if (keep) continue;
      if (base.coupling >= 0) {
        e.coupling_stiffness[base.coupling] = k;
        e.coupling_damping[base.coupling] = c;
        continue;
      }
      const auto& leaf = signals.leaves()[base.leaf];
      const auto add = [&](double weight, std::vector<typename Space<D>::Twist>& wrenches, bool& any) {
        if (weight == 0) return;
        if (!any) std::fill(wrenches.begin(), wrenches.end(), Space<D>::Twist::Zero());
        any = true;
        using Wrench = typename Space<D>::Twist;
        const Wrench W = weight * Eigen::Map<const Wrench>(w.values.wrench.data() + 6 * base.leaf);
        Wrench& on_body2 = wrenches[leaf.body2];
        on_body2 += W;
        if (leaf.body1 == model_->bodies()) return;
        Wrench& on_body1 = wrenches[leaf.body1];
        on_body1 -= W;
      };
      add(k, w.stiff, is_stiff);
      add(c, w.damped, is_damped);
    }
    if (sink.sum_row >= 0 && !keep) write_sum(sink, is_stiff, is_damped, w);
  }
}

/// The sums of leaves, each times its k or its c, as two rows that are felt with weight 1, or not at all.
template <int D>
void SignalFormulation<D>::write_sum(const Sink& sink, bool is_stiff, bool is_damped, Work& w) const {
  Equations& e = w.equations;
  double* rows = e.load_gradient.data() + structure_.loads.start[sink.sum_row];
  if (is_stiff) inner_.project(w.stiff, w.inner, rows);
  if (is_damped) inner_.project(w.damped, w.inner, rows + n_);
  e.coupling_stiffness[sink.sum] = is_stiff ? 1 : 0;
  e.coupling_damping[sink.sum + 1] = is_damped ? 1 : 0;
}

template void SignalFormulation<2>::extend_structure();
template void SignalFormulation<3>::extend_structure();
template void SignalFormulation<2>::extend_tangent();
template void SignalFormulation<3>::extend_tangent();
template void SignalFormulation<2>::write_couplings(bool, Work&) const;
template void SignalFormulation<3>::write_couplings(bool, Work&) const;

}  // namespace cardan
