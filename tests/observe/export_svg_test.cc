#include "observe/export/export_svg.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "tests/observe/run_folder.h"

namespace trestle::export_svg_test {
namespace {

using testing::file_text;
using testing::RunFolder;
using testing::sentence_of;

constexpr const char* kTarget = "west.floor_w.rz.target_rad";
constexpr const char* kRoof = "roof_w.x.disp_m";

std::string picture(const RunFolder& run, const exports::PictureOptions& options,
                    const std::vector<std::string>& more = {}) {
  std::vector<std::string> runs{run.path()};
  runs.insert(runs.end(), more.begin(), more.end());
  exports::export_svg(runs, run.file("x.svg"), options);
  return file_text(run.file("x.svg"));
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The points of the first line of several points. A path may be long, and std::regex calls
/// itself for each letter: only its points are matched.
std::vector<std::pair<double, double>> points(const std::string& svg) {
  const std::regex point("(-?[0-9.]+)[ ,](-?[0-9.]+)");
  std::vector<std::pair<double, double>> found;
  for (std::size_t at = svg.find("<path"); at != std::string::npos;
       at = svg.find("<path", at + 1)) {
    const std::string path = svg.substr(at, svg.find('>', at) - at);
    const std::size_t begin = path.find(" d=\"M");
    if (begin == std::string::npos || path.find('L', begin) == std::string::npos) continue;
    const std::string d = path.substr(begin + 4, path.find('"', begin + 4) - begin - 4);
    found.clear();
    for (std::sregex_iterator p(d.begin(), d.end(), point), end; p != end; ++p)
      found.emplace_back(std::stod((*p)[1]), std::stod((*p)[2]));
    if (says(path, "#0072B2")) return found;
  }
  return found;
}

TEST(ExportSvg, DrawsAColumnOverTime) {
  const RunFolder run;
  const std::string svg = picture(run, {.columns = {kTarget}});
  EXPECT_TRUE(says(svg, kTarget));
  EXPECT_TRUE(says(svg, "rotation"));
  EXPECT_TRUE(says(svg, "time"));
  // 0, 0.1 and 1e-300 rad at equal distances: up and down again.
  const auto line = points(svg);
  ASSERT_EQ(line.size(), 3U) << svg;
  EXPECT_NEAR(line[1].first - line[0].first, line[2].first - line[1].first, 0.02);
  EXPECT_LT(line[1].second, line[0].second - 50.0);
  EXPECT_EQ(line[2].second, line[0].second);
}

/// The smallest and largest height of the line [px].
std::pair<double, double> heights(const std::string& svg) {
  std::pair<double, double> found{1e9, -1e9};
  for (const auto& [x, y] : points(svg)) {
    found.first = std::min(found.first, y);
    found.second = std::max(found.second, y);
  }
  return found;
}

TEST(ExportSvg, HoldsOfALongColumnItsOutermostPoints) {
  const testing::TemporaryFolder folder;
  constexpr std::int64_t kSteps = 3000;
  {
    journal::JournalFile journal(folder.file("journal.db"));
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kTimeStep, "0.001");
    const int stream = journal.add_stream(stream_name::kResult, {{"a_m", "m"}});
    journal.begin();
    for (std::int64_t i = 0; i < kSteps; ++i)
      journal.append(
          stream, RecordRow{i, std::vector<double>{i == 1234 ? 5.0 : 0.001 * double(i)}});
    journal.commit();
  }
  const auto drawn = [&folder](std::size_t most) {
    exports::export_svg({folder.path()}, folder.file("x.svg"),
                        {.columns = {"a_m"}, .most_points = most});
    return file_text(folder.file("x.svg"));
  };
  const std::string all = drawn(exports::PictureOptions{}.most_points);
  EXPECT_TRUE(drawn(kSteps) == all);
  EXPECT_FALSE(says(all, "outermost"));
  const std::string some = drawn(256);
  EXPECT_TRUE(says(some, "outermost points of every 64 steps")) << some.substr(0, 2000);
  EXPECT_EQ(heights(some), heights(all));
}

TEST(ExportSvg, GivesEachUnitAChartOfItsOwn) {
  const RunFolder run;
  const std::string svg = picture(run, {.columns = {kTarget, kRoof}});
  EXPECT_TRUE(says(svg, "rotation"));
  EXPECT_TRUE(says(svg, "displacement"));
}

TEST(ExportSvg, LaysRunsOverEachOtherByTheNamesOfTheirFolders) {
  const RunFolder one;
  const RunFolder other("bb");
  const std::string svg = picture(one, {.columns = {kTarget}}, {other.path()});
  for (const std::string& path : {one.path(), other.path()})
    EXPECT_TRUE(says(svg, std::filesystem::path(path).filename())) << path;
  const std::string second =
      picture(one, {.columns = {"2:" + std::string(kTarget)}}, {other.path()});
  EXPECT_FALSE(says(second, std::filesystem::path(one.path()).filename()));
}

TEST(ExportSvg, SubtractsTheSameStepOfAnotherRun) {
  const RunFolder one;
  const RunFolder other("bb");
  const std::string svg = picture(one, {.columns = {kTarget}, .less = other.path()});
  std::set<double> heights;
  for (const auto& [x, y] : points(svg)) heights.insert(y);
  EXPECT_EQ(heights.size(), 1U) << "equal runs differ by nothing";
  EXPECT_TRUE(says(svg, "less "));

  other.set_meta(meta_key::kTimeStep, "0.001");
  EXPECT_TRUE(
      says(sentence_of([&] { picture(one, {.columns = {kTarget}, .less = other.path()}); }),
           "have different time steps"));
}

TEST(ExportSvg, DrawsALoopAgainstAColumn) {
  const RunFolder run;
  const auto line = points(picture(run, {.columns = {kTarget}, .against = kTarget}));
  ASSERT_EQ(line.size(), 3U);
  EXPECT_LT(line[0].first, line[1].first);
  EXPECT_EQ(line[2].first, line[0].first) << "it comes back to where it began";
}

TEST(ExportSvg, DrawsTheTimesThatAreAskedFor) {
  const RunFolder run;
  EXPECT_EQ(points(picture(run, {.columns = {kTarget}, .from = 0.0009})).size(), 2U);
  EXPECT_EQ(points(picture(run, {.columns = {kTarget}, .to = 0.0011})).size(), 2U);
  EXPECT_TRUE(says(
      sentence_of([&] { picture(run, {.columns = {kTarget}, .from = 7.0, .to = 8.0}); }),
      "has no step between the times"));
}

TEST(ExportSvg, RefusesWhatIsNotRecordedAndLeavesNoPicture) {
  const RunFolder run;
  const std::string unknown =
      sentence_of([&] { picture(run, {.columns = {"roof_w.x.disp"}}); });
  EXPECT_TRUE(says(unknown, "no column `roof_w.x.disp`")) << unknown;
  EXPECT_TRUE(says(unknown, "did you mean `roof_w.x.disp_m`?")) << unknown;
  EXPECT_TRUE(
      says(sentence_of([&] { picture(run, {.columns = {"2:" + std::string(kRoof)}}); }),
           "there are 1"));
  const std::vector<std::string> eight(8, kRoof);
  EXPECT_TRUE(says(sentence_of([&] { picture(run, {.columns = eight}); }), "at most 7"));
  EXPECT_FALSE(std::filesystem::exists(run.file("x.svg")));
}

TEST(ExportSvg, GivesEqualBytesForEqualRecords) {
  const RunFolder one;
  const RunFolder other("bb");
  EXPECT_EQ(picture(one, {.columns = {kTarget, kRoof}, .logarithmic = true}),
            picture(other, {.columns = {kTarget, kRoof}, .logarithmic = true}));
}

}  // namespace
}  // namespace trestle::export_svg_test
