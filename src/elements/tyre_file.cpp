#include "elements/tyre_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <vector>

namespace cardan {
namespace {

using RefuseTyre = std::function<void(int, const std::string&, const std::string&)>;

struct TyreEntry {
  std::string value;
  int line = 0;
};

std::string without_spaces(const std::string& text) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto first = std::find_if_not(text.begin(), text.end(), is_space);
  const auto last = std::find_if_not(text.rbegin(), text.rend(), is_space).base();
  return first < last ? std::string(first, last) : std::string();
}

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

class TyreFileReader {
 public:
  TyreFileReader(const std::string& text, const RefuseTyre& refuse) : refuse_(refuse) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      line = without_spaces(line.substr(0, line.find('$')));
      if (line.empty() || line[0] == '!' || line[0] == '[' || line[0] == '{') continue;
      const std::size_t equals = line.find('=');
      if (equals == std::string::npos) continue;  // tables, of shapes and the like, are not looked at
      std::string value = without_spaces(line.substr(equals + 1));
      if (value.size() >= 2 && value.front() == '\'') value = value.substr(1, value.find('\'', 1) - 1);
      entries_[in_capitals(without_spaces(line.substr(0, equals)))] = {without_spaces(value), number};
    }
  }

  std::optional<TyreFile> read() {
    if (entries_.empty()) return refuse_(0, "the file has no entries", "give a tyre file (.tir)"), std::nullopt;
    TyreFile file;
    MagicFormula& f = file.formula;
    if (const auto version = number("FITTYP"); version) {
      f.later = *version == 61 || *version == 62;
      if (*version >= 60 && *version < 100 && !f.later)
        return refuse_(entries_["FITTYP"].line, fmt::format("FITTYP is {}", *version),
                       "Magic Formula 5.2 is read, FITTYP 5, 6, 21 or 52, and 6.1, FITTYP 61 or 62"),
               std::nullopt;
    }
#define CARDAN_READ(name) require(#name, f.name);
    CARDAN_MAGIC_FORMULA_REQUIRED(CARDAN_READ)
    if (f.later) {
      CARDAN_MAGIC_FORMULA_61(CARDAN_READ)
    } else {
      CARDAN_MAGIC_FORMULA_52(CARDAN_READ)
    }
#undef CARDAN_READ
#define CARDAN_READ(name, absent) \
  if (const auto given = number(#name)) f.name = *given;
    CARDAN_MAGIC_FORMULA_OPTIONAL(CARDAN_READ)
#undef CARDAN_READ
    if (!missing_.empty())
      fail(0, fmt::format("{} {} missing", fmt::join(missing_, ", "), missing_.size() == 1 ? "is" : "are"),
           fmt::format("Magic Formula {} needs all of its coefficients; give 0 where one has no effect",
                       f.later ? "6.1" : "5.2"));
    read_units();
    file.width = number("WIDTH"), file.stiffness = number("VERTICAL_STIFFNESS");
    file.damping = number("VERTICAL_DAMPING");
    if (file.width) *file.width *= length_;
    if (file.stiffness) *file.stiffness *= force_ / length_;
    if (file.damping) *file.damping *= force_ * time_ / length_;
    // What the file does not give has its default in SI.
    const auto scale = [this](const char* key, double& value, double by) {
      if (entries_.contains(key)) value *= by;
    };
    scale("UNLOADED_RADIUS", f.UNLOADED_RADIUS, length_), scale("FNOMIN", f.FNOMIN, force_);
    scale("LONGITUDINAL_STIFFNESS", f.LONGITUDINAL_STIFFNESS, force_ / length_);
    scale("LATERAL_STIFFNESS", f.LATERAL_STIFFNESS, force_ / length_);
    scale("FZMIN", f.FZMIN, force_), scale("FZMAX", f.FZMAX, force_), scale("LONGVL", f.LONGVL, length_ / time_);
    scale("ALPMIN", f.ALPMIN, angle_), scale("ALPMAX", f.ALPMAX, angle_);
    scale("CAMMIN", f.CAMMIN, angle_), scale("CAMMAX", f.CAMMAX, angle_);
    if (sound_) check(f);
    if (!sound_) return std::nullopt;
    f.find_peaks();
    return file;
  }

 private:
  void fail(int line, const std::string& message, const std::string& remedy) {
    refuse_(line, message, remedy);
    sound_ = false;
  }

  std::optional<double> number(const std::string& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return std::nullopt;
    const std::string& text = found->second.value;
    // Not by the locale of whatever program the library runs in.
    const char* begin = text.data() + std::min(text.find_first_not_of(" \t+"), text.size());
    double value = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value)) {
      fail(found->second.line, fmt::format("{} is '{}', not a finite number", key, text), "");
      return std::nullopt;
    }
    return value;
  }

  void require(const char* key, double& value) {
    if (!entries_.contains(key)) return missing_.emplace_back(key), void();
    if (const auto given = number(key)) value = *given;
  }

  void check(const MagicFormula& f) {
    const auto positive = [&](const char* key, double value) {
      if (!(value > 0)) fail(entries_[key].line, fmt::format("{} is {}", key, value), "give it greater than 0");
    };
    positive("FNOMIN", f.FNOMIN), positive("UNLOADED_RADIUS", f.UNLOADED_RADIUS);
    positive("LONGVL", f.LONGVL), positive("LFZO", f.LFZO);
    positive("PCX1", f.PCX1), positive("PCY1", f.PCY1);
    if (f.later) {
      positive("NOMPRES", f.NOMPRES), positive("LONGITUDINAL_STIFFNESS", f.LONGITUDINAL_STIFFNESS);
      positive("LATERAL_STIFFNESS", f.LATERAL_STIFFNESS);
      if (entries_.contains("INFLPRES")) positive("INFLPRES", f.INFLPRES);
    }
    for (const auto& [key, value] :
         {std::pair("PDX1", f.PDX1), std::pair("PKX1", f.PKX1), std::pair("PDY1", f.PDY1), std::pair("PKY1", f.PKY1),
          std::pair("PKY2", f.PKY2), f.later ? std::pair("PKY4", f.PKY4) : std::pair("PTY2", f.PTY2)})
      if (value == 0) fail(entries_[key].line, fmt::format("{} is 0", key), "give another than 0");
    if (sound_ && !(f.forces(TyreSlip<double>{f.FNOMIN, 0, 0.02, 0}).left < 0))
      fail(entries_["PKY1"].line, "the side force is not against the slip: PKY1 and PDY1 have the signs of other axes",
           "give them after ISO: the product of PKY1 and the friction makes a force against v_y");
  }

  /// What a unit is in SI.
  double unit(const char* quantity, const std::map<std::string, double>& known) {
    const auto found = entries_.find(quantity);
    if (found == entries_.end()) return 1;
    std::string name = in_capitals(found->second.value);
    const auto meant = known.find(name);
    if (meant != known.end()) return meant->second;
    std::vector<std::string> names;
    for (const auto& [word, value] : known) names.push_back(word);
    fail(found->second.line, fmt::format("the unit of {} is '{}'", quantity, found->second.value),
         fmt::format("known are {}", fmt::join(names, ", ")));
    return 1;
  }
  void read_units() {
    constexpr double kDegree = std::numbers::pi / 180;
    length_ = unit("LENGTH", {{"METER", 1},
                              {"M", 1},
                              {"MM", 1e-3},
                              {"MILLIMETER", 1e-3},
                              {"CM", 1e-2},
                              {"CENTIMETER", 1e-2},
                              {"KM", 1e3},
                              {"KILOMETER", 1e3},
                              {"INCH", 0.0254},
                              {"FOOT", 0.3048}});
    force_ = unit("FORCE", {{"NEWTON", 1},
                            {"N", 1},
                            {"KILONEWTON", 1e3},
                            {"KNEWTON", 1e3},
                            {"KN", 1e3},
                            {"POUND_FORCE", 4.4482216152605},
                            {"KILOGRAM_FORCE", 9.80665}});
    time_ = unit("TIME", {{"SECOND", 1}, {"SEC", 1}, {"S", 1}, {"MILLISECOND", 1e-3}, {"MINUTE", 60}, {"HOUR", 3600}});
    angle_ =
        unit("ANGLE",
             {{"RADIAN", 1}, {"RADIANS", 1}, {"RAD", 1}, {"DEGREE", kDegree}, {"DEGREES", kDegree}, {"DEG", kDegree}});
  }

  const RefuseTyre& refuse_;
  std::map<std::string, TyreEntry> entries_;
  std::vector<std::string> missing_;
  bool sound_ = true;
  double length_ = 1, force_ = 1, time_ = 1, angle_ = 1;
};

}  // namespace

std::optional<TyreFile> read_tyre_file(const std::string& text, const RefuseTyre& refuse) {
  return TyreFileReader(text, refuse).read();
}

}  // namespace cardan
