// Typed access to the fields of an element: numbers (expressions included), vectors, names, places, directions,
// functions. Every getter answers with nothing after reporting a wrong type; what is absent is nothing without a
// report.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cardan/io.hpp"
#include "cardan/specs.hpp"
#include "io/yaml_tree.hpp"
#include "mechanism/problems.hpp"

namespace cardan {

/// Of one file: more is not read.
inline constexpr std::size_t kMostModelBytes = std::size_t{16} << 20, kMostMeshBytes = std::size_t{256} << 20;

/// Files that have been read and parsed, for a model that is made many times (model_template.hpp).
struct Documents {
  std::map<std::string, std::string> texts;       // by path
  std::map<std::string, std::string> canonical;   // paths as the file system knows them, by path
  std::map<std::string, YamlPointer> trees = {};  // by path and the places that include it
};

class KeptSections;  // kept_sections.hpp

/// What every part of the reader needs to know.
struct Reading {
  Problems& problems;
  std::map<std::string, double> parameters;
  std::set<std::string> broken_parameters;  // reported already: what uses them is not reported again
  std::set<std::string> places;             // points and markers, to tell [P, Q] from two coordinates
  std::size_t silent_failures = 0;          // values lost because of a broken parameter
  bool planar = false;
  std::string file;  // as messages call it; included files are looked for beside it
  std::shared_ptr<const SourceLocation> included_from = nullptr;
  std::vector<std::string> including_files = {};        // this one last, as the file system knows them
  std::map<std::string, Number> given_parameters = {};  // by the including model
  int* subsystem_count = nullptr;                       // of the whole model
  std::vector<std::string>* files = nullptr;            // of the whole model, as far as they have been read
  std::vector<ModelParameter>* listed = nullptr;        // of this file; null: nobody asks
  Documents* documents = nullptr;                       // of the whole model; null: nothing is kept
  const KeptSections* kept = nullptr;                   // that need not be read again; null: none

  /// One more file that the model is made of.
  void note(const std::string& path);
  /// The contents of a file, kept or read, or nothing and why.
  std::optional<std::string> text_of(const std::string& path, std::string& why_not,
                                     std::size_t most = kMostModelBytes) const;
  /// The path as the file system knows it.
  std::string canonical(const std::string& path) const;

  /// Grows with everything that went wrong, reported or not.
  std::size_t failure_count() const { return problems.error_count() + silent_failures; }
  int dimension() const { return planar ? 2 : 3; }
};

/// Values. `what` names the value in messages: "'mass'", "an item of 'rod'"; empty when the element says it all.
std::optional<double> read_number(Reading& reading, const YamlNode& node, const std::string& element,
                                  const std::string& what);
std::optional<int> read_integer(Reading& reading, const YamlNode& node, const std::string& element,
                                const std::string& what);
std::optional<bool> read_flag(Reading& reading, const YamlNode& node, const std::string& element,
                              const std::string& what);
std::optional<std::string> read_word(Reading& reading, const YamlNode& node, const std::string& element,
                                     const std::string& what);
std::optional<std::vector<double>> read_numbers(Reading& reading, const YamlNode& node, const std::string& element,
                                                const std::string& what);
/// Two components in planar models (z = 0), three otherwise.
std::optional<Vec3> read_vector(Reading& reading, const YamlNode& node, const std::string& element,
                                const std::string& what);
std::optional<Place> read_place(Reading& reading, const YamlNode& node, const std::string& element,
                                const std::string& what);
std::optional<Direction> read_direction(Reading& reading, const YamlNode& node, const std::string& element,
                                        const std::string& what);
std::optional<AxesSpec> read_axes(Reading& reading, const YamlNode& node, const std::string& element,
                                  const std::string& what);
/// A function of `variable` ("t" or "x"); the forms are listed in yaml_functions.cpp.
std::optional<Function> read_function(Reading& reading, const YamlNode& node, const std::string& element,
                                      const std::string& what, const std::string& variable);

/// The same of t, or a number that follows signals.
std::optional<Varying> read_varying(Reading& reading, const YamlNode& node, const std::string& element,
                                    const std::string& what);

/// True when a list of two is a pair of places or directions and not a planar vector: it holds a list, or the name of a
/// place.
bool is_pair(const Reading& reading, const YamlNode& node);

/// Reports a value of the wrong kind.
void wrong_kind(Reading& reading, const YamlNode& node, const std::string& element, const std::string& what,
                const std::string& expected);

class Fields {
 public:
  /// `node` must be a map for anything to be found; otherwise that is reported.
  Fields(Reading& reading, const YamlNode& node, std::string element, SourceLocation where);

  Reading& reading() const { return reading_; }
  const std::string& element() const { return element_; }
  const SourceLocation& where() const { return where_; }
  bool has(const char* key) const { return node_.find(key) != nullptr; }
  const YamlNode* node(const char* key) const;
  SourceLocation where_of(const char* key) const;
  /// True once something of this element could not be read.
  bool failed() const { return reading_.failure_count() > failures_before_; }

  /// Reports every field that is not in `known`.
  void allow(std::span<const std::string_view> known, const std::string& owner = "");
  /// What a kind is called in other programs, and here.
  struct Synonym {
    std::string_view elsewhere, here;
  };
  /// The one of `kinds` that is given, the first if several; nothing after reporting that none is.
  std::optional<std::string> kind(std::span<const std::string_view> kinds,
                                  std::span<const std::string_view> other_fields,
                                  std::span<const Synonym> synonyms = {});

  std::optional<Number> number(const char* key);
  std::optional<Located<int>> integer(const char* key);
  bool flag(const char* key, bool absent);
  std::optional<Name> word(const char* key);
  /// The file of that name beside the model.
  std::optional<TextFile> text_file(const char* key, std::size_t most = kMostModelBytes);
  std::optional<Located<Vec3>> vector(const char* key);
  std::optional<Place> place(const char* key);
  std::optional<Direction> direction(const char* key);
  std::optional<AxesSpec> axes(const char* key);
  std::optional<Located<Function>> function(const char* key, const std::string& variable);
  std::optional<Located<Varying>> varying(const char* key);
  /// Exactly two, as `rod: [P, Q]`, `spring: [B1, B2]`.
  std::optional<std::pair<Place, Place>> two_places(const char* key);
  std::optional<std::pair<Name, Name>> two_names(const char* key, const char* example);
  /// Reports that a field is missing, unless one was misspelt: that is one mistake, not two. `message` in place of
  /// "'KEY' is missing".
  void require(const char* key, const std::string& remedy, const std::string& message = "");
  void error(const SourceLocation& where, std::string message, std::string remedy = "");

 private:
  // What a reader of values makes of a field, alone or with its place.
  template <class Read, class... More>
  auto get(const char* key, const Read& read, const More&... more);
  template <class Read, class... More>
  auto located(const char* key, const Read& read, const More&... more);
  template <class Read>
  auto pair(const char* key, const std::string& expected, const Read& read);

  Reading& reading_;
  const YamlNode& node_;
  std::string element_;
  SourceLocation where_;
  std::size_t failures_before_;
  bool has_unknown_ = false;
};

}  // namespace cardan
