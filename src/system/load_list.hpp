// Loads one by one: what those of one name do to the bodies. Each is the mechanism without all others, as events leave
// one behind, so that nothing is written twice of what loads do.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cardan/system.hpp"
#include "formulation/body_model.hpp"

namespace cardan {

/// Threads may share it.
template <int D>
class LoadList {
 public:
  using Twist = typename Space<D>::Twist;
  explicit LoadList(const Mechanism& mechanism) : mechanism_(mechanism) {}

  /// Throws std::invalid_argument with the nearest name there is.
  int find(const std::string& name) const;
  void check(LoadHandle load) const;
  /// Adds the wrenches on the bodies.
  void apply(int load, double t, const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& wrenches) const {
    model(load).apply_loads(t, k, turns, wrenches, nullptr);
  }
  LoadEffort effort(int load, double t, const BodyKinematics<D>& k, const VecX& turns) const;

 private:
  const BodyModel<D>& model(int load) const;

  const Mechanism& mechanism_;
  mutable std::mutex guard_;
  mutable std::map<std::string, int> index_;
  mutable std::vector<std::unique_ptr<const BodyModel<D>>> models_;  // of those that were asked for
};

}  // namespace cardan
