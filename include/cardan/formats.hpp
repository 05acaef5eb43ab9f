// Files of other programs: URDF and ADAMS datasets become models, models become URDF and MJCF. read_mechanism()
// (io.hpp) reads .urdf and .adm files as it reads models; here is what a model made of one looks like, and the way
// back. docs/formats.md says what is read and written, and the conventions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cardan/diagnostic.hpp"
#include "cardan/mechanism.hpp"

namespace cardan {

struct ImportOptions {
  /// What is not understood is left out and told in the preface, instead of refused.
  bool leave_out = false;
  /// URDF: limits of joints become stops of this stiffness (N m/rad and N/m) with a hundredth of it as damping; without
  /// it they are told beside the joint and do nothing.
  std::optional<double> stops;
  /// URDF: the root link is free to move instead of fixed to ground.
  bool floating = false;
  /// URDF: folders of packages, for package://NAME/...; others are looked for above the file.
  std::map<std::string, std::string> packages;
  /// URDF: where the model file will stand, which meshes are named from; empty: beside the file.
  std::string folder;
};

/// The model file that a .urdf or .adm file amounts to. Throws ModelError with everything that is wrong with it, and
/// std::invalid_argument when it is neither. `warnings` receives what was let through.
std::string import_model(const std::string& path, const ImportOptions& options = {},
                         std::vector<Diagnostic>* warnings = nullptr);

struct ExportOptions {
  /// What the format cannot say is left out and told in a comment, instead of refused.
  bool leave_out = false;
};

/// A model in another format, and what goes with it.
struct ExportedModel {
  std::string text;
  /// URDF: a model file that includes the text as `file_name` and adds what URDF has no word for: loops, gravity,
  /// start. Empty where nothing is missing.
  std::string sidecar;
  std::vector<std::string> left_out;
};

/// As a tree of links; joints that close loops go into the sidecar. Throws ModelError with what URDF cannot say.
/// `file_name`: how the sidecar calls it.
ExportedModel export_urdf(const Mechanism& mechanism, const std::string& file_name, const ExportOptions& options = {});

/// For MuJoCo: loops become equality constraints, the start is a key frame. Throws ModelError with what MJCF cannot
/// say.
ExportedModel export_mjcf(const Mechanism& mechanism, const ExportOptions& options = {});

}  // namespace cardan
