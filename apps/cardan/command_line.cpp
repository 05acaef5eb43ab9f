// The command line: what the options are called and what --help says. The work is done by one file per subcommand.
#include <fmt/format.h>

#include "cardan/io.hpp"
#include "cardan/version.h"
#include "command_options.hpp"
#include "commands.hpp"
#include "interruption.hpp"
#include "io/result_folder.hpp"
#include "output.hpp"
#include "usage_errors.hpp"

namespace cardan {
namespace {

constexpr const char* kTop =
    R"(A model is a YAML file: bodies, joints, loads, drivers, drawn once, in m, kg, s and rad. docs/first-mechanism.md makes
one in ten minutes, docs/model-file.md has every field, docs/signals.md inputs, controllers and hydraulics,
docs/recipes.md whole machines, models/ some to start from. `cardan COMMAND --help` explains a command.

examples:
  cardan check models/four_bar.yaml                                   what is in it, what is wrong with it
  cardan run models/four_bar.yaml --formulation global --step 0.005
  cardan view out/four-bar                                            look at the result
  cardan run models/puma560.yaml --report out/puma.html               one page to send to somebody
  cardan drive models/iltis_driven.yaml                               take the wheel
  cardan equilibrium models/steered_axle.yaml                         how it stands
  cardan modes models/steered_axle.yaml                               how it swings
  cardan inverse models/stewart_platform.yaml                         what its drives must do
  cardan compare models/double_four_bar.yaml                          which method, which step
  cardan tune models/double_four_bar.yaml --error 1e-4                the cheapest that holds an error
  cardan sweep models/sweeps/four_bar_grid.yaml                       many runs, one table
  cardan optimize models/plans/four_bar_path.yaml                     the best dimensions
  cardan fit models/plans/puma_friction.yaml                          parameters from a measured motion
  cardan study double-four-bar                                        against published results
  cardan import arm.urdf -o arm.yaml                                  a robot as a model
  cardan export fmu models/iltis_driven.yaml                          for Simulink and other FMI masters
  cardan schema > cardan.schema.json                                  for editors that complete models

exit codes: 0 done, 1 the simulation failed or a result could not be written, 2 bad input or usage,
            130 ended by Ctrl-C or SIGTERM, with what there was)";

constexpr const char* kRunExamples =
    R"(Options override the model's `simulation:` block; the defaults above hold where neither says
anything. DIR receives trajectory.csv (one row per sample), steps.csv (the step history), scene.json
(the mechanism as drawn), state.json (where --resume goes on) and, when all is done, summary.json (what
was asked, what was used, energy and constraint errors).

Ctrl-C or SIGTERM ends a run at its next step, with summary, report and state; a second one ends it at
once. --resume with the same model and options goes on from the last state and gives the same rows as if
nothing had happened. --until may be later: a run that had come to its end has then made its last step end
exactly there, and rows beyond it differ from those of one long run in their last digits.

examples:
  cardan run car.yaml --until 5 --step 0.002          5 s in steps of 2 ms
  cardan run car.yaml --formulation topological       the same motion by another method
  cardan run car.yaml --set mass=1200 --out out/heavy a parameter of the model
  cardan run car.yaml --input throttle=pedal.csv      an input over time
  cardan run car.yaml --integrator hht --dissipation 0.2 --every 10
  cardan run car.yaml --formulation cartesian --integrator sdirk4 --absolute-tolerance 1e-8
  cardan run car.yaml --step-control error --absolute-tolerance 1e-5 --step-max 0.02
  cardan run car.yaml --until 3600 --resume           go on where Ctrl-C or a power cut ended it
  cardan run car.yaml --until 3600 --every 100 --steps-file none
  cardan run car.yaml --json | jq .energy             the summary for another program
)";

std::string listed_choices() {
  return listed("formulations", formulation_choices()) + listed("integrators", integrator_choices()) +
         listed("treatment of constraints", treatments()) + listed("step control", step_controls()) +
         listed("jacobian", jacobian_rules()) + listed("solvers", solvers());
}

void add_check(CLI::App& app, CheckRequest& request) {
  CLI::App& command = *app.add_subcommand(
      "check", "count bodies, coordinates, constraints and degrees of freedom, and name the redundant constraints");
  add_model(command, request.model, request.parameters);
  command.add_flag("--json", request.json, "print JSON");
  command.footer("example:\n  cardan check models/four_bar.yaml\n" + listed("formulations", formulations()));
}

