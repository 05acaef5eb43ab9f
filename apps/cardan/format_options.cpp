#include "command_options.hpp"

namespace cardan {

void add_import(CLI::App& app, ImportRequest& request) {
  CLI::App& command = *app.add_subcommand("import", "make a model file of a URDF or ADAMS file");
  command.add_option("FILE", request.file, "robot (.urdf), or dataset of ADAMS Solver (.adm)")->required();
  command.add_option("-o,--out", request.out, "model file to write (default: standard output)")->type_name("MODEL");
  command.add_flag("--leave-out", request.leave_out,
                   "leave out what is not understood, and name it in the model, instead of refusing the file");
  command
      .add_option("--stops", request.stops, "URDF: limits of joints become stops of this stiffness, N m/rad and N/m")
      ->type_name("K");
  command.add_flag("--floating", request.floating, "URDF: the root link is free instead of fixed to ground");
  command
      .add_option("--package", request.packages,
                  "URDF: where package://NAME is (default: looked for above the file); may be repeated")
      ->type_name("NAME=DIR")
      ->allow_extra_args(false);
  command.footer(
      "The same files may stand wherever a model may, and under `subsystems` of a model, which closes loops and adds\n"
      "loads and drivers. docs/formats.md says what is read, and how.\n\n"
      "examples:\n  cardan import arm.urdf -o arm.yaml\n  cardan import wiper.adm --leave-out -o wiper.yaml\n"
      "  cardan run arm.urdf --until 2");
}

void add_export(CLI::App& app, ExportRequest& request) {
  CLI::App& command = *app.add_subcommand("export", "a model for other tools");
  command.add_option("FORMAT", request.format, "see below")->required();
  add_model(command, request.model, request.parameters);
  command.add_option("-o,--out", request.out, "file to write (default: standard output; fmu: <model name>.fmu)")
      ->type_name("FILE");
  command.add_flag("--leave-out", request.leave_out,
                   "urdf, mjcf: leave out what the format has no words for, instead of refusing the model");
  command.add_option("--fmi", request.fmi, "fmu: version of FMI, 2 (default) or 3")->check(CLI::IsMember({2, 3}));
  add_method(command, request.options);
  command.footer(
      "docs/formats.md and docs/connect.md say what is written. The options of methods are those of an FMU.\n\n"
      "examples:\n  cardan export fmu car.yaml --step 0.002 -o car.fmu\n  cardan export urdf models/puma560.yaml -o "
      "puma.urdf --leave-out\n"
      "  cardan export mjcf models/double_four_bar.yaml -o double_four_bar.xml\n" +
      listed_export_formats());
}

}  // namespace cardan
