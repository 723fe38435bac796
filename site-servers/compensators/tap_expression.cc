#include "site-servers/compensators/tap_expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/nearest_name.h"
#include "core/base/setting_error.h"
#include "core/base/suggestion.h"

namespace trestle::compensators {
namespace {

constexpr int kDeepestNesting = 32;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kBounded = std::numeric_limits<double>::quiet_NaN();

/// A value and its derivatives by the taps. kBounded: there is none, but differences are
/// bounded, as of |x| at 0; kUnbounded: unknown.
struct TapDual {
  double value = 0.0;
  TapExpression::Variables slope{};
};

/// Through a part that is flat, bounded differences leave nothing.
double scaled(double factor, double slope) noexcept {
  if (slope == 0.0) return 0.0;
  if (std::isinf(factor) || std::isinf(slope)) return kUnbounded;
  return factor == 0.0 ? 0.0 : factor * slope;
}

TapDual chain(double value, double factor, const TapDual& inner) noexcept {
  TapDual result{value, {}};
  for (std::size_t i = 0; i < result.slope.size(); ++i)
    result.slope[i] = scaled(factor, inner.slope[i]);
  return result;
}

TapDual combined(double value, double by_a, const TapDual& a, double by_b,
                 const TapDual& b) noexcept {
  TapDual result{value, {}};
  for (std::size_t i = 0; i < result.slope.size(); ++i)
    result.slope[i] = scaled(by_a, a.slope[i]) + scaled(by_b, b.slope[i]);
  return result;
}

double power_of(double base, double exponent) noexcept {
  return exponent == 2.0 ? base * base : std::pow(base, exponent);
}

double sign_of(double x) noexcept {
  return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
}

TapDual power_of(const TapDual& base, double exponent) noexcept {
  return chain(power_of(base.value, exponent),
               exponent * std::pow(base.value, exponent - 1.0), base);
}

double sum_of(double a, double b, double sign) noexcept {
  return a + sign * b;
}
TapDual sum_of(const TapDual& a, const TapDual& b, double sign) noexcept {
  return combined(a.value + sign * b.value, 1.0, a, sign, b);
}
double product_of(double a, double b) noexcept {
  return a * b;
}
TapDual product_of(const TapDual& a, const TapDual& b) noexcept {
  return combined(a.value * b.value, b.value, a, a.value, b);
}
double quotient_of(double a, double b) noexcept {
  return a / b;
}
TapDual quotient_of(const TapDual& a, const TapDual& b) noexcept {
  return combined(a.value / b.value, 1.0 / b.value, a, -a.value / (b.value * b.value), b);
}

double number_as(double value, const double& /*kind*/) noexcept {
  return value;
}
TapDual number_as(double value, const TapDual& /*kind*/) noexcept {
  return {value, {}};
}

double function_of(double /*x*/, double value, double /*slope*/) noexcept {
  return value;
}
TapDual function_of(const TapDual& x, double value, double slope) noexcept {
  return chain(value, slope, x);
}
double value_of(double x) noexcept {
  return x;
}
double value_of(const TapDual& x) noexcept {
  return x.value;
}

}  // namespace

/// Recursive descent. Knows of each part whether it is a constant and which sign it has.
class TapExpressionParser {
 public:
  using Operation = TapExpression::Operation;

  TapExpressionParser(std::string_view text, int order, const std::string& field,
                      std::vector<TapExpression::Step>& steps)
      : text_(text), order_(order), field_(field), steps_(steps) {}

  void parse() {
    if (next() == '\0') fail(position_, "is empty; write an expression, \"x2^2\"");
    sum();
    if (next() != '\0') fail(position_, "ends before " + quote(text_.substr(position_)));
    if (deepest_ > TapExpression::kDeepest)
      fail(0, "needs more than " + std::to_string(TapExpression::kDeepest) +
                  " values at a time; write it shorter");
    if (std::none_of(steps_.begin(), steps_.end(), [](const auto& step) {
          return step.operation == Operation::kVariable;
        }))
      fail(0, "depends on no tap; use at least one of " + taps());
  }

 private:
  struct Part {
    bool constant = false;
    double value = 0.0;        // of a constant
    bool nonnegative = false;  // whatever the taps are
    bool positive = false;     // above zero
  };

  static Part constant(double value) { return {true, value, value >= 0.0, value > 0.0}; }

  Part sum() {
    Part left = product();
    while (next() == '+' || next() == '-') {
      const bool minus = text_[position_++] == '-';
      const Part right = product();
      emit(minus ? Operation::kSubtract : Operation::kAdd, -1);
      if (left.constant && right.constant)
        left = constant(left.value + (minus ? -right.value : right.value));
      else
        left = {false, 0.0, !minus && left.nonnegative && right.nonnegative,
                !minus && left.nonnegative && right.nonnegative &&
                    (left.positive || right.positive)};
    }
    return left;
  }

