#include "observe/live/live_line.h"

#include <gtest/gtest.h>

#include <cmath>

#include "observe/live/screen_text.h"

namespace trestle::live::live_line_test {
namespace {

TestView running() {
  TestView view;
  view.node = "integrator";
  view.served = true;
  view.status.state = "RUNNING";
  view.steps_done = 1799;
  view.steps_planned = 4118;
  view.time_step = 0.01;
  view.rate = 10.4;
  view.left = RemainingEstimate{38 * 60.0, 4 * 60.0};
  ActuatorView actuator;
  actuator.site = "west";
  actuator.name = "1";
  actuator.delay = 0.0004;
  actuator.error = 0.011;
  actuator.used[static_cast<std::size_t>(LimitKind::kForce)] = {178e3, 250e3};
  view.actuators = {actuator};
  return view;
}

const LiveLineNotes kNotes{.folder = "runs/x", .wait = "", .margin_s = NAN};

TEST(LiveLine, SaysMoreOnAWiderTerminal) {
  const TestView view = running();
  EXPECT_EQ(live_line(view, kNotes, 40), "RUNNING 43 %  17.99 of 41.18 s");
  EXPECT_EQ(live_line(view, kNotes, 80),
            "RUNNING 43 %  17.99 of 41.18 s  west 1 force 71 % (178.0 of 250.0 kN)");
  EXPECT_EQ(live_line(view, kNotes, 200),
            "RUNNING 43 %  17.99 of 41.18 s  west 1 force 71 % (178.0 of 250.0 kN)  38 min "
            "+- 4 left  10.4 steps/s  west 1 0.4 ms late, 1.1 % error  step 1799");
}

TEST(LiveLine, IsNeverWiderThanTheTerminal) {
  TestView view = running();
  for (const char* state : {"RUNNING", "HOLDING", "FAULT"})
    for (std::size_t width = 1; width < 200; ++width) {
      view.status.state = state;
      view.status.reason =
          std::string(state) == "RUNNING" ? "" : "look at the grips of east";
      EXPECT_LE(display_width(live_line(view, kNotes, width)), width);
    }
}

TEST(LiveLine, AHeldTestEndsWithTheCommandThatHelps) {
  TestView view = running();
  view.status.state = "HOLDING";
  view.status.reason = "held by ada@lab: look at the grips of east";
  view.stands_still = 12.0;
  EXPECT_EQ(
      live_line(view, kNotes, 200),
      "HOLDING by ada@lab: look at the grips of east  since 12 s  trestle resume runs/x");
  EXPECT_EQ(live_line(view, kNotes, 60),
            "HOLDING by ada@lab: lo...  since 12 s  trestle resume runs/x");
  view.status.reason = "site east is silent";
  EXPECT_EQ(live_line(view, kNotes, 200),
            "HOLDING: site east is silent  since 12 s  trestle resume runs/x");
  view.status.reason = "east refuses. A resume sends the same target again: stop it";
  EXPECT_NE(live_line(view, kNotes, 200).find("trestle stop runs/x"), std::string::npos)
      << "a resume meets the same target";
}

TEST(LiveLine, AFaultIsClearedAtTheSite) {
  TestView view = running();
  view.status.state = "FAULT";
  view.status.reason = "force of actuator 1";
  view.stands_still = 3.0;
  EXPECT_EQ(live_line(view, kNotes, 200),
            "FAULT: force of actuator 1  since 3.0 s  trestle why runs/x");
  view.node = "west";
  EXPECT_EQ(live_line(view, kNotes, 200),
            "FAULT: force of actuator 1  since 3.0 s  trestle clear runs/x");
}

TEST(LiveLine, SaysForWhomATestWaits) {
  TestView view = running();
  view.stands_still = 3.0;
  LiveLineNotes notes = kNotes;
  notes.wait = "site east (tcp://lab:7001)";
  EXPECT_EQ(live_line(view, notes, 80),
            "WAITING  for site east (tcp://lab:7001), since 3.0 s  17.99 of 41.18 s");
}

}  // namespace
}  // namespace trestle::live::live_line_test
