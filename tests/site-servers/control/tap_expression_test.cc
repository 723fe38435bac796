#include "site-servers/compensators/tap_expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/base/setting_error.h"

namespace trestle::tap_expression_test {
namespace {

using compensators::TapExpression;

const TapExpression::Variables kTaps{0.7, -1.3, 2.1, -0.4, 1.9, 0.6, -0.8, 1.1, -1.7};

double value(const std::string& text) {
  return TapExpression(text, 4, "terms[0]").value(kTaps);
}

double slope(const std::string& text, std::size_t variable) {
  return TapExpression(text, 4, "terms[0]").gradient_at_rest()[variable];
}

std::string problem(const std::string& text, int order = 2) {
  try {
    TapExpression(text, order, "terms[3]");
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems().front().path, "terms[3]");
    return error.problems().front().what;
  }
  return "none";
}

TEST(TapExpression, ComputesWhatAPersonReads) {
  const auto [x0, x1, x2, x3, x4, u1, u2, u3, u4] = kTaps;
  EXPECT_EQ(value("x0"), x0);
  EXPECT_EQ(value("u4"), u4);
  EXPECT_EQ(value(" x0 - x1 - x2 "), x0 - x1 - x2);
  EXPECT_EQ(value("x0 - (x1 - x2)"), x0 - (x1 - x2));
  EXPECT_EQ(value("x0 + x1*x2"), x0 + x1 * x2);
  EXPECT_EQ(value("x0/2/4*x3"), x0 / 2.0 / 4.0 * x3);
  EXPECT_EQ(value("-x2^2"), -(x2 * x2));
  EXPECT_EQ(value("(-x2)^3"), std::pow(-x2, 3.0));
  EXPECT_EQ(value("(1 + x4^2)^-1.5"), std::pow(1.0 + x4 * x4, -1.5));
  EXPECT_EQ(value("x1^(3 - 1)"), x1 * x1);
  EXPECT_EQ(value("x1^(1 + 2)"), std::pow(x1, 3.0));
  EXPECT_EQ(value("1.5e-1*x1*u2"), 0.15 * x1 * u2);
  EXPECT_EQ(value("u3/(1 + abs(u1))"), u3 / (1.0 + std::abs(u1)));
  EXPECT_EQ(value("sin(x2) + cos(x1) + tanh(x0)"),
            std::sin(x2) + std::cos(x1) + std::tanh(x0));
  EXPECT_EQ(value("exp(-abs(x1))"), std::exp(-std::abs(x1)));
  EXPECT_EQ(value("log(1 + x1^2)"), std::log(1.0 + x1 * x1));
  EXPECT_EQ(value("sign(x1)*sqrt(abs(x1))"), -std::sqrt(-x1));
}

TEST(TapExpression, KnowsItsSlopeAtRest) {
  EXPECT_EQ(slope("3*x0 - x1", 0), 3.0);
  EXPECT_EQ(slope("3*x0 - x1", 1), -1.0);
  EXPECT_EQ(slope("3*x0 - x1", 2), 0.0);
  EXPECT_EQ(slope("sin(2*x2)", 2), 2.0);
  EXPECT_EQ(slope("exp(0.5*x1)*(2 + x2)", 1), 1.0);
  EXPECT_EQ(slope("exp(0.5*x1)*(2 + x2)", 2), 1.0);
  EXPECT_EQ(slope("x1/(2 + x2^2)", 1), 0.5);
  EXPECT_EQ(slope("(1 + u1)/exp(3*u1)", 5), -2.0);
  EXPECT_EQ(slope("cos(x1) + x1^2 + x1*x2", 1), 0.0);
  EXPECT_EQ(slope("log(1 + x1^2) + tanh(x1)", 1), 1.0);
  // Where the argument is not zero at rest.
  EXPECT_EQ(slope("-(2*x1)", 1), -2.0);
  EXPECT_EQ(slope("(1 + x1 + 2)^2", 1), 6.0);
  EXPECT_EQ(slope("(5 - 2 + x1)^3", 1), 27.0);
  EXPECT_NEAR(slope("sin(1 + x1)", 1), std::cos(1.0), 1e-15);
  EXPECT_NEAR(slope("cos(1 + x1)", 1), -std::sin(1.0), 1e-15);
  EXPECT_NEAR(slope("tanh(1 + x1)", 1), 1.0 - std::pow(std::tanh(1.0), 2), 1e-15);
  EXPECT_EQ(slope("log(1 + exp(x1))", 1), 0.5);
  EXPECT_EQ(slope("sqrt(4*exp(x1))", 1), 1.0);
  EXPECT_EQ(slope("abs(x1)^1.5", 1), 0.0);
  EXPECT_EQ(slope("x1*abs(x1)", 1), 0.0);
}

TEST(TapExpression, HasNoSlopeWhereItBendsAtRest) {
  for (const char* text : {"abs(x1)", "exp(-abs(x1))", "sqrt(abs(x1))", "sign(x1)",
                           "sqrt(abs(x1))^2", "abs(x1) - abs(x1)"})
    EXPECT_FALSE(std::isfinite(slope(text, 1))) << text;
}

TEST(TapExpression, KnowsAVariableFromAnExpression) {
  EXPECT_EQ(TapExpression("(x2)", 4, "t").variable(), 2);
  EXPECT_EQ(TapExpression("u1", 4, "t").variable(), TapExpression::kMotionTaps);
  EXPECT_EQ(TapExpression("-x2", 4, "t").variable(), std::nullopt);
  EXPECT_TRUE(TapExpression("x1*u4", 4, "t").uses_commands());
  EXPECT_FALSE(TapExpression("x1*x4", 4, "t").uses_commands());
}

TEST(TapExpression, TellsWhereAndWhatIsMeant) {
  const auto says = [](const std::string& text, const std::string& what, int at) {
    const std::string full = problem(text);
    EXPECT_NE(full.find(what), std::string::npos) << full;
    EXPECT_NE(full.find("(at character " + std::to_string(at) + " of the term)"),
              std::string::npos)
        << full;
  };
  says("x1*x3", "x3; order 2 has x0 to x2 and u1 to u4", 4);
  says("u0", "u0; order 2 has", 1);
  says("y1 + 2", "`y1`, which is no tap; the taps are x0 to x2", 1);
  says("sinn(x2)", "no function `sinn`; did you mean `sin`?", 1);
  says("sin(x2", "misses ) for the ( at character 4", 7);
  says("x1 x2", "ends before `x2`", 4);
  says("x1*", "ends where a tap, a number or ( is expected", 4);
  says("x1*^2", "`^` where a tap", 4);
  says("2 + 3", "depends on no tap", 1);
  says("", "is empty", 1);
  says("x1/x2", "divides by what may be zero", 4);
  says("x1/0", "divides by what may be zero", 4);
  says("log(x1^2)", "the logarithm of what may be zero", 5);
  says("sqrt(x1)", "the root of what may be negative", 6);
  says("x1^0.5", "no whole number of what may be negative", 1);
  says("x1^-1", "negative power of what may be zero", 1);
  says("2^x1", "a power that depends on a tap", 3);
  says(std::string(40, '(') + "x1" + std::string(40, ')'), "nests too deeply", 33);
}

}  // namespace
}  // namespace trestle::tap_expression_test