/// How a model is run: what `run` and `view` have in common.
void add_run_options(CLI::App& command, RunRequest& request) {
  add_method(command, request.options);
  command.get_option("--until")->description("end of the run, s (default: that of the files of --input, else 1)");
  command
      .add_option(
          "--plot", request.plots,
          "columns that report and viewer show first (default: the model's); * stands for anything; may be repeated")
      ->type_name("A.q,B.force,...")
      ->allow_extra_args(false);
  add_inputs(command, request.inputs, request.interpolation);
}

void add_run(CLI::App& app, RunRequest& request) {
  CLI::App& command = *app.add_subcommand("run", "simulate a model");
  add_model(command, request.model, request.parameters);
  add_run_options(command, request);
  command
      .add_option("--report", request.report,
                  "also write one self-contained HTML page: summary, plots, animation, model")
      ->type_name("FILE");
  command.add_option("--out", request.out, "folder for the results (default: out/<model name>)")->type_name("DIR");
  add_overwrite(command, request.overwrite);
  command.add_flag("--resume", request.resume, "go on from DIR/state.json instead of from the start");
  command
      .add_option("--save-every", request.save_every, "real time between two saved states, s (default: 30; 0: the end)")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--format", request.formats,
                  "of the trajectory: csv (default), h5 (HDF5, DIR/trajectory.h5), or csv,h5 for both")
      ->type_name("FORMATS")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kFormats), std::end(kFormats))));
  command
      .add_option(
          "--steps-file", request.steps_file,
          "rows of steps.csv: every (default: as many steps a row as --every says), all steps, or none: no file")
      ->type_name("WHICH")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kStepsFiles), std::end(kStepsFiles))));
  command.add_flag("--no-error-estimate", request.no_error_estimate,
                   "do without the error estimate, which costs half a run more");
  command.add_flag("--json", request.json, "print the summary as JSON");
  command.footer(kRunExamples + listed_choices());
}

constexpr const char* kViewExamples =
    R"(A folder is what `cardan run --out` wrote, or one that holds several such; a model is run into a temporary folder
while the page shows it. The page is served on 127.0.0.1 alone and needs no network. Its address holds a secret that
is new every time: whoever has it can read these results, other users of the machine cannot.

examples:
  cardan view out/four-bar                            a result, or one that is still being computed
  cardan view out/hybrid out/global                   two results, overlaid or side by side
  cardan view models/four_bar.yaml --step 0.001       run it and look on
)";

void add_view(CLI::App& app, ViewRequest& request) {
  CLI::App& command = *app.add_subcommand("view", "show results in the browser");
  command.add_option("PATH", request.paths, "result folders or model files")->required();
  command.add_option("--port", request.port, "where to listen on 127.0.0.1 (default: any free port)")->type_name("N");
  command.add_flag("--no-browser", request.no_browser, "only print the address");
  command.add_option("--seconds", request.seconds, "end after so long (default: on Ctrl-C)")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--set", request.run.parameters, "a parameter of the models; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_run_options(command, request.run);
  command.footer(kViewExamples);
}

void add_equilibrium(CLI::App& app, EquilibriumRequest& request) {
  CLI::App& command = *app.add_subcommand(
      "equilibrium",
      "find the position of rest near the drawn one: poses, joint coordinates, reactions, spring forces");
  add_model(command, request.model, request.parameters);
  command.add_option("--iterations", request.iterations, "at most so many (default: 300)")->type_name("N");
  command.add_flag("--json", request.json, "print JSON");
  command
      .add_option(
          "--out", request.out,
          "file for the same JSON; or a folder (one that exists, or with / at its end), which `cardan view` shows")
      ->type_name("FILE");
  add_overwrite(command, request.overwrite);
  command.footer(
      "Drivers are held at their value at t = 0. `cardan run --from-equilibrium` starts from what is found.\n\n"
      "examples:\n  cardan equilibrium car.yaml --out equilibrium.json\n"
      "  cardan equilibrium car.yaml --out out/car-rest/ && cardan view out/car-rest");
}

