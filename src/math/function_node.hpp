// What every kind of function behind Function offers. Immutable after its construction, evaluated without allocation.
#pragma once

#include "cardan/function.hpp"

namespace cardan {

struct Function::Node {
  virtual ~Node() = default;
  virtual Value evaluate(double x) const = 0;
  virtual double integral(double a, double b) const = 0;
  virtual bool is_zero() const = 0;
  virtual bool has_closed_integral() const { return true; }
  virtual std::optional<PassedEnd> passed_end(double /*x*/) const { return std::nullopt; }
  virtual bool has_table() const { return false; }
};

}  // namespace cardan
