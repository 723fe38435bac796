#include "core/yaml/arithmetic.h"

#include <charconv>
#include <system_error>

namespace trestle::yaml {
namespace {

constexpr int kDeepest = 32;

class Expression {
 public:
  explicit Expression(std::string_view text) : text_(text) {}

  std::optional<double> sum() {
    auto value = product();
    while (value && (next() == '+' || next() == '-')) {
      const char sign = text_[position_++];
      const auto more = product();
      if (!more) return std::nullopt;
      *value = sign == '+' ? *value + *more : *value - *more;
    }
    return value;
  }

  std::size_t position() const { return position_; }

 private:
  std::optional<double> product() {
    auto value = factor();
    while (value && (next() == '*' || next() == '/')) {
      const char sign = text_[position_++];
      const auto more = factor();
      if (!more) return std::nullopt;
      *value = sign == '*' ? *value * *more : *value / *more;
    }
    return value;
  }

  std::optional<double> factor() {
    if (++depth_ > kDeepest) return std::nullopt;
    const char head = next();
    std::optional<double> value;
    if (head == '+' || head == '-') {
      ++position_;
      value = factor();
      if (value && head == '-') value = -*value;
    } else if (head == '(') {
      ++position_;
      value = sum();
      if (next() != ')') return std::nullopt;
      ++position_;
    } else {
      value = number();
    }
    --depth_;
    return value;
  }

  std::optional<double> number() {
    const char head = next();
    // from_chars would also take `inf` and `nan`.
    if ((head < '0' || head > '9') && head != '.') return std::nullopt;
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto read = std::from_chars(text_.data() + position_, end, value);
    if (read.ec != std::errc{}) return std::nullopt;
    position_ = static_cast<std::size_t>(read.ptr - text_.data());
    return value;
  }

  /// The next character that is no space, or NUL.
  char next() {
    while (position_ < text_.size() &&
           (text_[position_] == ' ' || text_[position_] == '\t'))
      ++position_;
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<LeadingNumber> read_leading_number(std::string_view text) {
  Expression expression(text);
  const auto value = expression.sum();
  if (!value) return std::nullopt;
  return LeadingNumber{*value, expression.position()};
}

}  // namespace trestle::yaml
