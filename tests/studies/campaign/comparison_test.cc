#include "studies/comparison/comparison.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "studies/comparison/comparison_text.h"
#include "tests/studies/campaign/small_study.h"

namespace trestle::campaign {
namespace {

using testing::kSmallTest;
using testing::sentence_of;
using testing::SmallStudy;

std::vector<comparison::ComparisonEntry> three_tests() {
  return {{.name = "none",
           .file = "a.yaml",
           .complete = true,
           .stable = true,
           .reason = {},
           .ended_at = 20.0,
           .tick = 2e-6,
           .results = {{"criteria.J1[0]", 40.0}, {"criteria.J2[0]", 53.25}}},
          {.name = "ats",
           .file = "b.yaml",
           .complete = true,
           .stable = true,
           .reason = {},
           .ended_at = 20.0,
           .tick = 3e-6,
           .results = {{"criteria.J1[0]", -1.0}, {"criteria.J2[0]", 4.5}}},
          {.name = "narx",
           .file = "c.yaml",
           .complete = false,
           .stable = false,
           .unstable = true,
           .reason = "west: rate above its limit",
           .ended_at = 12.3,
           .tick = 4e-6,
           .results = {{"criteria.J1[0]", 0.0}, {"criteria.J2[0]", 0.1}}}};
}

TEST(Comparison, PutsTestsSideBySideAndIsHonestAboutInstabilities) {
  EXPECT_EQ(comparison::comparison_text(three_tests(), {}, comparison::TableStyle::kPlain),
            "result               none     ats                narx\n"
            "criteria.J1[0]         40      -1                   -\n"
            "criteria.J2[0]      53.25     4.5                   -\n"
            "CPU per tick [us]       2       3                   4\n"
            "outcome            stable  stable  unstable at 12.3 s\n"
            "narx: west: rate above its limit\n");
}

TEST(Comparison, DoesNotCallEveryLimitAnInstability) {
  std::vector<comparison::ComparisonEntry> tests = three_tests();
  tests[2].unstable = false;
  const std::string text =
      comparison::comparison_text(tests, {}, comparison::TableStyle::kPlain);
  EXPECT_NE(text.find("stopped at 12.3 s"), std::string::npos) << text;
  EXPECT_EQ(text.find("unstable"), std::string::npos) << text;
}

TEST(Comparison, SetsTheBestInBold) {
  EXPECT_EQ(comparison::comparison_text(three_tests(), {"criteria.J2"},
                                        comparison::TableStyle::kMarkdown),
            "| result | none | ats | narx |\n"
            "|---|--:|--:|--:|\n"
            "| criteria.J2[0] | 53.25 | **4.5** | - |\n"
            "| CPU per tick [us] | 2 | 3 | 4 |\n"
            "| outcome | stable | stable | unstable at 12.3 s |\n"
            "\nnarx: west: rate above its limit\n");
  EXPECT_NE(
      comparison::comparison_text(three_tests(), {}, comparison::TableStyle::kTerminal)
          .find("\x1b[1m-1\x1b[0m"),
      std::string::npos);
}

TEST(Comparison, CallsTestsByTheirFilesWhereNamesAreAlike) {
  std::vector<comparison::ComparisonEntry> tests = three_tests();
  tests[1].name = "none";
  EXPECT_EQ(comparison::comparison_text(tests, {}, comparison::TableStyle::kMarkdown)
                .substr(0, 23),
            "| result | a | b | c |\n");
}

TEST(Comparison, RunsTestsAndTellsAllMistakesBeforeAnyRuns) {
  const SmallStudy study("  p: {paths: seed, value: {kind: uniform, low: 1, high: 2}}\n");
  const auto may_continue = [] {
    return true;
  };
  const std::vector<comparison::ComparisonEntry> tests = comparison::run_comparison(
      {study.file("test.yaml"), study.file("test.yaml")},
      {"sites.lab.compensator.delay=7 ms"}, "test", may_continue);
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_TRUE(tests[0].stable);
  EXPECT_EQ(tests[0].ended_at, 0.502);  // 251 steps of 2 ms
  EXPECT_GT(tests[0].tick, 0.0);
  EXPECT_EQ(tests[0].results.size(), tests[1].results.size());
  const auto json = nlohmann::json::parse(comparison::comparison_json(tests));
  EXPECT_TRUE(json.at("tests")[1].at("results").contains("sites.lab.tracking[0].nrmse"));
  const std::string sentence = sentence_of([&] {
    comparison::run_comparison({study.file("test.yaml"), study.file("none.yaml")},
                               {"sed=3"}, "test", may_continue);
  });
  EXPECT_NE(sentence.find("--set sed"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("none.yaml"), std::string::npos) << sentence;
}

TEST(Comparison, EndsWhereItIsAsked) {
  const SmallStudy study("  p: {paths: seed, value: {kind: uniform, low: 1, high: 2}}\n");
  EXPECT_TRUE(comparison::run_comparison({study.file("test.yaml")}, {}, "test", [] {
                return false;
              }).empty());
}

}  // namespace
}  // namespace trestle::campaign
