// Cardan beside other engines on the same problems, in one run, single-threaded, interleaved, the least of repeats:
//   cardan_peers_bench [N ...]      windows (default 2 10 40)
// Each engine has the cheapest of its settings that holds the error, found by a scan from coarse to fine. Engines that
// were not found when this was built are named and left out. Prints Markdown.
#include <fmt/format.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "peer.hpp"

namespace peers {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

namespace {

constexpr int kRepeats = 5;
constexpr double kScanBudget = 60;  // s of the processor for the scan of one engine at one size

struct Best {
  bool found = false;
  Setting setting;
  WindowRun run;
};

/// The cheapest setting of all that hold the error on the right branch.
Best scan(Peer& peer, int windows, double error) {
  Best best;
  double spent = 0;
  for (const Setting& setting : peer.settings()) {
    if (spent > kScanBudget) break;
    const WindowRun run = peer.windows(windows, setting);
    spent += run.seconds;
    if (!run.on_branch || !(run.energy_error <= error)) continue;
    if (!best.found || run.seconds < best.run.seconds) best = {true, setting, run};
    if (run.seconds > 4 * best.run.seconds) break;  // finer ones cost more still
  }
  return best;
}

std::string describe(const Setting& setting) {
  std::string text = setting.name;
  if (setting.step > 0) text += fmt::format(", step {:g} s", setting.step);
  if (setting.accuracy > 0) text += fmt::format(", accuracy {:.1e}", setting.accuracy);
  if (setting.stiffness > 0) text += fmt::format(", stiffness {:.1e} 1/s^2", setting.stiffness);
  return text;
}

void compare_windows(const std::vector<std::unique_ptr<Peer>>& peers, const std::vector<int>& sizes, double error) {
  fmt::print("\n### {} windows, 10 s, energy error below {:g} J\n\n", fmt::join(sizes, ", "), error);
  fmt::print("| N | engine | time, ms | times Cardan | energy error, J | joints open, m | setting |\n"
             "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const int size : sizes) {
    std::vector<Best> best;
    for (const auto& peer : peers) best.push_back(scan(*peer, size, error));
    for (int i = 0; i < kRepeats; ++i) {
      for (std::size_t k = 0; k < peers.size(); ++k) {
        if (!best[k].found || best[k].run.seconds > 5) continue;
        best[k].run.seconds = std::min(best[k].run.seconds, peers[k]->windows(size, best[k].setting).seconds);
      }
    }
    for (std::size_t k = 0; k < peers.size(); ++k) {
      if (!best[k].found) {
        fmt::print("| {} | {} | | | | | no setting held it |\n", size, peers[k]->name());
        continue;
      }
      const WindowRun& run = best[k].run;
      fmt::print("| {} | {} | {:.3g} | {:.3g} | {:.1e} | {:.1e} | {} |\n", size, peers[k]->name(), 1e3 * run.seconds,
                 run.seconds / best[0].run.seconds, run.energy_error, run.violation, describe(best[k].setting));
    }
  }
}

void compare_chains(const std::vector<std::unique_ptr<Peer>>& peers) {
  fmt::print("\n### Forward dynamics of an open chain, us\n\n| links |");
  for (const auto& peer : peers) fmt::print(" {} |", peer->name());
  fmt::print("\n| --- |");
  for (std::size_t i = 0; i < peers.size(); ++i) fmt::print(" --- |");
  fmt::print("\n");
  for (const int links : {10, 100, 1000, 10000}) {
    fmt::print("| {} |", links);
    for (const auto& peer : peers) {
      const double seconds = peer->chain(links);
      fmt::print(" {} |", seconds < 0 ? "" : fmt::format("{:.3g}", 1e6 * seconds));
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  using namespace peers;
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(make_cardan());
#ifdef HAVE_MUJOCO
  peers.push_back(make_mujoco());
#else
  fmt::print("MuJoCo is not there (libmujoco-dev): left out\n");
#endif
#ifdef HAVE_SIMBODY
  peers.push_back(make_simbody());
#else
  fmt::print("Simbody is not there (libsimbody-dev): left out\n");
#endif
#ifdef HAVE_DART
  peers.push_back(make_dart());
#else
  fmt::print("DART is not there (libdart-dev): left out\n");
#endif
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::max(1, std::atoi(argv[i])));
  if (sizes.empty()) sizes = {2, 10, 40};
  compare_chains(peers);
  compare_windows(peers, sizes, 0.1);
  compare_windows(peers, sizes, 1e-3);
}