void add_modes(CLI::App& app, ModesRequest& request) {
  CLI::App& command =
      *app.add_subcommand("modes", "natural frequencies, damping ratios and mode shapes of small motions");
  add_model(command, request.model, request.parameters);
  command.add_option("--at", request.at, "equilibrium (default: it is found first) or drawn")
      ->check(CLI::IsMember({"equilibrium", "drawn"}));
  command.add_flag("--json", request.json, "print JSON, with the matrices and the whole shapes");
  command
      .add_option("--out", request.out,
                  "folder for modes.json and scene.json (default: out/<model name>-modes); FILE.json: that file alone")
      ->type_name("DIR|FILE");
  command.add_option("--report", request.report, "also write one self-contained HTML page that animates the modes")
      ->type_name("FILE");
  add_overwrite(command, request.overwrite);
  command.footer(
      "`cardan view DIR` animates the modes.\n\n"
      "examples:\n  cardan modes car.yaml\n  cardan modes car.yaml --report modes.html");
}

void add_inverse(CLI::App& app, InverseRequest& request) {
  CLI::App& command = *app.add_subcommand("inverse", "efforts that the paths of the model's drivers take");
  add_model(command, request.model, request.parameters);
  command.add_option("--step", request.step, "between samples, s (default: the model's)")->type_name("H");
  command.add_option("--until", request.until, "end, s (default: the model's)")->type_name("T");
  command.add_option("--out", request.out, "folder for the results (default: out/<model name>-inverse)")
      ->type_name("DIR");
  command
      .add_option("--report", request.report,
                  "also write one self-contained HTML page: efforts in a table and over time, animation, model")
      ->type_name("FILE");
  add_overwrite(command, request.overwrite);
  command.footer(
      "The drivers must give every degree of freedom. DIR receives inverse.csv (t, then q, v, a and effort of every\n"
      "driver), trajectory.csv (bodies, joints and reactions as `cardan run` writes them), scene.json and "
      "summary.json:\n"
      "`cardan view DIR` shows the motion.\n\n"
      "example:\n  cardan inverse robot.yaml --step 0.01 --until 2");
}

constexpr const char* kCompareExamples =
    R"(One line for each formulation and integrator: the largest error at every step, then for the cheapest step that is
accurate enough (*) the largest violation of the constraints, the energy error, iterations a step, rejected steps, time
and speed. [n] is a failure explained below the table. DIR receives compare.csv with every run and compare.html, one
self-contained page: tables, error against work and step, reasons of failures, the animation, command and model.
Ctrl-C ends it with the runs that are done.

examples:
  cardan compare models/double_four_bar.yaml
  cardan compare car.yaml --steps 0.01,0.005 --formulations hybrid,global --until 2
)";

void add_compare(CLI::App& app, CompareRequest& request) {
  CLI::App& command = *app.add_subcommand(
      "compare", "all formulations, integrators and steps that apply: error, cost and failures in one table");
  add_model(command, request.model, request.parameters);
  command.add_option("--steps", request.steps, "time steps, s (default: 4, 2, 1 and 1/2 times the model's)")
      ->type_name("H1,H2,...")
      ->delimiter(',');
  command.add_option("--formulations", request.formulations, "only these; see below")
      ->type_name("F1,F2,...")
      ->delimiter(',');
  command.add_option("--integrators", request.integrators, "only these; see below")
      ->type_name("I1,I2,...")
      ->delimiter(',');
  command.add_option("--until", request.until, "end of the runs, s")->type_name("T");
  add_inputs(command, request.inputs, request.interpolation);
  command.add_option("--reference", request.reference, "what errors are measured against (default: a fine step)")
      ->type_name("F/I/H");
  command.add_option("--accuracy", request.accuracy, "error up to which a step is suggested (default 1e-3)")
      ->type_name("E");
  command.add_option("--out", request.out, "folder for compare.csv and compare.html (default: out/<model name>)")
      ->type_name("DIR");
  add_overwrite(command, request.overwrite);
  command.footer(kCompareExamples + listed("formulations", formulations()) + listed("integrators", integrators()));
}

