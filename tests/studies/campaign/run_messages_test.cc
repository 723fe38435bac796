#include "studies/campaign/run_messages.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "tests/core/journal/temporary_folder.h"

namespace trestle::campaign {
namespace {

FinishedRun with_results(std::int64_t run, Results results) {
  return {run,  RunOutcome::kUnstable, "too far\nthen lost",
          0.25, std::move(results),    {0.1, -0.0}};
}

void expect_same_run(const FinishedRun& one, const FinishedRun& other) {
  EXPECT_EQ(one.run, other.run);
  EXPECT_EQ(one.outcome, other.outcome);
  EXPECT_EQ(one.reason, other.reason);
  EXPECT_EQ(one.wall, other.wall);
  ASSERT_EQ(one.largest_targets.size(), other.largest_targets.size());
  for (std::size_t i = 0; i < one.largest_targets.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(one.largest_targets[i]),
              std::bit_cast<std::uint64_t>(other.largest_targets[i]));
  ASSERT_EQ(one.results.size(), other.results.size());
  for (std::size_t i = 0; i < one.results.size(); ++i) {
    EXPECT_EQ(one.results[i].name, other.results[i].name);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(one.results[i].value),
              std::bit_cast<std::uint64_t>(other.results[i].value));
  }
}

TEST(RunMessages, KeepEveryBitOfAResult) {
  const double kNan = std::bit_cast<double>(0x7ff8000000000123ULL);
  const FinishedRun first = with_results(
      7, {{"a", kNan}, {"b", -0.0}, {"", std::numeric_limits<double>::denorm_min()}});
  const FinishedRun second = with_results(8, {{"b", 1.0 / 3.0}, {"c", 1e300}});
  ResultWriter writer;
  ResultReader reader;
  const std::string long_one = writer.write(first);
  expect_same_run(reader.read(long_one), first);
  expect_same_run(reader.read(writer.write(second)), second);
  EXPECT_LT(writer.write(first).size(), long_one.size());  // names travel once
}

TEST(RunMessages, CarryAllThatRankZeroSays) {
  const CampaignIdentity identity{{"seed", "1"}, {"file of samples", ""}};
  EXPECT_EQ(read_identity(identity_message(identity)), identity);
  EXPECT_EQ(read_limits(limits_message({})), std::vector<double>{});
  EXPECT_EQ(read_limits(limits_message({0.1, -2.0})), (std::vector<double>{0.1, -2.0}));
  EXPECT_EQ(read_task(task_message({3, 1LL << 40})),
            (std::vector<std::int64_t>{3, 1LL << 40}));
}

TEST(RunMessages, AreRefusedWhereTheyAreCutOff) {
  ResultWriter writer;
  const std::string whole = writer.write(with_results(7, {{"a", 1.0}}));
  for (std::size_t size = 1; size + 1 < whole.size(); ++size) {
    // A message that ends where a result would begin is one with fewer results.
    if (size == whole.size() - 25) continue;
    EXPECT_FALSE(testing::sentence_of([&] {
                   ResultReader().read(std::string_view(whole).substr(0, size));
                 }).empty())
        << size;
  }
}

}  // namespace
}  // namespace trestle::campaign
