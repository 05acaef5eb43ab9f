// What reading and placing have noted at a description (Provenance, cardan/specs/places.hpp).
#pragma once

#include <memory>
#include <utility>

#include "cardan/element.hpp"

namespace cardan {

/// Axes of a part of a mechanism that was moved there as a whole (Placement): they are built by the usual rules in the
/// part's own axes, A, and carried over as turn A diag(signs). `turn` is orthogonal; after a reflection its determinant
/// is -1 and so is the product of the signs, which keep the axes right-handed. Directions given by components or as
/// "x", "y", "z" are in the part's own axes.
struct AxesImage {
  Mat3 turn = Mat3::Identity();
  Vec3 signs = Vec3::Ones();
};

struct Provenance::Content {
  bool incomplete = false;  // its reading, or that of a section, failed and was reported
  AxesImage image;
  Vec3 marker_signs1 = Vec3::Ones(), marker_signs2 = Vec3::Ones();  // of the axes that markers lend to the frames
  bool outside1 = false, outside2 = false;  // the place belongs to no part that was mirrored with the joint
  bool part_missing = false;                // of a mechanism: one could not be included, which was reported
};

struct ProvenanceAccess {
  using Content = Provenance::Content;
  /// To be written: copies of a description share what is noted until one of them is changed.
  static Content& content(Provenance& provenance) {
    if (provenance.content_.use_count() != 1)
      provenance.content_ = std::make_shared<Content>(content(std::as_const(provenance)));
    return *provenance.content_;
  }
  static const Content& content(const Provenance& provenance) {
    static const Content nothing;
    return provenance.content_ ? *provenance.content_ : nothing;
  }
  static Provenance& provenance(Element& element) { return element.provenance_; }
};

inline ProvenanceAccess::Content& noted(Provenance& provenance) { return ProvenanceAccess::content(provenance); }
inline const ProvenanceAccess::Content& noted(const Provenance& provenance) {
  return ProvenanceAccess::content(provenance);
}
inline ProvenanceAccess::Content& noted(Element& element) { return noted(ProvenanceAccess::provenance(element)); }
/// Of any spec.
template <class Spec>
requires requires(Spec& spec) { spec.provenance; }
auto& noted(Spec& spec) { return noted(spec.provenance); }

}  // namespace cardan