void add_study(CLI::App& app, StudyRequest& request) {
  CLI::App& command = *app.add_subcommand("study", "repeat a published experiment: our numbers beside the published");
  command.add_option("NAME", request.name, "which one");
  command.add_flag("--list", request.list, "name them all");
  command.add_option("--out", request.out, "folder for its files (default: out/NAME)")->type_name("DIR");
  command.footer(
      "DIR receives every table as CSV, NAME.html (one self-contained page: tables, plots, animation, command and "
      "model;\n"
      "it opens from disk) and the results of the animated runs, which `cardan view` opens too. Ctrl-C ends it with "
      "the\n"
      "tables that are done.\n\n"
      "examples:\n  cardan study --list\n  cardan study double-four-bar");
}

void add_schema(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("schema", "print the JSON Schema of model files, for editors");
  command.footer(
      "Editors with a YAML language server complete and check a model whose first line is\n"
      "  # yaml-language-server: $schema=PATH/cardan.schema.json\n\n"
      "example:\n  cardan schema > cardan.schema.json");
}

/// Of all commands; one of them is filled and served.
struct Requests {
  CheckRequest check;
  RunRequest run;
  EquilibriumRequest equilibrium;
  ModesRequest modes;
  InverseRequest inverse;
  CompareRequest compare;
  TuneRequest tune;
  ImportRequest import;
  ExportRequest exported;
  StudyRequest study;
  ViewRequest view;
  DriveRequest drive;
  SweepRequest sweep;
  DesignRequest optimize, fit;
};

/// In the order in which --help lists them.
void add_commands(CLI::App& app, Requests& to) {
  add_check(app, to.check);
  add_run(app, to.run);
  add_equilibrium(app, to.equilibrium);
  add_modes(app, to.modes);
  add_inverse(app, to.inverse);
  add_compare(app, to.compare);
  add_tune(app, to.tune);
  add_import(app, to.import);
  add_export(app, to.exported);
  add_study(app, to.study);
  add_view(app, to.view);
  add_drive(app, to.drive);
  add_sweep(app, to.sweep);
  add_optimize(app, to.optimize);
  add_fit(app, to.fit);
  add_schema(app);
}

int serve(const CLI::App& app, Requests& asked) {
  if (app.got_subcommand("schema")) {
    print(json_schema());
    return exit_done;
  }
  if (app.got_subcommand("check")) return check_model(asked.check);
  if (app.got_subcommand("equilibrium")) return find_equilibrium_of_model(asked.equilibrium);
  if (app.got_subcommand("modes")) return find_modes_of_model(asked.modes);
  if (app.got_subcommand("view")) return view_results(asked.view);
  if (app.got_subcommand("import")) return import_file(asked.import);
  if (app.got_subcommand("export")) return export_model(asked.exported);
  const Interruption interruption;
  asked.run.stop = asked.inverse.stop = asked.compare.stop = asked.tune.stop = asked.study.stop = asked.drive.stop =
      asked.sweep.stop = asked.optimize.stop = asked.fit.stop = &interruption.requested();
  if (app.got_subcommand("drive")) return drive_model(asked.drive);
  if (app.got_subcommand("sweep")) return sweep_model(asked.sweep);
  if (app.got_subcommand("optimize")) return optimize_design(asked.optimize);
  if (app.got_subcommand("fit")) return fit_parameters(asked.fit);
  if (app.got_subcommand("run")) return run_model(asked.run);
  if (app.got_subcommand("inverse")) return run_inverse_dynamics(asked.inverse);
  if (app.got_subcommand("compare")) return compare_model(asked.compare);
  if (app.got_subcommand("tune")) return tune_model(asked.tune);
  return run_study(asked.study);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("Cardan: dynamics of multibody systems with closed loops", "cardan");
  app.set_version_flag("--version", CARDAN_VERSION);
  app.require_subcommand(1);
  app.footer(kTop);
  Requests requests;
  add_commands(app, requests);
  std::string command_line;
  for (int i = 0; i < argc; ++i) command_line += (i == 0 ? "" : " ") + shell_word(argv[i]);
  requests.run.command_line = requests.compare.command_line = requests.study.command_line =
      requests.modes.command_line = requests.inverse.command_line = requests.drive.command_line =
          requests.sweep.command_line = command_line;
  app.failure_message([&app](const CLI::App*, const CLI::Error& error) {
    return printable(fmt::format("cardan: {}\nSee --help.\n", plain_words(app, error.what())));
  });
  check_command_name(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_bad_input;
  }
  return serve(app, requests);
}

}  // namespace cardan
