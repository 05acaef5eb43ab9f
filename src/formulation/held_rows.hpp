// Constraints of joints that take hold where their bodies are. What such a joint holds is not known when a mechanism is
// compiled: it is a record in Context::attached, written when the joint is attached,
//     length, point 1 in the axes of body 1, turn G of the joint's axes on body 1 (by columns),
// from which its measures follow: distances keep the length, everything else is between that point and G e1.
#pragma once

#include <vector>

#include "formulation/measure.hpp"

namespace cardan {

template <int D>
struct AttachmentRecord {
  static constexpr int kSize = 1 + D + D * D;
  using Vector = typename Space<D>::Vector;
  using Turn = Eigen::Matrix<double, D, D>;

  double length = 0;
  Vector point1 = Vector::Zero();
  Turn turn = Turn::Identity();

  static AttachmentRecord read(const VecX& attached, int index) {
    const double* from = attached.data() + index * kSize;
    return {from[0], Eigen::Map<const Vector>(from + 1), Eigen::Map<const Turn>(from + 1 + D)};
  }
  void write(VecX& attached, int index) const {
    double* to = attached.data() + index * kSize;
    to[0] = length;
    Eigen::Map<Vector>(to + 1) = point1;
    Eigen::Map<Turn>(to + 1 + D) = turn;
  }
};

/// Which of a list of measures are held, and how they were drawn.
template <int D>
class HeldRows {
 public:
  void add(int row, const NamedMeasure<D>& drawn) {
    if (drawn.record >= 0) rows_.push_back({row, drawn.record, drawn.measure});
  }
  bool empty() const { return rows_.empty(); }

  /// Makes measure(row) what the state holds; without records it stays as drawn.
  template <class MeasureOf>
  void hold(const VecX& attached, const MeasureOf& measure) const {
    if (attached.size() == 0) return;
    for (const Row& row : rows_) {
      const auto record = AttachmentRecord<D>::read(attached, row.record);
      Measure<D>& m = measure(row.index);
      if (m.kind == Measure<D>::Kind::distance) {
        m.offset = record.length;
        continue;
      }
      m.point1 = record.point1;
      m.e1 = record.turn * row.drawn.e1;
    }
  }

 private:
  struct Row {
    int index, record;
    Measure<D> drawn;
  };
  std::vector<Row> rows_;
};

}  // namespace cardan
