#include "simulation/companion_set.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "formulation/input_values.hpp"

namespace cardan {
namespace {

constexpr std::size_t kBytes = 6;  // in one number: whole numbers are exact up to 2^53

std::size_t numbers_for(std::size_t bytes) { return (bytes + kBytes - 1) / kBytes; }

double packed(const std::vector<std::uint8_t>& bytes, std::size_t first) {
  double number = 0;
  for (std::size_t i = std::min(first + kBytes, bytes.size()); i > first; --i) number = number * 256 + bytes[i - 1];
  return number;
}

bool unpack(double number, std::vector<std::uint8_t>& bytes, std::size_t size) {
  if (!(number >= 0) || number != std::floor(number) || number >= 0x1p48) return false;
  auto rest = static_cast<std::uint64_t>(number);
  for (std::size_t i = 0; i < kBytes && bytes.size() < size; ++i, rest >>= 8)
    bytes.push_back(static_cast<std::uint8_t>(rest & 255));
  return true;
}

}  // namespace

CompanionSet::CompanionSet(const Mechanism& mechanism) {
  for (const Companion& companion : mechanism.companions) {
    Member member{&companion, companion.model->instantiate(companion.name, companion.where), {}, {}, {}};
    member.inputs.resize(companion.inputs.size());
    member.outputs.resize(companion.outputs.size());
    members_.push_back(std::move(member));
  }
}

bool CompanionSet::find_due(const Context& context, double slack) {
  bool any = false;
  for (Member& member : members_) {
    member.instant = std::floor((context.t + slack) / member.of->period);
    const double asked = context.inputs[input_values::kNumbers * member.of->outputs.front() + 2];
    member.due = asked < member.of->period * member.instant - slack;
    any = any || member.due;
  }
  return any;
}

bool CompanionSet::ask(const VecX& signals, VecX& sampled) {
  for (Member& member : members_) {
    if (!member.due) continue;
    const Companion& of = *member.of;
    for (std::size_t i = 0; i < of.inputs.size(); ++i) member.inputs[i] = signals[of.inputs[i]];
    const double from = (member.instant - 1) * of.period;
    member.saved = false;
    const bool good = member.started
                          ? member.run->step(from, of.period, member.inputs.data(), member.outputs.data())
                          : member.run->start(member.instant * of.period, member.inputs.data(), member.outputs.data());
    if (!good) return complain(member);
    member.started = true;
    for (std::size_t i = 0; i < of.outputs.size(); ++i) {
      if (!std::isfinite(member.outputs[i])) {
        complaint_ = fmt::format("'{}' gave an output that is not a finite number at t = {:.6g} s", of.name,
                                 member.instant * of.period);
        return false;
      }
      sampled[of.outputs[i]] = member.outputs[i];
    }
  }
  return true;
}

bool CompanionSet::complain(const Member& member) {
  complaint_ = fmt::format("'{}' failed at t = {:.6g} s: {}", member.of->name, member.instant * member.of->period,
                           member.run->complaint());
  return false;
}

void CompanionSet::save(Context& context) {
  std::size_t size = 0;
  for (Member& member : members_) {
    if (!std::exchange(member.saved, true)) {
      member.bytes.clear();
      if (member.started && !(member.run->can_save() && member.run->save(member.bytes))) member.bytes.clear();
    }
    size += 2 + numbers_for(member.bytes.size());
  }
  context.companions.resize(static_cast<Eigen::Index>(size));
  double* at = context.companions.data();
  for (const Member& member : members_) {
    const std::size_t bytes = member.bytes.size();
    *at++ = member.started ? 1 : 0;
    *at++ = member.started && bytes == 0 ? -1.0 : static_cast<double>(bytes);
    for (std::size_t i = 0; i < bytes; i += kBytes) *at++ = packed(member.bytes, i);
  }
}

bool CompanionSet::restore(const VecX& numbers) {
  std::vector<std::vector<std::uint8_t>> bytes(members_.size());
  std::vector<char> started(members_.size());
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (numbers.size() - at < 2) return false;
    started[i] = numbers[at++] != 0;
    const double size = numbers[at++];
    if (!(size >= 0) || size > static_cast<double>(kBytes) * static_cast<double>(numbers.size() - at)) return false;
    for (std::size_t k = numbers_for(static_cast<std::size_t>(size)); k > 0; --k)
      if (!unpack(numbers[at++], bytes[i], static_cast<std::size_t>(size))) return false;
  }
  if (at != numbers.size()) return false;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    member.saved = false;
    const bool good = started[i] ? member.run->restore(bytes[i]) : !member.started || member.run->reset();
    if (!good) return complain(member);
    member.started = started[i] != 0;
  }
  return true;
}

std::vector<std::string> CompanionSet::warnings() const {
  std::vector<std::string> warnings;
  for (const Member& member : members_)
    if (!member.run->can_save())
      warnings.push_back(
          fmt::format("'{}' cannot save its state: this run cannot be set back or taken up again", member.of->name));
  return warnings;
}

}  // namespace cardan
