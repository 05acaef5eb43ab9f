// What a model says of signals and events that a plan adds to it, turned into the words of the plan.
#pragma once

#include <string>
#include <vector>

#include "cardan/diagnostic.hpp"

namespace cardan {

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// `words` takes one text and gives it in the words of the plan.
template <class Words>
ModelError reworded(const ModelError& error, const Words& words) {
  std::vector<Diagnostic> all = error.diagnostics();
  for (Diagnostic& one : all) {
    one.element = words(one.element);
    one.message = words(one.message);
  }
  return ModelError(all);
}

}  // namespace cardan
