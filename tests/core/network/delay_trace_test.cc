#include "core/network/delay_trace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace trestle::network::delay_trace_test {
namespace {

using namespace std::chrono_literals;

class DelayTraceTest : public ::testing::Test {
 protected:
  DelayTraceTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "trestle-trace-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~DelayTraceTest() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& text) const {
    std::ofstream(folder_ / "trace.csv") << text;
    return folder_ / "trace.csv";
  }
  std::string complaint(const std::string& text) const {
    const auto trace = read_delay_trace(file(text));
    if (trace) return "";
    const std::string& detail = trace.error().detail;
    return detail.substr(detail.find("trace.csv"));
  }

  std::filesystem::path folder_;
};

TEST_F(DelayTraceTest, IsReadWithAHeadOrWithout) {
  for (const std::string head : {"time_s,delay_s\n", ""}) {
    const auto trace = read_delay_trace(file(head + "0, 0.075\r\n\n1.5, 0.08\n"));
    ASSERT_TRUE(trace) << trace.error().detail;
    ASSERT_EQ(trace.value().size(), 2U);
    EXPECT_EQ(trace.value()[0].delay, 75ms);
    EXPECT_EQ(trace.value()[1].time, 1500ms);
    EXPECT_EQ(trace.value()[1].delay, 80ms);
  }
}

TEST_F(DelayTraceTest, SaysWhatIsWrongAndInWhichLine) {
  EXPECT_EQ(complaint("0,1\n0,2\n"),
            "trace.csv:2: the time is not above that of the line before");
  for (const char* row : {"1", "1,x", "1,-0.1", "-1,0.1", "1,nan", "1,3601", "1,0.1,2"})
    EXPECT_TRUE(
        complaint("0,0\n" + std::string(row) + "\n")
            .starts_with("trace.csv:2: `" + std::string(row) + "` is no point of a trace"))
        << row;
  EXPECT_EQ(complaint("0,1\n"), "trace.csv:2: has 1 points; a trace needs two or more");
  EXPECT_EQ(complaint(""), "trace.csv:1: has 0 points; a trace needs two or more");
  EXPECT_FALSE(read_delay_trace("there/is/none.csv"));
}

TEST_F(DelayTraceTest, BeginsAtItsFirstPointWhateverTimeThatBears) {
  const std::vector<TracePoint> trace{{100s, 10ms}, {102s, 30ms}};
  EXPECT_EQ(interpolate_delay(trace, 0s), 10ms);
  EXPECT_EQ(interpolate_delay(trace, 1s), 20ms);
  EXPECT_EQ(interpolate_delay(trace, 3s), 20ms);
}

}  // namespace
}  // namespace trestle::network::delay_trace_test
