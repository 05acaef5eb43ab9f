// Where the program begins: its streams and signals, and the exit code of whatever goes wrong.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "cardan/diagnostic.hpp"
#include "commands.hpp"
#include "interruption.hpp"
#include "output.hpp"
#include "usage_errors.hpp"

namespace cardan {
namespace {

/// A file that is opened must not become what the program believes to be standard output or error.
void fill_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // Takes the lowest number that is free. Not for writing: a closed standard output stays an error.
    open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace
}  // namespace cardan

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone must not cut results short; see print()
  std::signal(SIGXFSZ, SIG_IGN);  // nor a limit on the size of files: writing fails, and that is said
  cardan::fill_standard_streams();
  try {
    return cardan::run_command_line(argc, argv);
  } catch (const cardan::ModelError& error) {
    cardan::say(error.what());
    return cardan::exit_bad_input;
  } catch (const cardan::Interrupted&) {
    cardan::complain("interrupted before there was anything to keep");
    return cardan::exit_interrupted;
  } catch (const std::invalid_argument& error) {
    cardan::complain(cardan::with_options_as_typed(error.what()));
    return cardan::exit_bad_input;
  } catch (const std::system_error& error) {
    cardan::complain(error.what());
    return cardan::exit_bad_input;
  } catch (const std::bad_alloc&) {
    cardan::complain("the memory does not suffice for this model with this formulation and integrator");
    return cardan::exit_failed;
  } catch (const std::exception& error) {
    cardan::complain(error.what());
    return cardan::exit_failed;
  }
}
