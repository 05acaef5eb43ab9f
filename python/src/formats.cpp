// Files of other programs: robots and datasets as model files, models for other engines.
#include "cardan/formats.hpp"

#include "bindings.hpp"
#include "callback.hpp"

namespace cardan::python {
namespace {

std::string imported(const std::string& path, bool leave_out, std::optional<double> stops, bool floating,
                     const std::map<std::string, std::string>& packages, const std::string& folder) {
  const ImportOptions options{leave_out, stops, floating, packages, folder};
  return without_gil([&] { return import_model(path, options); });
}

}  // namespace

void bind_formats(py::module_& module) {
  module.def(
      "import_model", &imported, py::arg("path"), py::arg("leave_out") = false, py::arg("stops") = py::none(),
      py::arg("floating") = false, py::arg("packages") = std::map<std::string, std::string>(), py::arg("folder") = "",
      "The model file that a .urdf or .adm file amounts to, as text. `leave_out`: without what is not understood. Of "
      "URDF: `stops` of this stiffness at the limits, `floating` with a root that is free, folders of `packages`, "
      "the `folder` that meshes are named from.");
  py::class_<ExportedModel>(module, "ExportedModel", "A model in another format.")
      .def_readonly("text", &ExportedModel::text)
      .def_readonly("sidecar", &ExportedModel::sidecar,
                    "Of URDF: a model file that includes the text and adds what URDF has no word for; empty where "
                    "nothing is missing.")
      .def_readonly("left_out", &ExportedModel::left_out, "What the format cannot say.");
  module.def(
      "export_urdf",
      [](const py::object& model, const std::string& file_name, bool leave_out) {
        return without_gil([mechanism = model_of(model), &file_name, leave_out] {
          return export_urdf(mechanism->mechanism, file_name, {leave_out});
        });
      },
      py::arg("model"), py::arg("file_name"), py::arg("leave_out") = false,
      "A model as URDF; `file_name` is what its sidecar calls it.");
  module.def(
      "export_mjcf",
      [](const py::object& model, bool leave_out) {
        return without_gil(
            [mechanism = model_of(model), leave_out] { return export_mjcf(mechanism->mechanism, {leave_out}); });
      },
      py::arg("model"), py::arg("leave_out") = false, "A model for MuJoCo.");
}

}  // namespace cardan::python
