#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <system_error>

#include "cardan/wire.h"
#include "drive/real_time.hpp"
#include "drive/wire.hpp"

namespace cardan {
namespace {

[[noreturn]] void no_memory(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

/// The stepping thread looks itself: there is nothing to wait for.
class SharedMemory final : public Wire {
 public:
  explicit SharedMemory(const std::string& name) : name_(name) {
    const int file = shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) no_memory(fmt::format("cannot make shared memory '{}'", name));
    void* const memory = ftruncate(file, sizeof(cardan_wire_memory)) == 0
                             ? mmap(nullptr, sizeof(cardan_wire_memory), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                             : MAP_FAILED;
    const int error = errno;
    close(file);
    if (memory == MAP_FAILED) {
      shm_unlink(name.c_str());
      errno = error;
      no_memory(fmt::format("cannot map shared memory '{}'", name));
    }
    memory_ = static_cast<cardan_wire_memory*>(memory);
  }
  ~SharedMemory() override {
    munmap(memory_, sizeof *memory_);
    shm_unlink(name_.c_str());
  }

  bool read(std::span<double> inputs) override {
    const std::uint64_t version = __atomic_load_n(&memory_->inputs.version, __ATOMIC_RELAXED);
    if (version == seen_) return false;
    std::size_t bytes = 0;
    for (int tries = 0; tries < 8 && bytes == 0; ++tries) bytes = cardan_wire_look(&memory_->inputs, &frame_);
    if (bytes == 0) return false;  // it is being written: at the next step
    seen_ = version;
    if (!cardan_wire_valid(&frame_, bytes, CARDAN_WIRE_INPUTS) || frame_.head.sequence == 0 ||
        frame_.head.count > inputs.size() ||
        !std::all_of(frame_.values, frame_.values + frame_.head.count, [](double v) { return std::isfinite(v); })) {
      order_.refuse();
      return false;
    }
    if (!order_.take(frame_.head.session, frame_.head.sequence)) return false;
    std::copy_n(frame_.values, frame_.head.count, inputs.data());
    answers_ = frame_.head.sequence;
    felt_since_ = monotonic_now();
    return true;
  }

  void send(double time, std::span<const double> outputs) override {
    cardan_wire_begin(&frame_, CARDAN_WIRE_OUTPUTS, session_, ++sequence_, static_cast<std::uint32_t>(outputs.size()));
    frame_.head.answers = answers_;
    frame_.head.time = time;
    std::copy_n(outputs.data(), frame_.head.count, frame_.values);
    cardan_wire_put(&memory_->outputs, &frame_);
    sent_.store(sent_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (felt_since_ > 0) latency_.add(monotonic_now() - felt_since_);
    felt_since_ = 0;
  }

  WireCounts counts() const override {
    WireCounts counts = order_.counts();
    counts.sent = sent_;
    return counts;
  }

 private:
  std::string name_;
  cardan_wire_memory* memory_ = nullptr;
  cardan_wire_frame frame_{};
  FrameOrder order_;
  std::uint64_t seen_ = 0, sequence_ = 0, answers_ = 0;
  std::int64_t felt_since_ = 0;
  std::atomic<std::int64_t> sent_ = 0;
  std::uint32_t session_ = static_cast<std::uint32_t>(monotonic_now());
};

}  // namespace

std::unique_ptr<Wire> make_shared_memory_wire(const std::string& name) { return std::make_unique<SharedMemory>(name); }

}  // namespace cardan
