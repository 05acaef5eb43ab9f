// Errors whose leading term, h^p, is small beside the next one fall faster than with the order p as long as steps are
// long: e = a h^p + b h^(p+m), whose slope is p + m b h^m / (a + b h^m). A fit of it says from where on the order is p.
#pragma once

#include "studies/orders/order_run.hpp"

namespace cardan {

struct NextTerm {
  int power = 0;               // m: 1 or 2, which fits better; 0: nothing can be fitted
  double leading = 0;          // a
  double next = 0;             // b
  double largest_misfit = 0;   // of the errors, relative
  double step = 0, error = 0;  // below which the slope is within the margin of p, and e there; 0 unless a, b > 0
};

/// Of the steps that the order is taken from.
NextTerm fit_next_term(const OrderResult& result);

}  // namespace cardan
