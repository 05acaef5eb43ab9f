#include "interruption.hpp"

#include <csignal>

namespace cardan {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

void set_handler(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
  set_handler([](int) { interrupted = true; });
}
Interruption::~Interruption() { set_handler(SIG_DFL); }

const std::atomic<bool>& Interruption::requested() { return interrupted; }

}  // namespace cardan
