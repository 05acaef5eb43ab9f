// Opens what reading and placing have noted at a description (Provenance, cardan/specs/places.hpp).
#pragma once

#include "cardan/element.hpp"

namespace cardan {

struct ProvenanceAccess {
  using Content = Provenance::Content;
  using AxesImage = Provenance::AxesImage;
  static Content& content(Provenance& provenance) { return provenance.content_; }
  static const Content& content(const Provenance& provenance) { return provenance.content_; }
  static Provenance& provenance(Element& element) { return element.provenance_; }
};
using AxesImage = ProvenanceAccess::AxesImage;

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