  Part product() {
    Part left = signed_power();
    while (next() == '*' || next() == '/') {
      const bool divides = text_[position_++] == '/';
      next();
      const std::size_t at = position_;
      const Part right = signed_power();
      if (divides && !right.positive && !(right.constant && right.value != 0.0))
        fail(at,
             "divides by what may be zero; divide by a number, or by what is above "
             "zero for every motion, \"1 + x1^2\"");
      emit(divides ? Operation::kDivide : Operation::kMultiply, -1);
      if (left.constant && right.constant)
        left = constant(divides ? left.value / right.value : left.value * right.value);
      else
        left = {false, 0.0, left.nonnegative && right.nonnegative,
                left.positive && right.positive};
    }
    return left;
  }

  Part signed_power() {
    const std::size_t at = position_;
    if (++nesting_ > kDeepestNesting) fail(at, "nests too deeply; write it shorter");
    Part part;
    if (next() == '-' || next() == '+') {
      const bool minus = text_[position_++] == '-';
      part = signed_power();
      if (minus) {
        emit(Operation::kNegate, 0);
        part = part.constant ? constant(-part.value) : Part{};
      }
    } else {
      part = power();
    }
    --nesting_;
    return part;
  }

  Part power() {
    const std::size_t at = (next(), position_);
    const Part base = primary();
    if (next() != '^') return base;
    ++position_;
    next();
    const std::size_t exponent_at = position_;
    const std::size_t kept = steps_.size();
    const Part exponent = signed_power();
    if (!exponent.constant)
      fail(exponent_at, "raises to a power that depends on a tap; give a number, \"x2^2\"");
    steps_.resize(kept);
    --depth_;
    const double e = exponent.value;
    const bool whole = e == std::floor(e);
    if (!whole && !base.nonnegative)
      fail(at,
           "takes a power that is no whole number of what may be negative; take it of "
           "the magnitude, \"abs(x2)^0.5\"");
    if (e < 0.0 && !base.positive && !(base.constant && base.value != 0.0))
      fail(at,
           "takes a negative power of what may be zero; take it of what is above zero "
           "for every motion, \"(1 + x1^2)^-1\"");
    emit(Operation::kPower, 0, e);
    if (base.constant) return constant(power_of(base.value, e));
    const bool even = whole && std::fmod(e, 2.0) == 0.0;
    return {false, 0.0, base.nonnegative || even, base.positive};
  }

  Part primary() {
    const char head = next();
    const std::size_t at = position_;
    if (head == '(') {
      ++position_;
      const Part part = sum();
      close(at);
      return part;
    }
    if ((head >= '0' && head <= '9') || head == '.') return number();
    if (is_letter(head)) return named();
    if (head == '\0') fail(at, "ends where a tap, a number or ( is expected");
    fail(at,
         "has " + quote(text_.substr(at, 1)) + " where a tap, a number or ( is expected");
  }

  Part number() {
    double value = 0.0;
    const char* const begin = text_.data() + position_;
    const auto read = std::from_chars(begin, text_.data() + text_.size(), value);
    if (read.ec != std::errc{}) fail(position_, "has no number that can be read");
    position_ += static_cast<std::size_t>(read.ptr - begin);
    emit(Operation::kNumber, +1, value);
    return constant(value);
  }

  Part named() {
    const std::size_t at = position_;
    while (position_ < text_.size() &&
           (is_letter(text_[position_]) ||
            (text_[position_] >= '0' && text_[position_] <= '9')))
      ++position_;
    const std::string name(text_.substr(at, position_ - at));
    if (next() == '(') return function(name, at);
    const bool tap = name.size() == 2 && (name[0] == 'x' || name[0] == 'u') &&
                     name[1] >= '0' && name[1] <= '9';
    if (!tap) fail(at, "has " + quote(name) + ", which is no tap; the taps are " + taps());
    const int number = name[1] - '0';
    if (name[0] == 'x' ? number > order_
                       : number < 1 || number > TapExpression::kCommandTaps)
      fail(at, "has " + name + "; order " + std::to_string(order_) + " has " + taps());
    emit(Operation::kVariable, +1, 0.0,
         name[0] == 'x' ? number : TapExpression::kMotionTaps + number - 1);
    return {};
  }

