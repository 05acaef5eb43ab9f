#include "io/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

namespace cardan {

namespace {

SourceLocation at(const SourceLocation& file, int line, int column) {
  return {file.file, line, column, file.included_from};
}

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, const SourceLocation& file, Problems& problems)
      : text_(text), file_(file), problems_(problems) {}
  /// Null when the document is damaged.
  YamlPointer root() const { return damaged_ ? nullptr : root_; }
  const SourceLocation& start() const { return start_; }

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = location(mark); }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    auto node = make(YamlNode::Kind::null, mark, anchor);
    // yaml-cpp says that nothing stands where the next token does; the key is what a reader looks for.
    if (!open_.empty() && open_.back().has_key) node->where = open_.back().key_where;
    place(node);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto node = make(YamlNode::Kind::scalar, mark, anchor);
    node->text = value;
    node->quoted = tag == "!";
    if (node->quoted && !quote_is_closed(static_cast<std::size_t>(std::max(mark.pos, 0))))
      damage(mark, "the quote that opens here is not closed", "add the closing quote");
    place(node);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    bool inside_itself = found == anchors_.end();
    for (const Open& open : open_) inside_itself = inside_itself || open.node == found->second;
    if (inside_itself) {
      damage(mark, "an alias refers to the block it stands in", "write the value out");
      place(make(YamlNode::Kind::null, mark, YAML::NullAnchor));
    } else {
      place(found->second);
    }
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(YamlNode::Kind::sequence, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(YamlNode::Kind::map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    std::shared_ptr<YamlNode> node;
    bool has_key = false;  // maps: a key was read, its value is due
    bool ignore = false;   // that value belongs to a refused key
    std::string key;
    SourceLocation key_where;
  };

  SourceLocation location(const YAML::Mark& mark) const { return at(file_, mark.line + 1, mark.column + 1); }

  void damage(const YAML::Mark& mark, const std::string& message, const std::string& remedy) {
    problems_.error(location(mark), "", message, remedy);
    damaged_ = true;
  }

  // yaml-cpp ends a quoted word in silence where the next line starts at the margin.
  bool quote_is_closed(std::size_t open) const {
    if (open >= text_.size() || (text_[open] != '"' && text_[open] != '\''))
      return true;  // the mark is elsewhere: no opinion
    const char quote = text_[open];
    for (std::size_t i = open + 1; i < text_.size(); ++i) {
      if (quote == '"' && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '"' || i + 1 == text_.size() || text_[i + 1] != quote) return true;
        ++i;
      } else if (text_[i] == '\n' && i + 1 < text_.size() && std::strchr(" \t\r\n", text_[i + 1]) == nullptr) {
        return false;
      }
    }
    return false;
  }

  std::shared_ptr<YamlNode> make(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    auto node = std::make_shared<YamlNode>();
    node->kind = kind;
    node->where = location(mark);
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    return node;
  }

  void start(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Open open;
    open.node = make(kind, mark, anchor);
    open_.push_back(std::move(open));
  }

  void close() {
    const auto node = open_.back().node;
    open_.pop_back();
    place(node);
  }

  void place(const std::shared_ptr<YamlNode>& node) {
    if (open_.empty()) {
      root_ = node;
      return;
    }
    Open& open = open_.back();
    if (open.node->kind == YamlNode::Kind::sequence) {
      open.node->items.push_back(node);
    } else if (!open.has_key) {
      open.has_key = true;
      open.ignore = !take_key(open, *node);
    } else {
      open.has_key = false;
      if (!open.ignore) open.node->add({open.key, open.key_where, node});
    }
  }

  bool take_key(Open& open, const YamlNode& key) {
    open.key = key.text;
    open.key_where = key.where;
    if (key.kind != YamlNode::Kind::scalar) {
      problems_.error(key.where, "", fmt::format("a key must be a word, not {}", key.kind_name()));
      damaged_ = true;
      return false;
    }
    if (key.text == "<<" && !key.quoted) {
      problems_.error(key.where, "", "merge keys (<<) are not supported",
                      "write the fields out, or use an alias for the whole value");
      damaged_ = true;
      return false;
    }
    if (const YamlEntry* first = open.node->find(key.text)) {
      problems_.error(key.where, "", fmt::format("'{}' is given twice (first on line {})", key.text, first->where.line),
                      "remove or rename one of the two");
      return false;
    }
    return true;
  }

  const std::string& text_;
  SourceLocation file_;
  Problems& problems_;
  bool damaged_ = false;
  SourceLocation start_;
  YamlPointer root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::shared_ptr<YamlNode>> anchors_;
};

