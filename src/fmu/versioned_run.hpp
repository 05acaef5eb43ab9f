// What the versions of FMI have alike but for the types and the names of functions: how an instance ends, begins anew,
// and is saved. Status 0 is good and 1 a warning in all of them.
#pragma once

#include <array>

#include "fmu/fmu_run.hpp"

namespace cardan {

template <class Instance, class Status, class State, class Byte>
class VersionedRun : public FmuRun {
 public:
  using FmuRun::FmuRun;

  bool reset() override {
    end();
    try {
      make();
    } catch (const std::runtime_error& error) {
      log_ = error.what();
      return complain("starting it again");
    }
    return true;
  }

 protected:
  static bool good(Status status) { return static_cast<int>(status) <= 1; }

  /// For destructors of versions: what the instance calls back is theirs.
  void end() {
    free_(instance_);
    instance_ = nullptr;
  }
  virtual Instance instantiate() = 0;
  void make() {
    instance_ = instantiate();
    if (instance_ == nullptr) throw std::runtime_error("it cannot be instantiated" + (log_.empty() ? "" : ": " + log_));
  }

  /// The functions that get, set, free, measure, write and read a state, in this order.
  void find_states(const std::array<const char*, 6>& names) {
    if (!can_save()) return;
    find(get_state_, names[0]), find(set_state_, names[1]), find(free_state_, names[2]);
    find(size_, names[3]), find(serialize_, names[4]), find(deserialize_, names[5]);
  }
  bool write_state(std::vector<std::uint8_t>& bytes) override {
    State state = nullptr;
    std::size_t size = 0;
    if (!good(get_state_(instance_, &state))) return false;
    bool done = good(size_(instance_, state, &size));
    bytes.resize(size);
    done = done && good(serialize_(instance_, state, reinterpret_cast<Byte*>(bytes.data()), size));
    return good(free_state_(instance_, &state)) && done;
  }
  bool read_state(const std::vector<std::uint8_t>& bytes) override {
    State state = nullptr;
    if (!good(deserialize_(instance_, reinterpret_cast<const Byte*>(bytes.data()), bytes.size(), &state))) return false;
    const bool done = good(set_state_(instance_, state));
    return good(free_state_(instance_, &state)) && done;
  }

  Instance instance_ = nullptr;
  void (*free_)(Instance) = nullptr;

 private:
  Status (*get_state_)(Instance, State*) = nullptr;
  Status (*set_state_)(Instance, State) = nullptr;
  Status (*free_state_)(Instance, State*) = nullptr;
  Status (*size_)(Instance, State, std::size_t*) = nullptr;
  Status (*serialize_)(Instance, State, Byte*, std::size_t) = nullptr;
  Status (*deserialize_)(Instance, const Byte*, std::size_t, State*) = nullptr;
};

}  // namespace cardan
