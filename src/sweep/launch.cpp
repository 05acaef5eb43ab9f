#include "sweep/launch.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace cardan {
namespace {

/// A whole number of the environment, or -1.
int number_named(const char* name) {
  const char* text = std::getenv(name);
  int number = -1;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), number);
  return number;
}

/// Open MPI; MPICH, Intel MPI and others of its kind; Slurm.
constexpr const char* kNames[][3] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                                     {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
                                     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE"}};

}  // namespace

Launch find_launch() {
  for (const auto& [rank, size, on_node] : kNames) {
    Launch launch{number_named(rank), number_named(size), number_named(on_node)};
    if (launch.rank < 0 || launch.size < 1 || launch.rank >= launch.size) continue;
    launch.on_node = std::clamp(launch.on_node, 1, launch.size);
    return launch;
  }
  return {};
}

unsigned own_processors(const Launch& launch) {
  const long all = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  cpu_set_t set;
  CPU_ZERO(&set);
  const long bound = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : all;
  const long share = bound < all ? bound : all / launch.on_node;
  return static_cast<unsigned>(std::max(1L, share));
}

}  // namespace cardan