// Binary files give yaml-cpp nothing to report sensibly.
bool is_text(const std::string& text, const SourceLocation& file, Problems& problems) {
  int line = 1, column = 1;
  for (const unsigned char c : text) {
    if ((c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 127) {
      problems.error(at(file, line, column), "", fmt::format("this is not a text file (byte 0x{:02x})", c),
                     "give a YAML model");
      return false;
    }
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n';
  }
  return true;
}

/// The first line that starts with a tab among its spaces, counted from 1; 0: none.
int line_indented_with_tab(const std::string& text) {
  int line = 1;
  bool indent = true;
  for (const char c : text) {
    if (c == '\n') {
      ++line;
      indent = true;
    } else if (indent && c == '\t') {
      return line;
    } else {
      indent = indent && c == ' ';
    }
  }
  return 0;
}

/// The line of the innermost bracket or brace that is open at the end of a line, or 0. Quotes and comments are passed
/// over.
int line_left_open(const std::string& text, int until) {
  std::vector<int> open;
  int line = 1;
  char quote = 0, before = ' ';
  bool comment = false;
  for (const char c : text) {
    if (c == '\n') {
      if (line++ == until) break;
      comment = false;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (!comment) {
      const bool begins = std::string_view(" \n[{,:").find(before) != std::string_view::npos;
      comment = c == '#' && (before == ' ' || before == '\n');
      if ((c == '\'' || c == '"') && begins) quote = c;
      if (c == '[' || c == '{') open.push_back(line);
      if ((c == ']' || c == '}') && !open.empty()) open.pop_back();
    }
    before = c;
  }
  return open.empty() ? 0 : open.back();
}

/// What usually brings the parser to say this in a line of the text.
std::string likely_cause(const std::string& complaint, const std::string& text, int line) {
  if (complaint.find("flow") != std::string::npos) {
    const int opened = line_left_open(text, line);
    return fmt::format("a bracket or brace{} is not closed; '#' begins a comment unless it stands in quotes",
                       opened > 0 ? fmt::format(" of line {}", opened) : "");
  }
  if (complaint.find("end of map") != std::string::npos || complaint.find("illegal map value") != std::string::npos)
    return "is a colon missing, or a line indented differently from its neighbours?";
  return "";
}

}  // namespace

const YamlEntry* YamlNode::find(const std::string& key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? nullptr : &entries[found->second];
}

void YamlNode::add(YamlEntry entry) {
  index_.emplace(entry.key, entries.size());
  entries.push_back(std::move(entry));
}

const char* YamlNode::kind_name() const {
  switch (kind) {
    case Kind::null:
      return "empty";
    case Kind::scalar:
      return "a word";
    case Kind::sequence:
      return "a list";
    case Kind::map:
      return "a block of fields";
  }
  return "";
}

YamlPointer parse_yaml(const std::string& text, const std::string& file_name, Problems& problems,
                       const std::shared_ptr<const SourceLocation>& included_from) {
  const SourceLocation file{file_name, 0, 0, included_from};
  if (!is_text(text, file, problems)) return nullptr;
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder builder(text, file, problems);
    if (!parser.HandleNextDocument(builder)) {
      problems.error(at(file, 1, 1), "", "the file is empty", "a model starts with 'cardan: 1'");
      return nullptr;
    }
    TreeBuilder second(text, file, problems);
    if (parser.HandleNextDocument(second))
      problems.error(second.start(), "", "the file holds several documents", "keep one model in a file");
    return builder.root();
  } catch (const YAML::DeepRecursion& e) {
    problems.error(at(file, e.mark.line + 1, e.mark.column + 1), "",
                   fmt::format("lists or blocks are nested more than {} deep", e.depth()));
    return nullptr;
  } catch (const YAML::Exception& e) {
    if (const int line = line_indented_with_tab(text); line > 0) {
      problems.error(at(file, line, 1), "", "a tab at the start of the line", "YAML indents with spaces");
      return nullptr;
    }
    problems.error(at(file, e.mark.line + 1, e.mark.column + 1), "", "this is not YAML: " + e.msg,
                   likely_cause(e.msg, text, e.mark.line + 1));
    return nullptr;
  }
}

}  // namespace cardan
