// How this process was started: alone, or as one of several by mpirun, mpiexec or srun. Their environment says so; no
// library is needed, since processes share a folder and send no messages.
#pragma once

namespace cardan {

struct Launch {
  int rank = 0, size = 1;  // among all processes
  int on_node = 1;         // processes on this node
  /// The one that talks.
  bool is_first() const { return rank == 0; }
};

Launch find_launch();

/// For the threads of this process: all that it is bound to, or its share of the node where nothing binds it.
unsigned own_processors(const Launch& launch);

}  // namespace cardan
