// Cardan beside other engines on the same problems, in one run, single-threaded, interleaved, the least of repeats:
//   cardan_peers_bench [FOLDER [SECONDS]]     SECONDS of the processor for the scan of one engine (default 60)
// Each engine has the cheapest of its settings that holds the error, found by a scan over its solvers, stiffnesses and
// steps. Engines that were not found when this was built are named and left out. Writes peers.csv, chains.csv and
// engines.csv into FOLDER (default: the working one), which docs/site/performance.mjs makes tables of.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
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
constexpr double kWorthARepeat = 5;         // s: what takes longer is not run again
constexpr double kOurMostViolation = 1e-8;  // m: Cardan's joints are to hold

using Peers = std::vector<std::unique_ptr<Peer>>;

struct Case {
  Problem problem;
  const char* name;
  int size;
  double error;  // see ProblemRun
};

struct Best {
  bool found = false;
  Setting setting;
  ProblemRun run;
};

/// Seconds of one forward dynamics; infinite where the engine does not take such a chain, which it says.
double chain_of(Peer& peer, int links) {
  const double none = std::numeric_limits<double>::infinity();
  try {
    const double seconds = peer.chain(links);
    return seconds < 0 ? none : seconds;
  } catch (const std::exception& error) {
    fmt::print("{} has no chain of {} links: {}\n", peer.name(), links, error.what());
    return none;
  }
}

/// A run; one that the engine does not take is wrong.
ProblemRun run_of(Peer& peer, const Case& asked, const Setting& setting) {
  try {
    return peer.run(asked.problem, asked.size, setting);
  } catch (const std::exception& error) {
    fmt::print("{} does not run {} of size {}: {}\n", peer.name(), asked.name, asked.size, error.what());
    return {};
  }
}

/// The cheapest setting of all that hold the error on the right branch.
Best scan(Peer& peer, const Case& asked, bool is_ours, double budget) {
  Best best;
  double spent = 0;
  for (const auto& family : peer.settings(asked.problem)) {
    for (const Setting& setting : family) {
      if (spent > budget) return best;
      const ProblemRun run = run_of(peer, asked, setting);
      spent += run.seconds;
      const bool holds = run.is_right && run.error <= asked.error && (!is_ours || run.violation <= kOurMostViolation);
      if (holds && (!best.found || run.seconds < best.run.seconds)) best = {true, setting, run};
      if (best.found && run.seconds > 2 * best.run.seconds) break;  // finer ones of this family cost more still
    }
  }
  return best;
}

std::string describe(const Setting& setting) {
  std::string text = setting.name;
  if (setting.step > 0) text += fmt::format(" step {:.3g} s", setting.step);
  if (setting.accuracy > 0) text += fmt::format(" accuracy {:.1e}", setting.accuracy);
  if (setting.stiffness > 0) text += fmt::format(" stiffness {:.1e} 1/s^2", setting.stiffness);
  return text;
}

void compare(const Peers& peers, const Case& asked, double budget, std::ostream& file) {
  std::vector<Best> best;
  for (const auto& peer : peers) best.push_back(scan(*peer, asked, peer == peers.front(), budget));
  for (int i = 0; i < kRepeats; ++i) {
    for (std::size_t k = 0; k < peers.size(); ++k) {
      if (!best[k].found || best[k].run.seconds > kWorthARepeat) continue;
      const ProblemRun again = peers[k]->run(asked.problem, asked.size, best[k].setting);
      best[k].run.seconds = std::min(best[k].run.seconds, again.seconds);
    }
  }
  for (std::size_t k = 0; k < peers.size(); ++k) {
    const auto& [found, setting, run] = best[k];
    const double ratio = best[0].found ? run.seconds / best[0].run.seconds : std::nan("");
    const std::string line =
        found ? fmt::format("{},{},{:g},{},{:.6g},{:.3g},{:.2e},{:.2e},{}", asked.name, asked.size, asked.error,
                            peers[k]->name(), run.seconds, ratio, run.error, run.violation, describe(setting))
              : fmt::format("{},{},{:g},{},,,,,", asked.name, asked.size, asked.error, peers[k]->name());
    fmt::print("{}\n", line);
    file << line << std::endl;
  }
}

void compare_chains(const Peers& peers, std::ostream& file) {
  file << "links,engine,seconds\n";
  for (const int links : {10, 100, 1000, 10000}) {
    std::vector<double> least(peers.size(), std::numeric_limits<double>::infinity());
    for (int i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < peers.size(); ++k) least[k] = std::min(least[k], chain_of(*peers[k], links));
    }
    for (std::size_t k = 0; k < peers.size(); ++k) {
      const std::string line =
          fmt::format("{},{},{}", links, peers[k]->name(), std::isinf(least[k]) ? "" : fmt::format("{:.4g}", least[k]));
      fmt::print("{}\n", line);
      file << line << std::endl;
    }
  }
}

Peers all_peers(std::ostream& file) {
  Peers peers;
  file << "engine,there\n";
  const auto add = [&](std::unique_ptr<Peer> peer) {
    file << peer->name() << ",yes\n";
    peers.push_back(std::move(peer));
  };
  const auto leave_out = [&](const char* name, const char* package) {
    fmt::print("{} is not there ({}): left out\n", name, package);
    file << name << ",no\n";
  };
  add(make_cardan());
#ifdef HAVE_MUJOCO
  add(make_mujoco());
#else
  leave_out("MuJoCo", "libmujoco-dev");
#endif
#ifdef HAVE_SIMBODY
  add(make_simbody());
#else
  leave_out("Simbody", "libsimbody-dev");
#endif
#ifdef HAVE_DART
  add(make_dart());
#else
  leave_out("DART", "libdart-dev");
#endif
  (void)leave_out;
  return peers;
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  using namespace peers;
  const std::string folder = argc > 1 ? argv[1] : ".";
  const double budget = argc > 2 ? std::atof(argv[2]) : 60;
  const auto open = [&](const char* name) { return std::ofstream(folder + "/" + name); };
  std::ofstream engines = open("engines.csv"), chains = open("chains.csv"), runs = open("peers.csv");
  if (!engines || !chains || !runs) {
    fmt::print(stderr, "no files can be written into {}\n", folder);
    return 1;
  }
  const Peers peers = all_peers(engines);
  compare_chains(peers, chains);
  runs << "problem,size,error,engine,seconds,ratio,own_error,violation,setting\n";
  for (const double error : {0.1, 1e-3}) {
    for (const int windows : {2, 10, 40, 200})
      compare(peers, {Problem::windows, "windows", windows, error}, budget, runs);
  }
  compare(peers, {Problem::bricard, "bricard", 1, 1e-3}, budget, runs);
  for (const double error : {0.02, 0.005}) compare(peers, {Problem::vehicle, "vehicle", 1, error}, budget, runs);
  // A hundredth of a joule for every link.
  for (const int links : {10, 100, 1000, 10000})
    compare(peers, {Problem::chain, "chain", links, 0.01 * links}, budget, runs);
}
