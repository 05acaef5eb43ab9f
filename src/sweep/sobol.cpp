#include "sweep/sobol.hpp"

#include <stdexcept>
#include <vector>

namespace cardan {
namespace {

// m_1 to m_s of dimension d, which has the (d-1)th primitive polynomial: Joe and Kuo (2008), criterion D(6).
constexpr int kMostDegree = 7;
constexpr std::uint8_t kFirstNumbers[SobolDimension::kDimensions - 1][kMostDegree] = {{1},
                                                                                      {1, 3},
                                                                                      {1, 3, 1},
                                                                                      {1, 1, 1},
                                                                                      {1, 1, 3, 3},
                                                                                      {1, 3, 5, 13},
                                                                                      {1, 1, 5, 5, 17},
                                                                                      {1, 1, 5, 5, 5},
                                                                                      {1, 1, 7, 11, 19},
                                                                                      {1, 1, 5, 1, 1},
                                                                                      {1, 1, 1, 3, 11},
                                                                                      {1, 3, 5, 5, 31},
                                                                                      {1, 3, 3, 9, 7, 49},
                                                                                      {1, 1, 1, 15, 21, 21},
                                                                                      {1, 3, 1, 13, 27, 49},
                                                                                      {1, 1, 1, 15, 7, 5},
                                                                                      {1, 3, 1, 15, 13, 25},
                                                                                      {1, 1, 5, 5, 19, 61},
                                                                                      {1, 3, 7, 11, 23, 15, 103},
                                                                                      {1, 3, 7, 13, 13, 15, 69},
                                                                                      {1, 1, 3, 13, 7, 35, 63},
                                                                                      {1, 3, 5, 9, 1, 25, 53},
                                                                                      {1, 3, 1, 13, 9, 35, 107},
                                                                                      {1, 3, 1, 5, 27, 61, 31},
                                                                                      {1, 1, 5, 11, 19, 41, 61},
                                                                                      {1, 3, 5, 3, 3, 13, 69},
                                                                                      {1, 1, 7, 13, 1, 19, 1},
                                                                                      {1, 3, 7, 5, 13, 19, 59},
                                                                                      {1, 1, 3, 9, 25, 29, 41},
                                                                                      {1, 3, 5, 13, 23, 1, 55},
                                                                                      {1, 3, 7, 3, 13, 59, 17},
                                                                                      {1, 3, 1, 3, 5, 53, 69},
                                                                                      {1, 1, 5, 5, 23, 33, 13},
                                                                                      {1, 1, 7, 7, 1, 61, 123},
                                                                                      {1, 1, 7, 9, 13, 61, 49},
                                                                                      {1, 3, 3, 5, 3, 55, 33}};

struct Polynomial {
  unsigned coefficients;  // over two elements, the bit k being that of x^k
  int degree;
};

/// A polynomial of degree s is primitive when the powers of x go through all 2^s - 1 remainders but 0.
bool is_primitive(const Polynomial& p) {
  unsigned power = 1;
  for (unsigned count = 1;; ++count) {
    power <<= 1;
    if (power >> p.degree & 1) power ^= p.coefficients;
    if (power == 1) return count == (1U << p.degree) - 1;
    if (power == 0 || count >> p.degree) return false;
  }
}

/// By degree, then by value.
std::vector<Polynomial> primitive_polynomials() {
  std::vector<Polynomial> found;
  for (int degree = 1; degree <= kMostDegree; ++degree)
    for (unsigned inner = 0; inner < 1U << (degree - 1); ++inner) {
      const Polynomial candidate{1U << degree | inner << 1 | 1, degree};
      if (is_primitive(candidate)) found.push_back(candidate);
    }
  return found;
}

}  // namespace

SobolDimension::SobolDimension(int dimension) {
  if (dimension < 0 || dimension >= kDimensions) throw std::invalid_argument("Sobol's sequence has no such dimension");
  if (dimension == 0) {
    for (int k = 0; k < kDigits; ++k) direction_[k] = std::uint64_t{1} << (kDigits - 1 - k);
    return;
  }
  static const std::vector<Polynomial> polynomials = primitive_polynomials();
  const Polynomial& p = polynomials.at(static_cast<std::size_t>(dimension - 1));
  const int s = p.degree;
  // v_k = m_k / 2^k;  m_k = 2 a_1 m_(k-1) ^ ... ^ 2^(s-1) a_(s-1) m_(k-s+1) ^ 2^s m_(k-s) ^ m_(k-s), a_i those of
  // x^(s-i): in terms of v the factors 2^i shift digits
  for (int k = 0; k < kDigits; ++k) {
    if (k < s) {
      direction_[k] = std::uint64_t{kFirstNumbers[dimension - 1][k]} << (kDigits - 1 - k);
      continue;
    }
    direction_[k] = direction_[k - s] ^ direction_[k - s] >> s;
    for (int i = 1; i < s; ++i)
      if (p.coefficients >> (s - i) & 1) direction_[k] ^= direction_[k - i];
  }
}

std::uint64_t SobolDimension::digits(std::uint64_t number) const {
  std::uint64_t digits = 0, gray = number ^ number >> 1;
  for (int k = 0; k < kDigits && gray != 0; ++k, gray >>= 1)
    if (gray & 1) digits ^= direction_[k];
  return digits;
}

}  // namespace cardan