  Part function(const std::string& name, std::size_t at) {
    static const std::vector<std::pair<std::string, Operation>> kFunctions{
        {"sin", Operation::kSin}, {"cos", Operation::kCos},  {"tanh", Operation::kTanh},
        {"exp", Operation::kExp}, {"log", Operation::kLog},  {"sqrt", Operation::kSqrt},
        {"abs", Operation::kAbs}, {"sign", Operation::kSign}};
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [&](const auto& known) { return known.first == name; });
    if (found == kFunctions.end()) {
      std::vector<std::string> names;
      for (const auto& known : kFunctions) names.push_back(known.first);
      fail(at, "has no function " + quote(name) + suggest(name, names) +
                   "; the functions are sin, cos, tanh, exp, log, sqrt, abs and sign");
    }
    const std::size_t open = position_++;
    next();
    const std::size_t argument_at = position_;
    const Part argument = sum();
    close(open);
    if (found->second == Operation::kLog && !argument.positive)
      fail(argument_at,
           "takes the logarithm of what may be zero or negative; take it of "
           "what is above zero for every motion, \"log(1 + abs(x1))\"");
    if (found->second == Operation::kSqrt && !argument.nonnegative)
      fail(argument_at,
           "takes the root of what may be negative; take it of the magnitude, "
           "\"sqrt(abs(x2))\"");
    emit(found->second, 0);
    const bool nonnegative = found->second == Operation::kAbs ||
                             found->second == Operation::kSqrt ||
                             found->second == Operation::kExp;
    const bool positive =
        found->second == Operation::kExp || (nonnegative && argument.positive);
    return {false, 0.0, nonnegative, positive};
  }

  void close(std::size_t open) {
    if (next() != ')')
      fail(position_, "misses ) for the ( at character " + std::to_string(open + 1));
    ++position_;
  }

  void emit(Operation operation, int pushed, double number = 0.0, int variable = 0) {
    steps_.push_back({operation, number, variable});
    depth_ += pushed;
    deepest_ = std::max(deepest_, depth_);
  }

  std::string taps() const {
    return "x0 to x" + std::to_string(order_) + " and u1 to u" +
           std::to_string(TapExpression::kCommandTaps);
  }

  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    throw SettingError(field_, quote(text_) + " " + what + " (at character " +
                                   std::to_string(at + 1) + " of the term)");
  }

  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  /// The next character that is no space, or NUL.
  char next() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  std::string_view text_;
  int order_;
  const std::string& field_;
  std::vector<TapExpression::Step>& steps_;
  std::size_t position_ = 0;
  int depth_ = 0;  // of the values while it is computed
  int deepest_ = 0;
  int nesting_ = 0;
};

TapExpression::TapExpression(std::string_view text, int order, const std::string& field) {
  TapExpressionParser(text, order, field, steps_).parse();
}

double TapExpression::value(const Variables& at) const noexcept {
  return evaluate(at);
}

TapExpression::Variables TapExpression::gradient_at_rest() const noexcept {
  std::array<TapDual, kVariables> rest{};
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i].slope[i] = 1.0;
  return evaluate(rest).slope;
}

std::optional<int> TapExpression::variable() const noexcept {
  if (steps_.size() != 1) return std::nullopt;
  return steps_.front().variable;
}

bool TapExpression::uses_commands() const noexcept {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
    return step.operation == Operation::kVariable && step.variable >= kMotionTaps;
  });
}

template <typename Number>
Number TapExpression::function(const Step& step, const Number& of) noexcept {
  const double x = value_of(of);
  const auto result = [&](double value, double slope) {
    return function_of(of, value, slope);
  };
  switch (step.operation) {
    case Operation::kNegate:
      return result(-x, -1.0);
    case Operation::kSin:
      return result(std::sin(x), std::cos(x));
    case Operation::kCos:
      return result(std::cos(x), -std::sin(x));
    case Operation::kTanh:
      return result(std::tanh(x), 1.0 - std::tanh(x) * std::tanh(x));
    case Operation::kExp:
      return result(std::exp(x), std::exp(x));
    case Operation::kLog:
      return result(std::log(x), 1.0 / x);
    case Operation::kSqrt:
      return result(std::sqrt(x), 0.5 / std::sqrt(x));
    case Operation::kAbs:
      return result(std::abs(x), x == 0.0 ? kBounded : sign_of(x));
    case Operation::kSign:
      return result(sign_of(x), x == 0.0 ? kUnbounded : 0.0);
    default:
      return power_of(of, step.number);
  }
}

template <typename Number>
Number TapExpression::evaluate(const std::array<Number, kVariables>& at) const noexcept {
  std::array<Number, kDeepest + 1> values{};
  std::size_t top = 0;  // the place above the last value
  for (const Step& step : steps_) {
    switch (step.operation) {
      case Operation::kNumber:
        values[top++] = number_as(step.number, at[0]);
        break;
      case Operation::kVariable:
        values[top++] = at[static_cast<std::size_t>(step.variable)];
        break;
      case Operation::kAdd:
      case Operation::kSubtract:
        --top;
        values[top - 1] = sum_of(values[top - 1], values[top],
                                 step.operation == Operation::kSubtract ? -1.0 : 1.0);
        break;
      case Operation::kMultiply:
        --top;
        values[top - 1] = product_of(values[top - 1], values[top]);
        break;
      case Operation::kDivide:
        --top;
        values[top - 1] = quotient_of(values[top - 1], values[top]);
        break;
      default:
        values[top - 1] = function(step, values[top - 1]);
    }
  }
  return values[0];
}

}  // namespace trestle::compensators
