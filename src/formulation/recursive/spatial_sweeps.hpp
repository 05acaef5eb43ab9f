// The sweeps of articulated_tree.hpp in space, in vectors of four numbers. Compiled once for every set of instructions,
// each time in a namespace of its own (CARDAN_SWEEPS), and free of anything that other files compile too, so that the
// linker cannot put code for one processor where another runs. Products are not contracted: all sets give the same
// bits.
#pragma once

#include "formulation/recursive/spatial_lanes.hpp"
#include "math/sine_cosine.hpp"

namespace cardan::CARDAN_SWEEPS {

#define CARDAN_INLINE [[gnu::always_inline]] static inline

typedef double Four __attribute__((vector_size(32), may_alias));
typedef long long Choice __attribute__((vector_size(32)));

CARDAN_INLINE Four four(const Lanes& x) { return *reinterpret_cast<const Four*>(x.x); }
CARDAN_INLINE void put(const Four& v, Lanes& x) { *reinterpret_cast<Four*>(x.x) = v; }
CARDAN_INLINE Four all(double x) { return Four{x, x, x, x}; }
template <int I>
CARDAN_INLINE Four entry(const Four& v) {
  return __builtin_shuffle(v, Choice{I, I, I, I});
}
/// What stands in one place, zero elsewhere. By a mask: valgrind does not know what a shuffle becomes.
template <int I>
CARDAN_INLINE Four unit(const Four& x) {
  return (Four)((Choice)x & Choice{I == 0 ? -1 : 0, I == 1 ? -1 : 0, I == 2 ? -1 : 0, 0});
}
CARDAN_INLINE Four next(const Four& v) { return __builtin_shuffle(v, Choice{1, 2, 0, 3}); }
CARDAN_INLINE Four cross(const Four& a, const Four& b) { return next(a * next(b) - next(a) * b); }
/// By columns.
CARDAN_INLINE Four product(const Four& x, const Four& y, const Four& z, const Lanes& v) {
  return x * all(v.x[0]) + y * all(v.x[1]) + z * all(v.x[2]);
}
CARDAN_INLINE Four product(const Lanes (&m)[3], const Four& v) {
  return four(m[0]) * entry<0>(v) + four(m[1]) * entry<1>(v) + four(m[2]) * entry<2>(v);
}
CARDAN_INLINE double sum(const Four& v) { return (v[0] + v[2]) + (v[1] + v[3]); }
CARDAN_INLINE Four magnitude(const Four& v) {
  return (Four)((Choice)v & Choice{0x7fffffffffffffff, 0x7fffffffffffffff, 0x7fffffffffffffff, 0x7fffffffffffffff});
}

struct Twist {
  Four linear, angular;
};
CARDAN_INLINE Twist no_twist() { return {Four{}, Four{}}; }
CARDAN_INLINE Twist twist(const LaneTwist& x) { return {four(x.linear), four(x.angular)}; }
CARDAN_INLINE void put(const Twist& t, LaneTwist& x) {
  put(t.linear, x.linear);
  put(t.angular, x.angular);
}
CARDAN_INLINE double dot(const Twist& a, const Twist& b) { return sum(a.linear * b.linear + a.angular * b.angular); }
CARDAN_INLINE void add(const Twist& a, const Four& weight, Twist& to) {
  to.linear += weight * a.linear;
  to.angular += weight * a.angular;
}
/// The wrench about the inertial origin of a body's six numbers, taken about `origin`.
CARDAN_INLINE Twist wrench_at(const double* w, const Four& origin) {
  const Four f = {w[0], w[1], w[2], 0}, n = {w[3], w[4], w[5], 0};
  return {f, n - cross(origin, f)};
}

struct Inertia {
  Four A[3], Bt[3], B[3], C[3];
};
CARDAN_INLINE Inertia no_inertia() { return {}; }
CARDAN_INLINE void add(const LaneInertia& x, Inertia& I) {
  for (int j = 0; j < 3; ++j) {
    I.A[j] += four(x.A[j]), I.Bt[j] += four(x.Bt[j]);
    I.B[j] += four(x.B[j]), I.C[j] += four(x.C[j]);
  }
}
CARDAN_INLINE void add(const Inertia& I, LaneInertia& x) {
  for (int j = 0; j < 3; ++j) {
    put(four(x.A[j]) + I.A[j], x.A[j]), put(four(x.Bt[j]) + I.Bt[j], x.Bt[j]);
    put(four(x.B[j]) + I.B[j], x.B[j]), put(four(x.C[j]) + I.C[j], x.C[j]);
  }
}
/// A rigid body with its centre at r and inertia J about it: A = m, B = -m r~, C = J - m r~ r~.
CARDAN_INLINE void add_body(double mass, const Lanes& center, const Lanes (&J)[3], Inertia& I) {
  const Four m = all(mass), r = four(center), c = m * r;
  const Four squared = all(sum(c * r));
  I.A[0] += unit<0>(m), I.A[1] += unit<1>(m), I.A[2] += unit<2>(m);
  const Four minus = -c;
  const Four x = __builtin_shuffle(c, minus, Choice{3, 6, 1, 3}), y = __builtin_shuffle(c, minus, Choice{2, 3, 4, 3}),
             z = __builtin_shuffle(c, minus, Choice{5, 0, 3, 3});
  I.B[0] += x, I.B[1] += y, I.B[2] += z;
  I.Bt[0] -= x, I.Bt[1] -= y, I.Bt[2] -= z;
  I.C[0] += (four(J[0]) + unit<0>(squared)) - entry<0>(r) * c;
  I.C[1] += (four(J[1]) + unit<1>(squared)) - entry<1>(r) * c;
  I.C[2] += (four(J[2]) + unit<2>(squared)) - entry<2>(r) * c;
}
CARDAN_INLINE Twist times(const Inertia& I, const LaneTwist& h) {
  const double *s = h.linear.x, *w = h.angular.x;
  return {(I.A[0] * all(s[0]) + I.A[1] * all(s[1]) + I.A[2] * all(s[2])) +
              (I.B[0] * all(w[0]) + I.B[1] * all(w[1]) + I.B[2] * all(w[2])),
          (I.Bt[0] * all(s[0]) + I.Bt[1] * all(s[1]) + I.Bt[2] * all(s[2])) +
              (I.C[0] * all(w[0]) + I.C[1] * all(w[1]) + I.C[2] * all(w[2]))};
}
template <int J>
CARDAN_INLINE void eliminate_columns(const Twist& U, const Twist& over, Inertia& I) {
  const Four s = entry<J>(over.linear), w = entry<J>(over.angular);
  I.A[J] -= s * U.linear;
  I.Bt[J] -= s * U.angular;
  I.B[J] -= w * U.linear;
  I.C[J] -= w * U.angular;
}
/// I <- I - U U^T / d
CARDAN_INLINE void eliminate(const Twist& U, double inverse, Inertia& I) {
  const Twist over = {all(inverse) * U.linear, all(inverse) * U.angular};
  eliminate_columns<0>(U, over, I);
  eliminate_columns<1>(U, over, I);
  eliminate_columns<2>(U, over, I);
}
/// M <- M + N E with E w = w x d
CARDAN_INLINE void add_turned(const Four (&N)[3], const Four& d, Four (&M)[3]) {
  const Four x = entry<0>(d), y = entry<1>(d), z = entry<2>(d);
  M[0] += y * N[2] - z * N[1];
  M[1] += z * N[0] - x * N[2];
  M[2] += x * N[1] - y * N[0];
}
CARDAN_INLINE void make_symmetric(Four (&M)[3]) {
  const double yx = 0.5 * (M[0][1] + M[1][0]), zx = 0.5 * (M[0][2] + M[2][0]), zy = 0.5 * (M[1][2] + M[2][1]);
  M[0] = Four{M[0][0], yx, zx, 0};
  M[1] = Four{yx, M[1][1], zy, 0};
  M[2] = Four{zx, zy, M[2][2], 0};
}
/// About an origin that lies -d away: B' = B + A E, C' = C + B^T E + E^T B', E^T being d~. Both halves of I are kept,
/// and what rounding has made of their difference, which nothing else takes back, would grow along a chain.
CARDAN_INLINE void shift(const Four& d, Inertia& I) {
  add_turned(I.Bt, d, I.C);
  add_turned(I.A, d, I.B);
  for (int j = 0; j < 3; ++j) I.C[j] += cross(d, I.B[j]);
  for (int j = 0; j < 3; ++j) I.Bt[j] = Four{I.B[0][j], I.B[1][j], I.B[2][j], 0};
  make_symmetric(I.A);
  make_symmetric(I.C);
}

inline void position(const LaneTree& tree, int begin, int end, const double* z, const LaneBuffers& b) {
  int last = -2;  // the link whose frame the next lines hold
  Four X{}, Y{}, Z{}, place{}, origin{};
  for (int l = begin; l < end; ++l) {
    const LaneLink& link = tree.links[l];
    LaneState& s = b.link[l];
    if (link.parent < 0) {
      X = Four{1, 0, 0, 0}, Y = Four{0, 1, 0, 0}, Z = Four{0, 0, 1, 0};
      place = Four{};
      origin = four(s.origin);
    } else if (link.parent != last) {
      const LaneState& parent = b.link[link.parent];
      X = four(parent.rotation[0]), Y = four(parent.rotation[1]), Z = four(parent.rotation[2]);
      place = four(parent.place);
      origin = four(parent.origin);
    }
    last = l;
    const double angle = z[link.first];
    const auto turned = sine_and_cosine(angle);
    const Four c = all(turned.cosine), sine = all(turned.sine);
    place += product(X, Y, Z, link.place);
    const Four x = product(X, Y, Z, link.rotation[0]), y = product(X, Y, Z, link.rotation[1]);
    Z = product(X, Y, Z, link.rotation[2]);
    X = c * x + sine * y;
    Y = c * y - sine * x;
    if (link.own_origin) origin = place;
    const Four arm = place - origin;
    put(X, s.rotation[0]), put(Y, s.rotation[1]), put(Z, s.rotation[2]);
    put(place, s.place), put(origin, s.origin);
    put(arm + product(X, Y, Z, link.center), s.center);
    put(Twist{cross(arm, Z), Z}, b.column[link.first].column);
    const Four less = product(X, Y, Z, link.less), more = product(X, Y, Z, link.more), middle = all(link.middle);
    put(unit<0>(middle) + (entry<0>(more) * more - entry<0>(less) * less), s.inertia[0]);
    put(unit<1>(middle) + (entry<1>(more) * more - entry<1>(less) * less), s.inertia[1]);
    put(unit<2>(middle) + (entry<2>(more) * more - entry<2>(less) * less), s.inertia[2]);
  }
}

inline void velocity(const LaneTree& tree, int begin, int end, const double* v, const double* gravity,
                     const LaneBuffers& b) {
  int last = -2;
  Twist Z = no_twist(), zeta = no_twist();
  for (int l = begin; l < end; ++l) {
    const LaneLink& link = tree.links[l];
    LaneState& s = b.link[l];
    if (link.parent < 0) {
      Z = no_twist();
      zeta = Twist{-Four{gravity[0], gravity[1], gravity[2], 0}, Four{}};
    } else {
      const LaneState& parent = b.link[link.parent];
      if (link.parent != last) Z = twist(parent.twist), zeta = twist(parent.zeta);
      if (link.own_origin) {
        const Four d = four(s.origin) - four(parent.origin);
        Z.linear += cross(Z.angular, d);
        zeta.linear += cross(zeta.angular, d);
      }
    }
    last = l;
    const LaneTwist& h = b.column[link.first].column;
    const Four rate = all(v[link.first]), u = rate * four(h.linear), w = rate * four(h.angular);
    zeta.linear += cross(Z.angular, u) + cross(Z.linear, w);
    zeta.angular += cross(Z.angular, w);
    Z.linear += u;
    Z.angular += w;
    put(Z, s.twist);
    put(zeta, s.zeta);
    // Force and moment about the origin of a body whose centre accelerates by a + e x c + w x (u + w x c).
    const Four c = four(s.center);
    const Four f =
        all(link.mass) * (zeta.linear + cross(zeta.angular, c) + cross(Z.angular, Z.linear + cross(Z.angular, c)));
    const Four n = product(s.inertia, zeta.angular) + cross(c, f) + cross(Z.angular, product(s.inertia, Z.angular));
    put(Twist{f, n}, s.bias_wrench);
  }
}

/// Articulated inertias and bias wrenches, from the leaves to ground.
inline int gather(const LaneTree& tree, const double* wrenches, const LaneBuffers& b) {
  constexpr double kNothing = 1e-14;  // relative: a column that feels less inertia than this moves no mass
  for (int i = 0; i < tree.inboxes; ++i) b.inbox[i] = {};
  Inertia I = no_inertia();  // of the next link, where that hands it to this one
  Twist p = no_twist();
  for (int l = tree.count - 1; l >= 0; --l) {
    const LaneLink& link = tree.links[l];
    const LaneState& s = b.link[l];
    add_body(link.mass, s.center, s.inertia, I);
    add(twist(s.bias_wrench), all(1), p);
    if (wrenches) add(wrench_at(wrenches + 6 * static_cast<std::ptrdiff_t>(link.body), four(s.origin)), all(-1), p);
    if (link.inbox >= 0) {
      add(b.inbox[link.inbox].inertia, I);
      add(twist(b.inbox[link.inbox].wrench), all(1), p);
    }
    for (int k = link.last - 1; k >= link.first; --k) {
      LaneColumn& column = b.column[k];
      const Twist h = twist(column.column), U = times(I, column.column);
      const Four linear = h.linear * U.linear, angular = h.angular * U.angular;
      const double d = sum(linear + angular) + tree.rotor[k];
      if (!(d > kNothing * sum(magnitude(linear) + magnitude(angular)))) return k;
      const double inverse = 1 / d, u = -dot(h, p);
      eliminate(U, inverse, I);
      add(U, all(inverse * u), p);
      put(U, column.force);
      column.inverse = inverse;
      column.drive = u;
    }
    if (link.parent >= 0) {
      if (link.own_origin) {
        const Four d = four(s.origin) - four(b.link[link.parent].origin);
        shift(d, I);
        p.angular += cross(d, p.linear);
      }
      if (link.parent == l - 1) continue;
      LaneHanded& inbox = b.inbox[tree.links[link.parent].inbox];
      add(I, inbox.inertia);
      put(Twist{four(inbox.wrench.linear) + p.linear, four(inbox.wrench.angular) + p.angular}, inbox.wrench);
    }
    I = no_inertia();
    p = no_twist();
  }
  return -1;
}

/// What a link has of the one that carries it, at its own origin.
CARDAN_INLINE Twist carried(const LaneLink& link, const Twist& of_parent, const LaneState* links, int l) {
  if (!link.own_origin) return of_parent;
  const Four d = four(links[l].origin) - four(links[link.parent].origin);
  return {of_parent.linear + cross(of_parent.angular, d), of_parent.angular};
}

/// Accelerations, from ground to the leaves.
inline void spread(const LaneTree& tree, const LaneBuffers& b, double* a) {
  Twist delta = no_twist();
  int last = -2;
  for (int l = 0; l < tree.count; ++l) {
    const LaneLink& link = tree.links[l];
    if (link.parent < 0) {
      delta = no_twist();
    } else {
      if (link.parent != last) delta = twist(b.link[link.parent].delta);
      delta = carried(link, delta, b.link, l);
    }
    last = l;
    for (int k = link.first; k < link.last; ++k) {
      const LaneColumn& column = b.column[k];
      a[k] = column.inverse * (column.drive - dot(twist(column.force), delta));
      add(twist(column.column), all(a[k]), delta);
    }
    put(delta, b.link[l].delta);
  }
}

inline void respond(const LaneTree& tree, const double* wrenches, const LaneBuffers& b) {
  for (int i = 0; i < tree.inboxes; ++i) b.inbox[i].wrench = {};
  Twist p = no_twist();
  for (int l = tree.count - 1; l >= 0; --l) {
    const LaneLink& link = tree.links[l];
    const LaneState& s = b.link[l];
    add(wrench_at(wrenches + 6 * static_cast<std::ptrdiff_t>(link.body), four(s.origin)), all(-1), p);
    if (link.inbox >= 0) add(twist(b.inbox[link.inbox].wrench), all(1), p);
    for (int k = link.last - 1; k >= link.first; --k) {
      LaneColumn& column = b.column[k];
      column.drive = -dot(twist(column.column), p);
      add(twist(column.force), all(column.inverse * column.drive), p);
    }
    if (link.parent >= 0) {
      if (link.own_origin) p.angular += cross(four(s.origin) - four(b.link[link.parent].origin), p.linear);
      if (link.parent == l - 1) continue;
      LaneTwist& inbox = b.inbox[tree.links[link.parent].inbox].wrench;
      put(Twist{four(inbox.linear) + p.linear, four(inbox.angular) + p.angular}, inbox);
    }
    p = no_twist();
  }
  Twist change = no_twist();
  int last = -2;
  for (int l = 0; l < tree.count; ++l) {
    const LaneLink& link = tree.links[l];
    if (link.parent < 0) {
      change = no_twist();
    } else {
      if (link.parent != last) change = twist(b.change[link.parent]);
      change = carried(link, change, b.link, l);
    }
    last = l;
    for (int k = link.first; k < link.last; ++k) {
      LaneColumn& column = b.column[k];
      column.drive = column.inverse * (column.drive - dot(twist(column.force), change));
      add(twist(column.column), all(column.drive), change);
    }
    put(change, b.change[l]);
  }
}

#undef CARDAN_INLINE

}  // namespace cardan::CARDAN_SWEEPS
