#include "drive/input_recorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <system_error>

#include "io/whole_file.hpp"

namespace cardan {

InputRecorder::InputRecorder(const std::vector<std::string>& names, std::filesystem::path file)
    : names_(names), file_(std::move(file)), width_(names.size() + 2), ring_(kRows * width_) {
  write();
  if (!trouble_.empty()) throw std::system_error(std::make_error_code(std::errc::io_error), trouble_);
  thread_ = std::thread([this] { work(); });
}

InputRecorder::~InputRecorder() { finish(); }

void InputRecorder::put(double t, const double* values) {
  const std::size_t end = end_.load(std::memory_order_relaxed);
  if (end - begin_.load(std::memory_order_acquire) == kRows) {
    lost_.store(true, std::memory_order_relaxed);
    return;
  }
  double* const row = &ring_[end % kRows * width_];
  row[0] = values ? kRow : kCut;
  row[1] = t;
  if (values) std::copy_n(values, names_.size(), row + 2);
  end_.store(end + 1, std::memory_order_release);
}

void InputRecorder::empty_ring() {
  const std::size_t end = end_.load(std::memory_order_acquire);
  for (std::size_t i = begin_.load(std::memory_order_relaxed); i < end; ++i) {
    const double* const row = &ring_[i % kRows * width_];
    const std::size_t width = width_ - 1;
    // A row replaces one of the same time: the drive was there before and has gone back.
    const double t = row[1];
    while (!rows_.empty() && rows_[rows_.size() - width] >= t) rows_.resize(rows_.size() - width);
    if (row[0] == kRow) rows_.insert(rows_.end(), row + 1, row + width_);
    changed_ = true;
  }
  begin_.store(end, std::memory_order_release);
}

/// The whole file each time, under another name first: it is there in one piece at any moment.
void InputRecorder::write() {
  changed_ = false;
  if (file_.empty()) return;
  std::string text = fmt::format("t,{}\n", fmt::join(names_, ","));
  const std::size_t width = width_ - 1;
  for (std::size_t i = 0; i < rows_.size(); i += width) {
    const std::span<const double> row(&rows_[i], width);
    fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(row, ","));
  }
  try {
    write_whole(file_, text);
    trouble_.clear();
  } catch (const std::exception& error) {
    trouble_ = error.what();
  }
}

void InputRecorder::work() {
  constexpr auto kLook = std::chrono::milliseconds(20);
  constexpr int kWrite = 100;  // looks
  for (int looks = 0; !finished_.load(std::memory_order_acquire); ++looks) {
    std::this_thread::sleep_for(kLook);
    empty_ring();
    if (changed_ && looks % kWrite == 0) write();
  }
}

/// The inputs stay as they were.
void InputRecorder::add_end(double t) {
  const std::size_t width = width_ - 1;
  if (rows_.empty() || rows_[rows_.size() - width] >= t) return;
  const std::vector<double> last(rows_.end() - static_cast<std::ptrdiff_t>(width) + 1, rows_.end());
  rows_.push_back(t);
  rows_.insert(rows_.end(), last.begin(), last.end());
}

std::string InputRecorder::finish(double end) {
  if (thread_.joinable()) {
    finished_.store(true, std::memory_order_release);
    thread_.join();
    empty_ring();
    add_end(end);
    write();
  }
  if (lost_) return "inputs changed faster than they could be recorded: some are missing";
  return trouble_;
}

}  // namespace cardan
