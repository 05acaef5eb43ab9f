// SPLINE data through which AKISPL goes, as pieces of polynomials: H. Akima, A new method of interpolation and smooth
// curve fitting based on local procedures, J. ACM 17 (1970) 589-602.
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

/// c0 + c1 (v - at) + c2 (v - at)^2 + c3 (v - at)^3 by powers of v.
std::array<double, 4> by_powers(const std::array<double, 4>& c, double at) {
  return {c[0] + at * (-c[1] + at * (c[2] - at * c[3])), c[1] + at * (-2 * c[2] + 3 * at * c[3]), c[2] - 3 * at * c[3],
          c[3]};
}

}  // namespace

std::optional<std::string> AdamsModel::spline(const std::string& argument, int id, std::string& why_not) {
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
  const std::vector<double> slopes = akima_slopes(*x, *y);
  const bool straight = data->has("LINEAR_EXTRAPOLATE");
  std::vector<TreeNode> pieces;
  const SourceLocation& where = data->where;
  const auto add = [&](const std::array<double, 4>& c, double at, std::optional<double> below) {
    TreeNode piece = map_node(where);
    if (below) piece->add({"below", where, number_node(*below, where)});
    std::vector<TreeNode> powers;
    for (const double p : by_powers(c, at)) powers.push_back(number_node(p, where));
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
  return signal_name(fmt::format("spline {} {}", id, argument),
                     fmt::format("spline_{}_of_{}", id, argument == "t" ? "t" : "x"), value);
}

}  // namespace cardan
