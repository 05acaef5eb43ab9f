// Signals with a formulation that finds accelerations itself.
#include "formulation/signal_formulation.hpp"

namespace cardan {

template <int D>
int DirectSignalFormulation<D>::accelerate(const VecX& lambda, Workspace& work, VecX& a) const {
  Work& w = this->work_of(work);
  this->evaluate_signals(work, false);
  const int free = direct_.accelerate(lambda, w.inner, w.a);
  a.head(this->n_) = w.a;
  this->add_rates(w, a);
  return free;
}

template <int D>
void DirectSignalFormulation<D>::compliance(Workspace& work, VecX& triangle) const {
  direct_.compliance(this->work_of(work).inner, triangle);
}

template <int D>
SparseRows DirectSignalFormulation<D>::constraint_rows(Workspace& work) const {
  return direct_.constraint_rows(this->work_of(work).inner);
}

template <int D>
void DirectSignalFormulation<D>::respond(const VecX& change, Workspace& work, VecX& a) const {
  Work& w = this->work_of(work);
  w.a = a.head(this->n_);
  direct_.respond(change, w.inner, w.a);
  a.head(this->n_) = w.a;
}

template <int D>
void DirectSignalFormulation<D>::constraint_rates(Workspace& work, VecX& rate) const {
  direct_.constraint_rates(this->work_of(work).inner, rate);
}

template <int D>
void DirectSignalFormulation<D>::constraint_accelerations(Workspace& work, VecX& second) const {
  direct_.constraint_accelerations(this->work_of(work).inner, second);
}

template class DirectSignalFormulation<2>;
template class DirectSignalFormulation<3>;

}  // namespace cardan
