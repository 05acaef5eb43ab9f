// Functions of one variable.
#include "arrays.hpp"
#include "callback.hpp"
#include "cardan/function.hpp"
#include "descriptions.hpp"

namespace cardan::python {

namespace {

using Interpolation = Function::Interpolation;
using Beyond = Function::Beyond;

template <class Choice>
Choice chosen(const char* what, const std::string& word, const std::vector<std::pair<const char*, Choice>>& choices) {
  std::string all;
  for (const auto& [name, choice] : choices) {
    if (word == name) return choice;
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument(std::string(what) + " is '" + word + "', but should be one of " + all);
}

Function table_function(std::vector<double> x, std::vector<double> y, const std::string& interpolation,
                        const std::string& beyond) {
  return Function::table(
      std::move(x), std::move(y),
      chosen<Interpolation>("interpolation", interpolation,
                            {{"linear", Interpolation::linear}, {"cubic", Interpolation::cubic}}),
      chosen<Beyond>("beyond", beyond, {{"hold", Beyond::hold}, {"linear", Beyond::linear}, {"error", Beyond::error}}));
}

}  // namespace

void bind_functions(py::module_& module) {
  py::class_<Function>(module, "Function",
                       "A function of one variable with two derivatives: a law of a spring, a path of a driver.")
      .def(py::init<>(), "The zero function.")
      .def_static("constant", &Function::constant, py::arg("value"), "The same everywhere.")
      .def_static("polynomial", &Function::polynomial, py::arg("coefficients"), "c0 + c1 x + c2 x^2 + ...")
      .def_static("piecewise", &Function::piecewise, py::arg("breaks"), py::arg("pieces"),
                  "pieces[i] holds for x < breaks[i], the last one above all breaks.")
      .def_static(
          "table", &table_function, py::arg("x"), py::arg("y"), py::arg("interpolation") = "linear",
          py::arg("beyond") = "hold",
          "Through (x[i], y[i]): interpolation 'linear' or 'cubic', beyond the ends 'hold', 'linear' or 'error'.")
      .def_static("sine", &Function::sine, py::arg("amplitude"), py::arg("omega"), py::arg("phase") = 0.0,
                  py::arg("offset") = 0.0, "offset + amplitude sin(omega x + phase)")
      .def_static("smooth_step", &Function::smooth_step, py::arg("x0"), py::arg("y0"), py::arg("x1"), py::arg("y1"),
                  "y0 below x0, y1 above x1, between them a quintic without slope and curvature at both ends.")
      .def_static("friction", &Function::friction, py::arg("viscous"), py::arg("forward"), py::arg("backward"),
                  py::arg("width"),
                  "viscous x + friction that goes from `backward` (x below 0) to `forward` (x above 0) over `width`.")
      .def_static("stop", &Function::stop, py::arg("low"), py::arg("high"), py::arg("stiffness"), py::arg("soft"),
                  "0 between low and high, beyond them a stop that becomes stiff over the depth `soft`.")
      .def_static("expression", &Function::expression, py::arg("text"), py::arg("variable"),
                  py::arg("constants") = std::map<std::string, double>(), "An arithmetic expression of `variable`.")
      .def_static("custom", &custom_function, py::arg("law"), py::arg("scale") = 1.0, py::arg("derivatives") = false,
                  "A Python function. With `derivatives` it answers with (f, f', f''); without, with f alone, and "
                  "derivatives are\n"
                  "differences over 1/1024 of `scale`, which is how far x goes until the function has another shape.")
      .def(
          "__call__", [](const Function& f, double x) { return without_gil([&] { return f(x); }); }, py::arg("x"),
          "f(x)")
      .def(
          "evaluate",
          [](const Function& f, double x) {
            const Function::Value value = without_gil([&] { return f.evaluate(x); });
            return py::make_tuple(value.f, value.d1, value.d2);
          },
          py::arg("x"), "(f, f', f'') at x.")
      .def(
          "integral",
          [](const Function& f, double a, double b) { return without_gil([&] { return f.integral(a, b); }); },
          py::arg("a"), py::arg("b"), "The integral of f from a to b.")
      .def(
          "antiderivative",
          [](const Function& f, double start) { return without_gil([&] { return f.antiderivative(start); }); },
          py::arg("start") = 0.0, "start + the integral of f from 0 to x.")
      .def("scaled", &Function::scaled, py::arg("factor"), py::arg("argument_factor") = 1.0,
           "factor f(argument_factor x)");
}

}  // namespace cardan::python
