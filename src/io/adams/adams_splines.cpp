// SPLINE data through which AKISPL and CUBSPL go, as pieces of polynomials: H. Akima, A new method of interpolation and
// smooth curve fitting based on local procedures, J. ACM 17 (1970) 589-602; G. E. Forsythe, M. A. Malcolm, C. B. Moler,
// Computer methods for mathematical computations (1977), chapter 4.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"

namespace cardan {

namespace {

/// Slopes at the points; the line is gone on with by two chords at either end, m(-1) = 2 m(0) - m(1) and so on.
std::vector<double> akima_slopes(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> m(n + 3);  // chord i of the points is m[i + 2]
  for (std::size_t i = 0; i + 1 < n; ++i) m[i + 2] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  m[1] = 2 * m[2] - m[3];
  m[0] = 2 * m[1] - m[2];
  m[n + 1] = 2 * m[n] - m[n - 1];
  m[n + 2] = 2 * m[n + 1] - m[n];
  std::vector<double> slopes(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double left = std::abs(m[i + 3] - m[i + 2]), right = std::abs(m[i + 1] - m[i]);
    const double sum = left + right;
    slopes[i] = sum > 1e-12 * (std::abs(m[i + 1]) + std::abs(m[i + 2]) + 1e-300)
                    ? (left * m[i + 1] + right * m[i + 2]) / sum
                    : (m[i + 1] + m[i + 2]) / 2;
  }
  return slopes;
}

/// Slopes of the curve whose second derivative goes on smoothly too,
///     b(i) s(i-1) + 2 (b(i-1) + b(i)) s(i) + b(i-1) s(i+1) = 3 (b(i) m(i-1) + b(i-1) m(i)),
/// with b the lengths of the pieces and m the chords; at either end its third derivative is that of the one cubic
/// through the last four points, 6 f[1, 2, 3, 4] = 6 (s(1) + s(2) - 2 m(1))/b(1)^2.
std::vector<double> cubic_slopes(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  const auto b = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto m = [&](std::size_t i) { return (y[i + 1] - y[i]) / b(i); };
  const auto third = [&](std::size_t i) {  // f[i, i+1, i+2, i+3]
    const auto second = [&](std::size_t k) { return (m(k + 1) - m(k)) / (b(k) + b(k + 1)); };
    return (second(i + 1) - second(i)) / (x[i + 3] - x[i]);
  };
  // Three diagonals, eliminated from the top.
  std::vector<double> diagonal(n, 1), above(n, 1), slopes(n);
  slopes[0] = 2 * m(0) + b(0) * b(0) * third(0);
  for (std::size_t i = 1; i < n; ++i) {
    const bool last = i + 1 == n;
    const double below = last ? 1 : b(i), factor = below / diagonal[i - 1];
    diagonal[i] = (last ? 1 : 2 * (b(i - 1) + b(i))) - factor * above[i - 1];
    above[i] = last ? 0 : b(i - 1);
    slopes[i] = (last ? 2 * m(i - 1) + b(i - 1) * b(i - 1) * third(i - 3) : 3 * (b(i) * m(i - 1) + b(i - 1) * m(i))) -
                factor * slopes[i - 1];
  }
  slopes[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) slopes[i] = (slopes[i] - above[i] * slopes[i + 1]) / diagonal[i];
  return slopes;
}

/// The polynomial differentiated `times` times.
std::array<double, 4> differentiated(std::array<double, 4> c, int times) {
  for (int k = 0; k < times; ++k) c = {c[1], 2 * c[2], 3 * c[3], 0};
  return c;
}

/// c0 + c1 (v - at) + c2 (v - at)^2 + c3 (v - at)^3 by powers of v.
std::array<double, 4> by_powers(const std::array<double, 4>& c, double at) {
  return {c[0] + at * (-c[1] + at * (c[2] - at * c[3])), c[1] + at * (-2 * c[2] + 3 * at * c[3]), c[2] - 3 * at * c[3],
          c[3]};
}

}  // namespace

std::optional<std::string> AdamsModel::spline(const AdamsSpline& wanted, std::string& why_not) {
  const auto& [argument, id, cubic, derivative] = wanted;
  const Statement* data = nullptr;
  for (const Statement& s : dataset_.statements)
    if (s.keyword == "SPLINE" && s.id == id) data = &s;
  if (data == nullptr) {
    why_not = fmt::format("there is no SPLINE/{}", id);
    return std::nullopt;
  }
  if (data->has("FILE") || data->has("Z")) {
    why_not = fmt::format("SPLINE/{} is a file or a surface", id);
    return std::nullopt;
  }
  const auto x = numbers(*data, "X", 4, 100000), y = numbers(*data, "Y", 4, 100000);
  if (!x || !y || x->size() != y->size())
    broken(fmt::format("SPLINE/{} has {} X and {} Y", id, x ? x->size() : 0, y ? y->size() : 0));
  for (std::size_t i = 1; i < x->size(); ++i)
    if (!((*x)[i] > (*x)[i - 1])) broken(fmt::format("X of SPLINE/{} do not rise", id));
  const std::vector<double> slopes = cubic ? cubic_slopes(*x, *y) : akima_slopes(*x, *y);
  const bool straight = data->has("LINEAR_EXTRAPOLATE");
  std::vector<TreeNode> pieces;
  const SourceLocation& where = data->where;
  const auto add = [&, times = derivative](const std::array<double, 4>& c, double at, std::optional<double> below) {
    TreeNode piece = map_node(where);
    if (below) piece->add({"below", where, number_node(*below, where)});
    std::vector<TreeNode> powers;
    for (const double p : differentiated(by_powers(c, at), times)) powers.push_back(number_node(p, where));
    piece->add({"polynomial", where, list_node(std::move(powers), where)});
    pieces.push_back(piece);
  };
  const std::size_t last = x->size() - 1;
  if (straight) add({(*y)[0], slopes[0], 0, 0}, (*x)[0], (*x)[0]);
  for (std::size_t i = 0; i < last; ++i) {
    const double h = (*x)[i + 1] - (*x)[i], m = ((*y)[i + 1] - (*y)[i]) / h;
    const std::optional<double> below = i + 1 < last || straight ? std::optional((*x)[i + 1]) : std::nullopt;
    add({(*y)[i], slopes[i], (3 * m - 2 * slopes[i] - slopes[i + 1]) / h,
         (slopes[i] + slopes[i + 1] - 2 * m) / (h * h)},
        (*x)[i], below);
  }
  if (straight) add({(*y)[last], slopes[last], 0, 0}, (*x)[last], std::nullopt);
  TreeNode value = map_node(where);
  value->add({"piecewise", where, list_node(std::move(pieces), where)});
  // A function of t where the argument is that.
  if (argument != "t") value->add({"of", where, word_node(shared(argument), where)});
  return signal_name(fmt::format("spline {} {} {} {}", id, argument, cubic, derivative),
                     fmt::format("spline_{}_of_{}", id, argument == "t" ? "t" : "x"), value);
}

}  // namespace cardan
