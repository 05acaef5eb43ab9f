#include "progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>

namespace cardan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kInterval = std::chrono::milliseconds(250);  // short jobs end before the first line
constexpr const char* kWipe = "\r\033[K";

/// A line that wraps could not be wiped.
std::string cut_to_terminal(std::string line) {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && line.size() >= size.ws_col)
    line.resize(size.ws_col - 1U);
  return line;
}

/// A terminal that has gone is no reason to end.
void draw_raw(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

ProgressLine::ProgressLine(std::function<std::string(double, double)> text) : text_(std::move(text)) {
  if (isatty(STDERR_FILENO) == 0) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { draw(stop); });
}

ProgressLine::~ProgressLine() {
  if (!visible()) return;
  thread_.request_stop();
  thread_.join();
  wipe();
}

void ProgressLine::draw(const std::stop_token& stop) {
  const auto start = Clock::now();
  std::condition_variable_any pause;
  std::unique_lock lock(terminal_);
  while (!pause.wait_for(lock, stop, kInterval, [&stop] { return stop.stop_requested(); })) {
    const double fraction = fraction_.load(std::memory_order_relaxed);
    if (fraction <= 0) continue;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    draw_raw(kWipe + cut_to_terminal(text_(fraction, seconds)));
    drawn_ = true;
  }
}

void ProgressLine::wipe() {
  const std::lock_guard lock(terminal_);
  fraction_ = 0;
  if (drawn_) draw_raw(kWipe);
  drawn_ = false;
}

std::string time_left(double fraction, double seconds) {
  if (!(fraction > 0)) return "";
  const double left = std::round(seconds * (1 - fraction) / fraction);
  const double minutes = std::floor(left / 60), hours = std::floor(minutes / 60);
  if (minutes < 1) return fmt::format("{:.0f} s left", left);
  if (hours < 1) return fmt::format("{:.0f} min {:.0f} s left", minutes, left - 60 * minutes);
  return fmt::format("{:.0f} h {:.0f} min left", hours, minutes - 60 * hours);
}

}  // namespace cardan
