#include "studies/stiff_stop/stiff_stop_linkage.hpp"

#include "cardan/io.hpp"
#include "studies/model_file.hpp"

namespace cardan {

Mechanism stiff_stop_linkage() { return read_mechanism(model_file("stiff_stop.yaml").string()); }

}  // namespace cardan
