#include "command_options.hpp"

namespace cardan {
namespace {

constexpr const char* kDriveExamples =
    R"(Steps are taken by the clock. The page has a control for each of the model's `inputs:`; keyboard, gamepad and touch
work. DIR receives drive.csv, the inputs with their times: `cardan run MODEL --input DIR/drive.csv` repeats the motion,
bit for bit, up to where the drive ended (or the model's own `until`: --until then). summary.json has the statistics of the clock; the first line says when a step was late.

The page is served on 127.0.0.1 alone, behind a secret address. docs/drive.md has the rest, with what another process
says at the wire (cardan/wire.h).

examples:
  cardan drive models/iltis_driven.yaml               drive it in the browser
  cardan drive models/excavator_driven.yaml --scale 0.5  dig in slow motion
  cardan drive car.yaml --no-page --udp 5000          a controller at UDP port 5000, nobody at the page
  cardan drive car.yaml --iterations 3 --real-time --overrun stop
)";

}  // namespace

void add_drive(CLI::App& app, DriveRequest& request) {
  CLI::App& command =
      *app.add_subcommand("drive", "step a model in real time, with a person or hardware at its inputs");
  add_model(command, request.model, request.parameters);
  add_method(command, request.options);
  command.get_option("--until")->description(
      "end of the drive, s (default: until it is stopped, whatever the model says)");
  command.add_option("--scale", request.scale, "simulated seconds per second (default: 1)")
      ->type_name("S")
      ->check(CLI::Range(0.01, 100.0));
  command.add_flag("--unpaced", request.unpaced, "as fast as it goes, without a clock");
  command
      .add_option("--overrun", request.overrun,
                  "when a step is not done in time: catch_up (default), slow_down or stop")
      ->type_name("HOW")
      ->check(CLI::IsMember({"catch_up", "slow_down", "stop"}));
  command.add_option("--behind", request.behind, "what catch_up gives up, s late (default: 0.1)")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--real-time", request.real_time, "ask for priority over other programs and for memory that stays");
  command
      .add_option("--processor", request.processor, "keep the stepping thread on processor N, from 0 (default: any)")
      ->type_name("N")
      ->check(CLI::Range(0, 1023));
  command.add_flag("--paused", request.paused, "wait for a person to start it");
  command.add_option("--udp", request.udp, "another process at UDP port N of 127.0.0.1")->type_name("[ADDRESS:]N");
  command.add_option("--udp-to", request.udp_to, "where outputs go (default: to whoever sends inputs)")
      ->type_name("ADDRESS:N");
  command.add_option("--shared-memory", request.shared_memory, "another process in shared memory of this name")
      ->type_name("/NAME");
  command.add_option("--port", request.port, "of the page (default: any free port)")->type_name("N");
  command.add_option("--listen", request.listen, "serve the page on another address of this machine; needs --token")
      ->type_name("ADDRESS");
  command.add_option("--token", request.token, "the secret in the page's address (default: a new one)")
      ->type_name("WORD");
  command.add_flag("--no-page", request.no_page, "no page: inputs come by the wire or stay at their start");
  command.add_flag("--no-browser", request.no_browser, "only print the address");
  command.add_option("--seconds", request.seconds, "end after so long by the clock (default: on Ctrl-C)")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--out", request.out, "folder for the recording (default: out/<model name>-drive)")
      ->type_name("DIR");
  command.add_option("--report", request.report, "also write one self-contained HTML page: summary, histograms, model")
      ->type_name("FILE");
  add_overwrite(command, request.overwrite);
  command.add_flag("--json", request.json, "print the summary as JSON");
  command.footer(kDriveExamples + listed("formulations", formulations()) + listed("integrators", integrators()));
}

}  // namespace cardan
