#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::compensators {

/// A term of a regression as an expression of its taps: "x2^2", "x1*u1", "exp(-abs(x1))".
///
///   x0 ... x4   the motion now and 1 ... 4 ticks ago
///   u1 ... u4   the command that the method gave 1 ... 4 ticks ago
///   + - * / ^   ( )   sin cos tanh exp log sqrt abs sign
///
/// A term that could leave the numbers at some motion is refused: a divisor, a logarithm, a
/// root or a power that is no whole number needs an argument whose sign is plain to see,
/// "log(1 + abs(x1))".
class TapExpression {
 public:
  static constexpr int kMotionTaps = 5;
  static constexpr int kCommandTaps = 4;
  static constexpr int kVariables = kMotionTaps + kCommandTaps;
  /// x0 ... x4, u1 ... u4.
  using Variables = std::array<double, kVariables>;

  /// @param order  the last motion tap that may be used
  /// @param field  of the term, for errors
  /// @throws SettingError  at `field`: where in the text, and what would be right
  TapExpression(std::string_view text, int order, const std::string& field);

  /// Does not allocate.
  double value(const Variables& at) const noexcept;
  /// Returns the derivatives at rest, all variables zero; not finite if none exists.
  Variables gradient_at_rest() const noexcept;
  /// Returns the variable's index if the term is that variable alone.
  std::optional<int> variable() const noexcept;
  bool uses_commands() const noexcept;

 private:
  friend class TapExpressionParser;
  enum class Operation : unsigned char {
    kNumber,
    kVariable,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kSin,
    kCos,
    kTanh,
    kExp,
    kLog,
    kSqrt,
    kAbs,
    kSign
  };
  struct Step {
    Operation operation;
    double number = 0.0;  // of a power: its exponent
    int variable = 0;
  };
  static constexpr int kDeepest = 16;

  template <typename Number>
  static Number function(const Step& step, const Number& of) noexcept;
  template <typename Number>
  Number evaluate(const std::array<Number, kVariables>& at) const noexcept;

  std::vector<Step> steps_;  // operands first
};

}  // namespace trestle::compensators
