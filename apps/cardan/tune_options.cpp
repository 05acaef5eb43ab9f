#include "command_options.hpp"

namespace cardan {
namespace {

constexpr const char* kTuneExamples =
    R"(Every method that applies is run with longer and shorter steps, or looser and tighter tolerances, until its error is
just below the wanted one; what it then costs is the table, cheapest first. Errors are the largest distance of a mass
centre, in sizes of the mechanism, or turn of a body, in rad, from a reference that is refined until it is ten times
better. Methods that cost more than six times the cheapest are given up.

With --deadline the question is another one: a loop that comes around every D seconds advances the motion by D; which
method is the most accurate, with one or several equal steps, that leaves time over? Those that choose their steps are
not asked.

Costs are of this machine, so let nothing else run. DIR receives tune.csv and tune.json.

examples:
  cardan tune models/double_four_bar.yaml --error 1e-4
  cardan tune car.yaml --deadline 0.001               for 1 kHz, half of each millisecond
  cardan tune car.yaml --formulations hybrid,global --until 2
)";

}  // namespace

void add_tune(CLI::App& app, TuneRequest& request) {
  CLI::App& command = *app.add_subcommand(
      "tune", "formulation, integrator and step for a wanted error at the least cost, or for a real-time deadline");
  add_model(command, request.model, request.parameters);
  auto* error = command.add_option("--error", request.error, "wanted, in sizes of the mechanism or rad (default 1e-3)")
                    ->type_name("E");
  command.add_option("--deadline", request.deadline, "period of a real-time loop, s: the least error within it")
      ->type_name("D")
      ->excludes(error);
  command.add_option("--share", request.share, "of the deadline that steps may take (default 0.5)")
      ->type_name("X")
      ->check(CLI::Range(0.01, 1.0));
  command.add_option("--formulations", request.formulations, "only these; see below")
      ->type_name("F1,F2,...")
      ->delimiter(',');
  command.add_option("--integrators", request.integrators, "only these; see below")
      ->type_name("I1,I2,...")
      ->delimiter(',');
  command.add_option("--until", request.until, "end of the runs, s (default: the model's)")->type_name("T");
  add_inputs(command, request.inputs, request.interpolation);
  command.add_option("--out", request.out, "folder for tune.csv and tune.json (default: out/<model name>)")
      ->type_name("DIR");
  command.footer(kTuneExamples + listed("formulations", formulations()) + listed("integrators", integrators()));
}

}  // namespace cardan
