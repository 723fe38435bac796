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

TEST(Comparison, OfSeveralSeedsMarksOnlyWhatTheyAgreeOn) {
  std::vector<comparison::ComparisonEntry> tests = three_tests();
  tests.pop_back();
  tests[0].of_seeds = {{{"criteria.J1[0]", 40.0}, {"criteria.J2[0]", 5.0}},
                       {{"criteria.J1[0]", 40.0}, {"criteria.J2[0]", 5.2}},
                       {{"criteria.J1[0]", 40.0}, {"criteria.J2[0]", 4.8}}};
  tests[1].of_seeds = {{{"criteria.J1[0]", -1.0}, {"criteria.J2[0]", 5.1}},
                       {{"criteria.J1[0]", -1.0}, {"criteria.J2[0]", 4.9}},
                       {{"criteria.J1[0]", -1.0}, {"criteria.J2[0]", 4.7}}};
  tests[0].results = {{"criteria.J1[0]", 40.0}, {"criteria.J2[0]", 5.0}};
  tests[1].results = {{"criteria.J1[0]", -1.0}, {"criteria.J2[0]", 4.9}};
  EXPECT_EQ(comparison::comparison_text(tests, {}, comparison::TableStyle::kMarkdown),
            "| result | none | ats |\n"
            "|---|--:|--:|\n"
            "| criteria.J1[0] | 40 | **-1** |\n"
            "| criteria.J2[0] | 5 \u00b1 0.2 | 4.9 \u00b1 0.2 |\n"
            "| CPU per tick [us] | 2 | 3 |\n"
            "| outcome | stable | stable |\n");
  tests[0].stable = false;
  tests[0].unstable = true;
  tests[0].unstable_seeds = 2;
  EXPECT_NE(comparison::comparison_text(tests, {}, comparison::TableStyle::kPlain)
                .find("2 of 3 unstable"),
            std::string::npos);
}

TEST(Comparison, RunsEachTestWithItsSeedAndThoseAfterIt) {
  const SmallStudy study("  p: {paths: seed, value: {kind: uniform, low: 1, high: 2}}\n");
  const auto may_continue = [] {
    return true;
  };
  const std::vector<std::string> noisy{"sites.lab.rig.noise=[{displacement: 0.1 mm}]",
                                       "seed=5"};
  const auto all =
      comparison::run_comparison({study.file("test.yaml")}, noisy, "test", may_continue, 3);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].of_seeds.size(), 3u);
  EXPECT_TRUE(all[0].stable);
  const std::string name = "sites.lab.tracking[0].nrmse";
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const auto one = comparison::run_comparison({study.file("test.yaml")},
                                                {noisy[0], "seed=" + std::to_string(5 + k)},
                                                "test", may_continue);
    ASSERT_EQ(one.size(), 1u);
    const double* const alone = find_result(one[0].results, name);
    const double* const seed =
        find_result(all[0].of_seeds[static_cast<std::size_t>(k)], name);
    ASSERT_TRUE(alone != nullptr && seed != nullptr);
    EXPECT_EQ(*alone, *seed);  // the same run to the last bit
    sum += *seed;
  }
  EXPECT_DOUBLE_EQ(*find_result(all[0].results, name), sum / 3.0);
  EXPECT_NE(*find_result(all[0].of_seeds[0], name), *find_result(all[0].of_seeds[1], name));
  const auto json = nlohmann::json::parse(comparison::comparison_json(all));
  EXPECT_EQ(json.at("tests")[0].at("seeds"), 3);
  EXPECT_GT(json.at("tests")[0].at("deviations").at(name).get<double>(), 0.0);
}

TEST(Comparison, EndsWhereItIsAsked) {
  const SmallStudy study("  p: {paths: seed, value: {kind: uniform, low: 1, high: 2}}\n");
  EXPECT_TRUE(comparison::run_comparison({study.file("test.yaml")}, {}, "test", [] {
                return false;
              }).empty());
}

}  // namespace
}  // namespace trestle::campaign
