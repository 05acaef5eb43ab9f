// SignalSet: forces and depths of contacts, with how they follow the motions and velocities of all that touches.
#include "formulation/body_model.hpp"
#include "formulation/signal_set.hpp"

namespace cardan {

/// A gradient by the motion of a body, given at its centre, as a wrench.
template <int D, class Row>
static typename Space<D>::Twist at_centre(const Row& by, const typename Space<D>::Vector& centre) {
  const typename Space<D>::Vector force = by.template head<D>().transpose();
  const typename Space<D>::Angular turning = by.template tail<Space<D>::kAngular>().transpose();
  return force_at<D>(force, centre) + twist<D>(Space<D>::Vector::Zero(), turning);
}

template <int D>
void SignalSet<D>::see_contacts(const BodyKinematics<D>& k, const VecX& turns, bool wrenches,
                                SignalValues& values) const {
  constexpr int n = S::kTwist;
  const ContactSet<D>& contacts = model_.contacts();
  const auto& points = model_.touching(k, turns);
  contacts.add_up(points, values.contact.data());
  if (!wrenches) return;
  values.by_motion.setZero();
  values.by_velocity.setZero();
  for (const auto& point : points) {
    const auto follows = [&](int leaf) { return leaves_[leaf].load == point.element; };
    if (std::none_of(contacts_.begin(), contacts_.end(), follows)) continue;
    const auto by = contacts.derivatives(point, k);
    for (const int index : contacts_) {
      const Leaf& leaf = leaves_[index];
      const bool is_depth = leaf.component == 1;
      if (!follows(index) || (is_depth && point.now.depth != contact_value(leaf, values))) continue;
      const int row = leaf.component < 2 ? 2 * n + leaf.component : n + leaf.component - 2;
      const double sign = leaf.component < 2 ? 1 : contacts.sign(point);
      const int first = leaf.contact * (model_.bodies() + 1);
      if (is_depth) {  // of those that are as deep as each other one counts
        values.by_motion.middleCols(first, model_.bodies() + 1).setZero();
      }
      for (int i = 0; i < 2; ++i) {
        const int body = i == 0 ? point.body1 : point.body2;
        const auto add = [&](int column, Eigen::Matrix<double, 6, Eigen::Dynamic>& to) {
          const auto part = by.template block<1, n>(row, column * n);
          to.col(first + body).template head<n>() += sign * at_centre<D>(part, k.center[body]);
        };
        add(i, values.by_motion);
        add(2 + i, values.by_velocity);
      }
    }
  }
}

template <int D>
void SignalSet<D>::add_contact(const Leaf& leaf, double factor, const SignalValues& values,
                               std::vector<Twist>& by_motion, std::vector<Twist>& by_velocity) const {
  const int bodies = model_.bodies() + 1, first = leaf.contact * bodies;
  for (int body = 0; body < bodies; ++body) {
    by_motion[body] += factor * values.by_motion.col(first + body).template head<S::kTwist>();
    by_velocity[body] += factor * values.by_velocity.col(first + body).template head<S::kTwist>();
  }
}

template void SignalSet<2>::see_contacts(const BodyKinematics<2>&, const VecX&, bool, SignalValues&) const;
template void SignalSet<3>::see_contacts(const BodyKinematics<3>&, const VecX&, bool, SignalValues&) const;
template void SignalSet<2>::add_contact(const Leaf&, double, const SignalValues&, std::vector<Twist>&,
                                        std::vector<Twist>&) const;
template void SignalSet<3>::add_contact(const Leaf&, double, const SignalValues&, std::vector<Twist>&,
                                        std::vector<Twist>&) const;

}  // namespace cardan
