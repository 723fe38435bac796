#include "core/timing/node_runner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/timing/virtual_clock.h"

namespace trestle::timing::lockstep_runner_test {
namespace {

/// Is due every `period`, a limited number of times.
class Beat final : public Node {
 public:
  Beat(Duration period, int times) : period_(period), left_(times) {}
  TimePoint tick(TimePoint now) override {
    ticks.push_back(now);
    if (now < due_) return due_;
    --left_;
    due_ = now + period_;
    return due_;
  }
  bool finished() const noexcept override { return left_ <= 0; }
  std::vector<TimePoint> ticks;

 private:
  Duration period_;
  TimePoint due_{};
  int left_;
};

TEST(NodeRunner, JumpsFromOneDeadlineToTheNext) {
  Beat node(std::chrono::milliseconds(30), 4);
  VirtualClock clock;
  NodeRunner({&node}, clock, [] { return true; }).run();
  ASSERT_EQ(node.ticks.size(), 4U) << "nobody was called in vain";
  EXPECT_EQ(clock.now(), TimePoint(std::chrono::milliseconds(90)));
}

TEST(NodeRunner, LooksUpAtLeastEveryTenthOfASecond) {
  Beat node(std::chrono::seconds(1), 2);
  VirtualClock clock;
  int looks = 0;
  NodeRunner({&node}, clock, [&] { return ++looks > 0; }).run();
  EXPECT_EQ(clock.now(), TimePoint(std::chrono::seconds(1)));
  EXPECT_EQ(looks, 11);
}

TEST(NodeRunner, EndsWithItsFirstNodeOrWhenItIsTold) {
  Beat first(std::chrono::milliseconds(10), 2);
  Beat second(std::chrono::milliseconds(1), 1000);
  VirtualClock clock;
  NodeRunner({&first, &second}, clock, [] { return true; }).run();
  EXPECT_FALSE(second.finished());
  Beat endless(Duration(0), 1 << 30);
  int looks = 0;
  NodeRunner({&endless}, clock, [&] { return ++looks < 3; }).run();
  EXPECT_EQ(endless.ticks.size(), 48U) << "16 busy rounds to a look";
}

/// The host's clock, as far as a runner sees it: time advances while a node works.
class BusyClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return time_ += std::chrono::microseconds(1); }
  void advance_to(TimePoint until) noexcept override {
    ++waits;
    time_ = std::max(time_, until);
  }
  int waits = 0;

 private:
  mutable TimePoint time_{};
};

/// Has no work until the test gives it some.
class Listener final : public Node {
 public:
  TimePoint tick(TimePoint now) override {
    if (!told) return TimePoint::max();
    finished_ = true;
    return now;
  }
  bool finished() const noexcept override { return finished_; }
  bool told = false;

 private:
  bool finished_ = false;
};

TEST(NodeRunner, SleepsOverNothingThatCameInBetween) {
  Listener node;
  BusyClock clock;
  NodeRunner({&node}, clock, [&] { return node.told = true; }).run();
  EXPECT_EQ(clock.waits, 0) << "what was said in between is heard before the next wait";
}

}  // namespace
}  // namespace trestle::timing::lockstep_runner_test
