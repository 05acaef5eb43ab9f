#include "integration/bdf_history.hpp"

#include <ida/ida_impl.h>

#include <algorithm>
#include <utility>

namespace cardan {
namespace {

constexpr int kArrays = 5, kScalars = 16, kIntegers = 5;

/// Calls visit(pointer, count) for everything that a step depends on but the vectors.
template <class Visit>
void for_each_field(IDAMem ida, const Visit& visit) {
  for (realtype* array : {ida->ida_psi, ida->ida_alpha, ida->ida_beta, ida->ida_sigma, ida->ida_gamma}) {
    visit(array, MXORDP1);
  }
  for (realtype* scalar : {&ida->ida_hin, &ida->ida_h0u, &ida->ida_hh, &ida->ida_hused, &ida->ida_eta, &ida->ida_tn,
                           &ida->ida_tretlast, &ida->ida_cj, &ida->ida_cjlast, &ida->ida_cjold, &ida->ida_cjratio,
                           &ida->ida_ss, &ida->ida_oldnrm, &ida->ida_epsNewt, &ida->ida_toldel, &ida->ida_tolsf}) {
    visit(scalar, 1);
  }
  for (int* integer : {&ida->ida_kk, &ida->ida_kused, &ida->ida_knew, &ida->ida_phase, &ida->ida_ns}) {
    visit(integer, 1);
  }
}

}  // namespace

int BdfHistory::count(const BdfSystem& system) {
  int orders = 0;
  for (const SparseLu* matrix : system.matrices()) orders += matrix->order_size();
  return kArrays * MXORDP1 + kScalars + kIntegers + (MXORDP1 + 2) * system.size() + 2 + orders;
}

void BdfHistory::clear(void* memory) {
  const IDAMem ida = static_cast<IDAMem>(memory);
  for (int k = 2; k < MXORDP1; ++k) N_VConst(0, ida->ida_phi[k]);
}

void BdfHistory::save(void* memory, const BdfSystem& system, double* numbers) {
  const IDAMem ida = static_cast<IDAMem>(memory);
  for_each_field(ida, [&](auto* field, int n) { numbers = std::copy(field, field + n, numbers); });
  for (N_Vector phi : ida->ida_phi) {
    numbers = std::copy_n(N_VGetArrayPointer(phi), system.size(), numbers);
  }
  const BdfSystem::JacobianPoint& point = system.jacobian_point();
  numbers = std::copy(point.y.begin(), point.y.end(), numbers);
  numbers = std::copy(point.rate.begin(), point.rate.end(), numbers);
  *numbers++ = point.t;
  *numbers++ = point.c;
  for (const SparseLu* matrix : system.matrices()) {
    matrix->store_order(numbers);
    numbers += matrix->order_size();
  }
}

bool BdfHistory::restore(void* memory, BdfSystem& system, const double* numbers) {
  const int size = system.size();
  const IDAMem ida = static_cast<IDAMem>(memory);
  for_each_field(ida, [&](auto* field, int n) {
    for (int i = 0; i < n; ++i) field[i] = static_cast<std::remove_reference_t<decltype(*field)>>(*numbers++);
  });
  for (N_Vector phi : ida->ida_phi) {
    std::copy_n(numbers, size, N_VGetArrayPointer(phi));
    numbers += size;
  }
  ida->ida_nst = std::max(ida->ida_nst, 1L);  // 0 would start anew
  // The factors of the Jacobian come from where it was formed.
  std::copy_n(numbers, size, N_VGetArrayPointer(ida->ida_yy));
  std::copy_n(numbers + size, size, N_VGetArrayPointer(ida->ida_yp));
  double t = numbers[2 * size], c = numbers[2 * size + 1];
  const double* order = numbers + 2 * size + 2;
  for (SparseLu* matrix : system.matrices()) {
    matrix->recall_order(order);
    order += matrix->order_size();
  }
  std::swap(t, ida->ida_tn);
  std::swap(c, ida->ida_cj);
  const int flag =
      ida->ida_lsetup(ida, ida->ida_yy, ida->ida_yp, ida->ida_delta, ida->ida_tempv1, ida->ida_tempv2, ida->ida_tempv3);
  std::swap(t, ida->ida_tn);
  std::swap(c, ida->ida_cj);
  return flag == 0;
}

}  // namespace cardan
