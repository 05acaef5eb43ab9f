// The text of an expression under a reading position, and the wording of errors about it. For the parser only.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "math/expression.hpp"

namespace cardan {

class ExpressionText {
 public:
  explicit ExpressionText(std::string_view text) : text_(text) { skip_space(); }

  std::size_t position() const { return position_; }
  bool at_end() const { return position_ == text_.size(); }
  /// The next character, NUL at the end; spaces before it are gone already.
  char peek() const { return at_end() ? '\0' : text_[position_]; }

  bool accept(std::string_view sign) {
    if (!text_.substr(position_).starts_with(sign)) return false;
    position_ += sign.size();
    skip_space();
    return true;
  }

  void expect(std::string_view sign, const std::string& where) {
    if (!accept(sign))
      throw ExpressionError(position_, "missing " + quoted(sign) + " " + where + at_character(position_));
  }

  void close(std::size_t parenthesis, const std::string& advice_at_end = "") {
    if (accept(")")) return;
    throw ExpressionError(position_, "missing ')'" + at_character(position_) + " to close '('" +
                                         at_character(parenthesis) + (at_end() ? advice_at_end : written_here("")));
  }

  bool starts_number() const {
    return is_digit(peek()) || (peek() == '.' && position_ + 1 < text_.size() && is_digit(text_[position_ + 1]));
  }

  double number() {
    double value = 0;
    const char* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    const std::string_view digits(begin, end - begin);
    if (error != std::errc()) {
      throw ExpressionError(position_, "the number " + quoted(digits) + at_character(position_) + " is out of range");
    }
    position_ += digits.size();
    if (is_letter(peek()) || peek() == '.') unexpected("; expected an operator after a number");
    skip_space();
    return value;
  }

  bool starts_name() const { return is_letter(peek()); }

  std::string_view name() {
    const std::string_view word = peek_name();
    position_ += word.size();
    skip_space();
    return word;
  }

  /// What stands between single quotes.
  std::string quoted_name() {
    const std::size_t end = text_.find('\'', position_ + 1);
    if (end == std::string_view::npos || end == position_ + 1) {
      throw ExpressionError(position_, "a name in quotes" + at_character(position_) +
                                           (end == position_ + 1 ? " is empty" : " has no second quote"));
    }
    const std::string name(text_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
    skip_space();
    return name;
  }

  [[noreturn]] void unexpected(const std::string& advice) const {
    if (at_end())
      throw ExpressionError(position_, "unexpected end of the expression" + at_character(position_) + missing_close());
    const char c = text_[position_];
    std::string what = quoted(is_letter(c) ? peek_name() : text_.substr(position_, 1));
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      what = "control character " + std::to_string(static_cast<int>(c));
    throw ExpressionError(position_, "unexpected " + what + at_character(position_) + advice);
  }

  /// How that is written here which stands here as in other languages; `otherwise` where it is none of that.
  std::string written_here(const char* otherwise) const {
    struct Other {
      std::string_view there;
      const char* here;
    };
    constexpr const char* kChoice = "; a choice is written 'condition ? a : b'";
    constexpr const char* kBoth = "; conditions are 1 or 0: both hold where min(a, b) does";
    constexpr const char* kEither = "; conditions are 1 or 0: one of them holds where max(a, b) does";
    constexpr const char* kNot = "; conditions are 1 or 0: the opposite of a is 1 - a";
    constexpr const char* kRest = "; the rest of a division is mod(a, b)";
    constexpr Other kOthers[] = {{"if", kChoice}, {"else", kChoice}, {"then", kChoice}, {"and", kBoth}, {"or", kEither},
                                 {"not", kNot},   {"&", kBoth},      {"|", kEither},    {"!", kNot},    {"%", kRest}};
    const std::string_view next = is_letter(peek()) ? peek_name() : text_.substr(position_, 1);
    for (const Other& other : kOthers)
      if (other.there == next) return other.here;
    return otherwise;
  }

  /// People count from one.
  static std::string at_character(std::size_t position) { return " at character " + std::to_string(position + 1); }

  static std::string quoted(std::string_view word) {
    constexpr std::size_t shown = 60;
    std::string result(1, '\'');
    result += word.substr(0, shown);
    if (word.size() > shown) result += "...";
    result += '\'';
    return result;
  }

 private:
  // Locale-free; bytes of UTF-8 sequences count as letters, so that names may be Greek.
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  }

  // A letter, then letters, digits and single dots inside: front.left.k
  std::string_view peek_name() const {
    std::size_t end = position_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) ||
                                  (text_[end] == '.' && end + 1 < text_.size() && is_letter(text_[end + 1])))) {
      ++end;
    }
    return text_.substr(position_, end - position_);
  }

  /// Of the last parenthesis that is open at the end; empty where none is.
  std::string missing_close() const {
    std::size_t closed = 0;
    for (std::size_t i = text_.size(); i-- > 0;) {
      if (text_[i] == ')') ++closed;
      if (text_[i] != '(') continue;
      if (closed == 0) return "; ')' is missing to close '('" + at_character(i);
      --closed;
    }
    return "";
  }

  void skip_space() {
    while (!at_end() && std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) ++position_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace cardan
