// The companions of a mechanism under way: asked when they are due, saved and restored with the run.
// Context::companions holds of each whether it has started, the number of bytes that it saved (-1: it cannot), and
// these, six in a number.
#pragma once

#include <string>
#include <vector>

#include "cardan/companion.hpp"
#include "cardan/context.hpp"
#include "cardan/mechanism.hpp"

namespace cardan {

class CompanionSet {
 public:
  /// Throws ModelError for one that cannot be instantiated.
  explicit CompanionSet(const Mechanism& mechanism);

  bool empty() const { return members_.empty(); }
  /// Which of them the time is at an instant of, or none: those that have been asked there are through with it.
  bool find_due(const Context& context, double slack);
  /// Asks those with the values of all signals, and writes what they answer as new values of the inputs. False when one
  /// fails: see complaint().
  bool ask(const VecX& signals, VecX& sampled);
  const std::string& complaint() const { return complaint_; }

  /// As they are, into context.companions.
  void save(Context& context);
  /// False, with nothing changed, when the numbers are none that save() has made or one of them cannot be set back.
  bool restore(const VecX& numbers);
  /// Warnings: of those that cannot be saved.
  std::vector<std::string> warnings() const;

 private:
  struct Member {
    const Companion* of;
    std::unique_ptr<CompanionRun> run;
    std::vector<double> inputs, outputs;
    std::vector<std::uint8_t> bytes;  // what it last saved
    bool started = false, due = false;
    bool saved = false;  // since it was last asked or set back: who asks for the size of a record gets one of this size
    double instant = 0;  // in periods
  };
  bool complain(const Member& member);

  std::vector<Member> members_;
  std::string complaint_;
};

}  // namespace cardan
