// The spanning tree of a mechanism: which joints carry relative coordinates and which are cut and become loop closures.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

struct TreeLink {
  int body;       // the body that this link adds
  int parent;     // the body it hangs on, or kGround
  int joint;      // index of the joint between them
  bool reversed;  // the joint's second body is the parent
};

struct SpanningTree {
  std::vector<TreeLink> links;  // parents before children, one for every body
  std::vector<int> cut;         // joints that close loops, by index
};

/// Chooses the tree with the fewest coordinates: a minimum spanning tree over the joints' coordinate counts, shallow
/// links first among equals. Distance links are always cut (one equation each), and so are joints that events
/// attach or release; those that are not there are left out. The joints named in `cut` are cut as well. Throws
/// ModelError when a body cannot be reached without one of those, or a name is unknown.
SpanningTree make_spanning_tree(const Mechanism& mechanism, const std::vector<std::string>& cut);

}  // namespace cardan
