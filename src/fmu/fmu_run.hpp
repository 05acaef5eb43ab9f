// An FMU under way, whatever its version: the order of calls. Versions say what the calls are.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fmu/fmu_model.hpp"

namespace cardan {

class FmuRun : public CompanionRun {
 public:
  FmuRun(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables, std::string name);
  ~FmuRun() override;

  bool start(double t, const double* inputs, double* outputs) override;
  bool step(double t, double h, const double* inputs, double* outputs) override;
  bool can_save() const override;
  bool save(std::vector<std::uint8_t>& bytes) override;
  bool restore(const std::vector<std::uint8_t>& bytes) override;
  const std::string& complaint() const override { return complaint_; }

 protected:
  /// Each answers whether it was good; what the FMU logged on the way is in `log_`.
  virtual bool set(const FmuVariable& variable, double value) = 0;
  virtual bool get(const FmuVariable& variable, double& value) = 0;
  virtual bool begin(double t) = 0;
  virtual bool enter() = 0;
  virtual bool leave() = 0;
  virtual bool do_step(double t, double h) = 0;
  virtual bool write_state(std::vector<std::uint8_t>& bytes) = 0;
  virtual bool read_state(const std::vector<std::uint8_t>& bytes) = 0;

  /// A function of the shared object; throws std::runtime_error by its name when it is missing.
  template <class Function>
  void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(symbol(name));
  }
  bool complain(const std::string& during);
  const FmuDescription& description() const { return fmu_->description(); }

  std::shared_ptr<const UnpackedFmu> fmu_;
  const FmuVariables variables_;
  const std::string name_;
  std::string log_;

 private:
  void* symbol(const char* name) const;
  bool exchange(const double* inputs, double* outputs);

  std::string complaint_;
};

std::unique_ptr<CompanionRun> make_fmi2_run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables,
                                            const std::string& name);
std::unique_ptr<CompanionRun> make_fmi3_run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables,
                                            const std::string& name);

}  // namespace cardan
