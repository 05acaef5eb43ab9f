#include "studies/iltis/iltis_suspension.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "io/text_table.hpp"
#include "studies/iltis/published.hpp"
#include "studies/model_file.hpp"
#include "studies/result_file.hpp"

namespace cardan {
namespace {

using Align = TextTable::Align;

/// Height of every mass and what the shock absorber's damper takes out, over a run.
struct SuspensionRun {
  RunSummary summary;
  double lost_gravitational = 0;  // J: weight times the way down
  double dissipated = 0;          // J, by the shock absorber
  double published_error() const { return lost_gravitational - dissipated; }
};

class Balance final : public Sink {
 public:
  explicit Balance(const Mechanism& mechanism) : mechanism_(mechanism) {
    for (const SpringDamper& spring : mechanism.springs)
      if (spring.name == "corner/shock") shock_ = &spring;
  }
  void start(const std::vector<std::string>& columns) override {
    const auto at = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
    };
    for (const Body& body : mechanism_.bodies) heights_.push_back(at(body.name + ".z"));
    length_ = at("corner/shock.length");
    force_ = at("corner/shock.force");
  }
  /// Damping force times rate by the trapezoidal rule: damper(s') ds, with damper = force - spring(s - free).
  void sample(const double* row, std::size_t) override {
    double potential = 0;
    for (std::size_t i = 0; i < heights_.size(); ++i)
      potential -= mechanism_.bodies[i].mass * mechanism_.gravity.z() * row[heights_[i]];
    const double s = row[length_], damper = row[force_] - shock_->spring(s - shock_->free_length);
    if (first_)
      first_potential_ = potential, first_ = false;
    else
      dissipated += 0.5 * (damper + last_damper_) * (s - last_length_);
    lost = first_potential_ - potential;
    last_length_ = s, last_damper_ = damper;
  }
  double lost = 0, dissipated = 0;

 private:
  const Mechanism& mechanism_;
  const SpringDamper* shock_ = nullptr;
  std::vector<std::size_t> heights_;
  std::size_t length_ = 0, force_ = 0;
  bool first_ = true;
  double first_potential_ = 0, last_length_ = 0, last_damper_ = 0;
};

SuspensionRun run_suspension(const Mechanism& mechanism, const std::string& formulation, double step) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.step = step;
  Balance balance(mechanism);
  SuspensionRun result;
  result.summary = run(mechanism, options, &balance);
  result.lost_gravitational = balance.lost;
  result.dissipated = balance.dissipated;
  return result;
}

/// The same suspension with its tie rod as a distance link instead of a body.
Mechanism with_link(const Mechanism& mechanism) {
  Mechanism result = mechanism;
  const auto joint = [&](const char* name) {
    return std::find_if(result.joints.begin(), result.joints.end(), [&](const Joint& j) { return j.name == name; });
  };
  Joint link = *joint("tie_inner");
  const Joint outer = *joint("tie_outer");
  link.name = "tie";
  link.type = JointType::distance;
  link.body2 = outer.body2;
  link.frame2 = outer.frame2;
  link.length = (link.frame2.origin - link.frame1.origin).norm();
  result.joints.erase(joint("tie_inner"));
  result.joints.erase(joint("tie_outer"));
  result.joints.push_back(link);
  const auto rod =
      std::find_if(result.bodies.begin(), result.bodies.end(), [](const Body& b) { return b.name == "tie_rod"; });
  const int gone = static_cast<int>(rod - result.bodies.begin());
  result.bodies.erase(rod);
  const auto renumber = [&](int& body) { body -= body > gone; };
  for (Joint& j : result.joints) renumber(j.body1), renumber(j.body2);
  for (SpringDamper& s : result.springs) renumber(s.body1), renumber(s.body2);
  for (Tyre& t : result.tyres) renumber(t.body);
  return result;
}

}  // namespace

void run_iltis_suspension_study(const StudyContext& context) {
  const Mechanism mechanism = read_mechanism(model_file("iltis_suspension.yaml").string());
  TextTable counts({{"tie rod", Align::left}, {"relative"}, {"closures"}, {"natural"}, {"degrees of freedom"}});
  const auto count = [&](const char* what, const Mechanism& m) {
    const FormulationCounts relative = count_coordinates(m, "hybrid"), natural = count_coordinates(m, "global");
    counts.add({what, fmt::format("{}", relative.coordinates), fmt::format("{}", relative.constraints),
                fmt::format("{}", natural.coordinates), fmt::format("{}", relative.degrees_of_freedom)});
  };
  count("body", mechanism);
  count("distance link", with_link(mechanism));
  counts.add({"published", "8", "", "25", ""});
  context.print(fmt::format("Iltis suspension down a kerb, 7 s\n\n{}\n", counts.text(2)));

  ResultFile file(context.out / "suspension.csv",
                  {"formulation", "step", "lost_gravitational", "dissipated", "difference", "published_difference",
                   "kerb_energy", "balance_error", "iterations", "cpu_seconds", "status", "reason"});
  TextTable table({{"formulation", Align::left},
                   {"h [s]"},
                   {"gravity lost [J]"},
                   {"dissipated [J]"},
                   {"difference [J]"},
                   {"published"},
                   {"kerb [J]"},
                   {"our balance [J]"},
                   {"iterations"},
                   {"time [ms]"}});
  std::string notes;
  for (const PublishedSuspensionRow& row : kPublishedSuspension) {
    const std::pair<const char*, const char*> published[] = {
        {"global", row.global}, {"topological", row.topological}, {"hybrid", row.hybrid}};
    for (const auto& [formulation, difference] : published) {
      const SuspensionRun run = run_suspension(mechanism, formulation, row.step);
      const RunSummary& s = run.summary;
      const double kerb = s.events.empty() ? 0 : s.events[0].energy;
      table.add({formulation, fmt::format("{:g}", row.step), fmt::format("{:.2f}", run.lost_gravitational),
                 fmt::format("{:.2f}", run.dissipated), fmt::format("{:.2f}", run.published_error()), difference,
                 fmt::format("{:.2f}", kerb), s.status == "ok" ? fmt::format("{:.3f}", s.energy_max_error) : "failed",
                 fmt::format("{}", s.iterations), fmt::format("{:.1f}", 1e3 * s.cpu_seconds)});
      file.add(formulation, row.step, run.lost_gravitational, run.dissipated, run.published_error(), difference, kerb,
               s.energy_max_error, s.iterations, s.cpu_seconds, s.status, s.reason);
      if (s.status != "ok") notes += fmt::format("  {} at {:g} s: {}\n", formulation, row.step, s.reason);
    }
  }
  context.print(
      fmt::format("gravity lost: weight times the way down; dissipated: by the shock absorber; kerb: elastic energy "
                  "that the tyre loses when\n"
                  "the road drops; our balance: largest deviation of the total energy from work and events\n\n{}{}\n"
                  "The published difference is no error of integration (it hardly changes with the step): that balance "
                  "leaves out the energy\n"
                  "stored in leaf spring, shock absorber and tyre, which is not the same at the start and at rest, and "
                  "what the tyre loses at the\n"
                  "kerb. From where the suspension is let go is not published; here it is 'lift' of the model, and the "
                  "difference goes with it.\n"
                  "written: {}\n",
                  table.text(2), notes, (context.out / "*.csv").string()));
}

}  // namespace cardan
