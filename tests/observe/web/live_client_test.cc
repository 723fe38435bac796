#include "observe/web/live_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/observe/web/watched_folder.h"

namespace trestle::web::live_client_test {
namespace {

using testing::row_values;
using testing::WatchedFolder;

class SilentNode final : public NodeLink {
 public:
  NodeAnswer newest() override { return {}; }
  void command(const PageCommand& command) override { heard.push_back(command.text); }
  std::vector<CommandOutcome> take_outcomes() override { return {}; }
  std::vector<std::string> heard;
};

/// Frames of one subscription until the record is over.
struct Sent {
  std::size_t frames = 0;
  std::size_t bytes = 0;
  std::size_t buckets = 0;
  std::uint32_t rows_per_bucket = 0;
  std::int64_t first = -1;
  std::vector<double> low;  // of the first channel
};

template <typename Number>
Number number_at(const std::string& bytes, std::size_t at) {
  Number number{};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

Sent subscribed(WatchedRecords& records, nlohmann::json message) {
  SilentNode node;
  LiveClient client({}, records, node);
  message["type"] = "subscribe";
  message["id"] = 1;
  message["stream"] = "result";
  EXPECT_EQ(client.take(message.dump(), 0.0), "");
  Sent sent;
  for (double now = 1.0; now < 500.0; now += 0.1) {
    const std::optional<std::string> frame = client.next_frame(now);
    if (!frame) continue;
    client.take(R"({"type":"ack"})", now);
    const auto buckets = number_at<std::uint32_t>(*frame, 20);
    if (sent.frames++ == 0) sent.first = number_at<std::int64_t>(*frame, 8);
    sent.rows_per_bucket = number_at<std::uint32_t>(*frame, 16);
    sent.bytes += frame->size();
    sent.buckets += buckets;
    for (std::uint32_t i = 0; i < buckets; ++i)
      sent.low.push_back(number_at<double>(*frame, 24 + 8 * i));
  }
  return sent;
}

/// What a page does when it is opened: 12 minutes at 1 kHz, of which the memory of the
/// server has the last five. Counts, not times: ten hours cost 50 times as much.
TEST(LiveClient, OpensALongRecordWithoutReadingItsRows) {
  constexpr std::int64_t kRows = 700'000;
  const WatchedFolder folder(kRows);
  WatchedRecords records = folder.watched();
  const Sent whole = subscribed(records, {{"channels", {"a_m", "b_m"}},
                                          {"from", 0},
                                          {"to", nullptr},
                                          {"points", 4000},
                                          {"rows_per_bucket", 467},
                                          {"reduce", "extremes"}});
  EXPECT_EQ(whole.rows_per_bucket, 512U);
  EXPECT_EQ(whole.buckets, 1368U);
  EXPECT_LE(whole.frames, 3U);
  EXPECT_LE(whole.bytes, 1368 * 2 * 16 + 3 * 24U);
  const std::uint64_t read = records.front()->rows("result")->values_read();
  EXPECT_LE(read, 40'000U) << "the record has 3 500 000 values";
  // Any window, too: the frame begins at an extent, at most a bucket before it was asked
  // to.
  const Sent window = subscribed(records, {{"channels", {"a_m", "b_m"}},
                                           {"from", 100'001},
                                           {"to", 400'000},
                                           {"points", 2000},
                                           {"rows_per_bucket", 150},
                                           {"reduce", "extremes"}});
  EXPECT_EQ(window.rows_per_bucket, 256U);
  EXPECT_EQ(window.first, 99'840);
  double low = 1.0;
  for (std::int64_t index = 99'840; index < 99'840 + 256; ++index)
    low = std::min(low, row_values(index)[0]);
  EXPECT_EQ(window.low.at(0), low);
  EXPECT_LE(records.front()->rows("result")->values_read() - read, 25'000U);
}

TEST(LiveClient, ReadsNoRowsOfALongRecordThatIsAskedForFromBeforeItsBegin) {
  constexpr std::int64_t kRows = 700'000;
  const WatchedFolder folder(kRows);
  WatchedRecords records = folder.watched();
  const Sent whole = subscribed(records, {{"channels", nlohmann::json::array({"a_m"})},
                                          {"from", -1},
                                          {"to", kRows - 1},
                                          {"points", 100},
                                          {"reduce", "extremes"}});
  EXPECT_EQ(whole.first, -4096);
  EXPECT_EQ(whole.rows_per_bucket, 8192U);
  double low = 1.0;
  for (std::int64_t index = 0; index < 4096; ++index)
    low = std::min(low, row_values(index)[0]);
  EXPECT_EQ(whole.low.at(0), low);
  EXPECT_LE(records.front()->rows("result")->values_read(), 40'000U);
}

TEST(LiveClient, RefusesATextThatIsTooLongAndSendsNoneOfIt) {
  const WatchedFolder folder(10);
  WatchedRecords records = folder.watched();
  SilentNode node;
  LiveClient client({.number = 1,
                     .visitor = {.person = "ada", .role = Role::kOperator},
                     .address = "10.1.2.3",
                     .allow = {"note"}},
                    records, node);
  const auto note = [&](const std::string& text) {
    return client.take(nlohmann::json{{"type", "note"}, {"text", text}}.dump(), 0.0);
  };
  EXPECT_EQ(note(std::string(301, 'x')), "");
  EXPECT_TRUE(node.heard.empty());
  EXPECT_EQ(note(std::string(300, 'x')), "");
  ASSERT_EQ(node.heard.size(), 1U);
  EXPECT_EQ(node.heard[0], std::string(300, 'x') + " (page 10.1.2.3)");
}

TEST(LiveClient, SendsShortWindowsRowByRow) {
  const WatchedFolder folder(5000);
  WatchedRecords records = folder.watched();
  const Sent window = subscribed(records, {{"channels", nlohmann::json::array({"a_m"})},
                                           {"from", 17},
                                           {"to", 1016},
                                           {"points", 2000},
                                           {"rows_per_bucket", 1},
                                           {"reduce", "extremes"}});
  EXPECT_EQ(window.first, 17);
  ASSERT_EQ(window.buckets, 1000U);
  for (std::int64_t i = 0; i < 1000; ++i)
    EXPECT_EQ(window.low[static_cast<std::size_t>(i)], row_values(17 + i)[0]);
}

/// 40 ms between two of them made the zoom of a page that takes eight last a third of a
/// second longer.
TEST(LiveClient, SendsTheFramesOfAWindowOneBehindTheOther) {
  constexpr std::uint32_t kRows = 4000;
  const WatchedFolder folder(2 * kRows);
  WatchedRecords records = folder.watched();
  SilentNode node;
  LiveClient client({}, records, node);
  const nlohmann::json wanted{
      {"type", "subscribe"}, {"id", 1},
      {"stream", "result"},  {"channels", std::vector<std::string>(64, "a_m")},
      {"from", 0},           {"to", kRows - 1},
      {"points", 4000}};
  constexpr double kNow = 1.0;
  ASSERT_EQ(client.take(wanted.dump(), kNow), "");
  std::uint32_t buckets = 0;
  int frames = 0;
  while (const std::optional<std::string> frame = client.next_frame(kNow)) {
    EXPECT_FALSE(client.next_frame(kNow)) << "the frame before is not acknowledged";
    client.take(R"({"type":"ack"})", kNow);
    buckets += number_at<std::uint32_t>(*frame, 20);
    ++frames;
  }
  EXPECT_EQ(buckets, kRows);
  EXPECT_GT(frames, 3);
}

}  // namespace
}  // namespace trestle::web::live_client_test
