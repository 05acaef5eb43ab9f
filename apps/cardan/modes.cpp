// `cardan modes MODEL`: small motions about the equilibrium or the drawn position.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cardan/analysis.hpp"
#include "cardan/io.hpp"
#include "commands.hpp"
#include "io/text_table.hpp"
#include "output.hpp"

namespace cardan {
namespace {

/// The entries that matter most: "arm.x 1, arm.angle -0.4 ...".
std::string largest_entries(const Linearization& result, const Mode& mode) {
  std::vector<std::size_t> order(mode.shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(mode.shape[a]) > 1.0001 * std::abs(mode.shape[b]);
  });
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, order.size()); ++i) {
    const std::complex<double> entry = mode.shape[order[i]];
    if (std::abs(entry) < 1e-3 * std::abs(mode.shape[order[0]])) break;
    const double phase = std::arg(entry) * (180 / M_PI);
    // In phase or against it: a sign says it.
    const bool real = std::abs(std::remainder(phase, 180)) < 0.5;
    parts.push_back(real ? fmt::format("{} {:.3g}", result.columns[order[i]], entry.real())
                         : fmt::format("{} {:.3g} at {:.0f} deg", result.columns[order[i]], std::abs(entry), phase));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string as_text(const Mechanism& mechanism, const ModesRequest& request, const Linearization& result) {
  std::string text = fmt::format("{}: {} about the {} position, unbalanced {:.2e} N, {:.2e} N m\n\n", mechanism.name,
                                 counted(result.modes.size(), "mode"), request.at == "drawn" ? "drawn" : "equilibrium",
                                 result.force, result.moment);
  TextTable table({{"mode"},
                   {"frequency, Hz"},
                   {"natural, Hz"},
                   {"damping ratio"},
                   {"eigenvalue, 1/s"},
                   {"", TextTable::Align::left},
                   {"shape (largest entries)", TextTable::Align::left}});
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const Mode& mode = result.modes[i];
    const std::complex<double> value = mode.eigenvalue;
    const std::string eigenvalue = value.imag() == 0 ? fmt::format("{:.5g}", value.real())
                                                     : fmt::format("{:.5g} +- {:.5g}i", value.real(), value.imag());
    table.add({std::to_string(i + 1), fmt::format("{:.6g}", mode.frequency),
               fmt::format("{:.6g}", mode.natural_frequency), fmt::format("{:.4g}", mode.damping_ratio), eigenvalue,
               mode.rigid      ? "rigid"
               : mode.unstable ? "unstable"
                               : "",
               largest_entries(result, mode)});
  }
  text += table.text(2);
  for (const std::string& note : result.notes) text += fmt::format("\nnote: {}\n", note);
  return text;
}

}  // namespace

int find_modes_of_model(const ModesRequest& request) {
  std::vector<std::string> inputs;
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &inputs);
  if (!request.out.empty()) prepare_output(request.out, inputs);
  Linearization result;
  if (request.at == "drawn") {
    result = linearize(mechanism);
  } else {
    const Equilibrium equilibrium = find_equilibrium(mechanism);
    if (!equilibrium.converged) {
      complain(equilibrium.reason);
      return kSimulationFailed;
    }
    result = linearize(mechanism, equilibrium);
  }
  print(request.json ? result.json() + "\n" : as_text(mechanism, request, result));
  if (!request.out.empty()) write_result(request.out, result.json());
  return kDone;
}

}  // namespace cardan
