#include "system/compile.hpp"

#include <stdexcept>

#include "formulation/cartesian/cartesian_formulation.hpp"
#include "formulation/natural/natural_formulation.hpp"
#include "formulation/recursive/recursive_formulation.hpp"
#include "formulation/relative/topological_formulation.hpp"
#include "formulation/signal_formulation.hpp"
#include "math/in_space.hpp"
#include "mechanism/phases.hpp"
#include "system/fingerprint.hpp"

namespace cardan {
namespace {

template <int D>
Assembly<D> assemble_from(const BodyModel<D>& model, const StartingPoint& start) {
  AssemblyOptions options;
  options.dependent_drivers = start.dependent_drivers;
  options.warnings = !start.bare;
  if (start.poses.empty()) return assemble(model, options);
  BodyKinematics<D> poses(model.bodies());
  for (int b = 0; b < model.bodies(); ++b) {
    poses.center[b] = start.poses[b].position.template head<D>() - model.origin();
    poses.rotation[b] = start.poses[b].rotation.template topLeftCorner<D, D>();
  }
  options.initial_positions = false;
  return assemble(model, poses, options);
}

/// Where its bodies were assembled.
template <int D>
std::vector<BodyPose> assembled_poses(const CompiledMechanism& compiled) {
  const BodyModel<D>& model = dynamic_cast<const BodyFormulation<D>&>(*compiled.formulation).model();
  const BodyKinematics<D>& bodies = assembly_of<D>(*compiled.observer).bodies;
  std::vector<BodyPose> poses(static_cast<std::size_t>(model.bodies()));
  for (int b = 0; b < model.bodies(); ++b) {
    poses[b].position = in_space(model.place(b, bodies));
    poses[b].rotation = rotation_in_space(bodies.rotation[b]);
  }
  return poses;
}

template <int D>
CompiledMechanism compile_in(const Mechanism& mechanism, const std::string& name, const std::vector<std::string>& cut,
                             const StartingPoint& start, const CompiledMechanism* first, const State* sample) {
  auto model = std::make_shared<const BodyModel<D>>(mechanism);
  const Assembly<D> assembly = first ? assembly_of<D>(*first->observer) : assemble_from(*model, start);
  CompiledMechanism result;
  result.attached = model->drawn_attachments();
  result.length = assembly.length;
  result.warnings = assembly.warnings;
  std::unique_ptr<BodyFormulation<D>> formulation;
  if (name == "global") {
    formulation = std::make_unique<NaturalFormulation<D>>(model, assembly.bodies, assembly.length);
  } else if (name == "cartesian") {
    formulation = std::make_unique<CartesianFormulation<D>>(model, assembly.bodies, assembly.length);
  } else {
    const SpanningTree tree = make_spanning_tree(mechanism, cut);
    for (int j : tree.cut) result.cut.push_back(mechanism.joints[j].name);
    if (name == "hybrid") {
      formulation = std::make_unique<RelativeFormulation<D>>(model, assembly.bodies, tree, assembly.length);
    } else if (name == "topological") {
      formulation = std::make_unique<TopologicalFormulation<D>>(model, assembly.bodies, tree, assembly.length, sample);
    } else if (name == "recursive") {
      formulation = std::make_unique<RecursiveFormulation<D>>(model, assembly.bodies, tree, assembly.length);
    } else {
      throw std::invalid_argument("no formulation is called '" + name + "'");
    }
  }
  formulation = with_signals(std::move(formulation));
  result.observer = make_observer<D>(model, *formulation, assembly, start.reactions);
  result.formulation = std::move(formulation);
  if (!start.bare) identify(mechanism, name, result);
  return result;
}

}  // namespace

CompiledMechanism compile(const Mechanism& mechanism, const std::string& formulation,
                          const std::vector<std::string>& cut, const StartingPoint& start) {
  const auto in_phase = [&](const Mechanism& phase) {
    return phase.planar ? compile_in<2>(phase, formulation, cut, start, start.same, nullptr)
                        : compile_in<3>(phase, formulation, cut, start, start.same, nullptr);
  };
  return mechanism.events.empty() ? in_phase(mechanism) : in_phase(initial_phase(mechanism));
}

void identify(const Mechanism& mechanism, const std::string& formulation, CompiledMechanism& compiled) {
  compiled.system = fingerprint(mechanism, formulation, compiled.cut,
                                mechanism.planar ? assembled_poses<2>(compiled) : assembled_poses<3>(compiled));
}

CompiledMechanism compile_phase(const Mechanism& phase, const std::string& formulation,
                                const std::vector<std::string>& cut, const CompiledMechanism& first,
                                const State& sample) {
  return phase.planar ? compile_in<2>(phase, formulation, cut, {}, &first, &sample)
                      : compile_in<3>(phase, formulation, cut, {}, &first, &sample);
}

}  // namespace cardan
