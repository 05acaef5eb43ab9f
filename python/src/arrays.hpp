// Vectors and matrices as numpy arrays and back.
#pragma once

#include <fmt/format.h>

#include <stdexcept>

#include "bindings.hpp"
#include "cardan/math.hpp"

namespace cardan::python {

/// A copy.
template <class Vector>
py::array_t<double> array_of(const Vector& values) requires(
    requires { values.data(); } && !requires { values.cols(); }) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// A copy: one axis for vectors, two for matrices.
template <class Derived>
py::array_t<double> array_of(const Eigen::PlainObjectBase<Derived>& values) {
  if constexpr (Derived::IsVectorAtCompileTime) {
    return py::array_t<double>(values.size(), values.data());
  } else {
    constexpr py::ssize_t size = sizeof(double);
    return py::array_t<double>({values.rows(), values.cols()}, {size, size * values.rows()}, values.data());
  }
}

/// Numbers that `owner` keeps, not copied: what is written into the array is written there.
inline py::array_t<double> view_of(double* values, std::vector<py::ssize_t> shape, const py::object& owner) {
  return py::array_t<double>(std::move(shape), values, owner);
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

inline VecX vector_of(const Numbers& numbers) {
  if (numbers.ndim() != 1) throw std::invalid_argument("a list of numbers is wanted, with one axis");
  return Eigen::Map<const VecX>(numbers.data(), numbers.size());
}

/// Three numbers; of two the third is 0.
inline Vec3 vec3_of(const Numbers& numbers) {
  if (numbers.ndim() != 1 || (numbers.size() != 2 && numbers.size() != 3))
    throw std::invalid_argument(fmt::format("a vector has 2 or 3 numbers, not {}", numbers.size()));
  return {numbers.data()[0], numbers.data()[1], numbers.size() == 3 ? numbers.data()[2] : 0};
}

inline Mat3 mat3_of(const Numbers& numbers) {
  if (numbers.ndim() != 2 || numbers.shape(0) != 3 || numbers.shape(1) != 3)
    throw std::invalid_argument("a matrix of 3 by 3 numbers is wanted");
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(numbers.data());
}

}  // namespace cardan::python
