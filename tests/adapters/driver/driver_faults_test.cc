#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>

#include "adapters/driver/futex.h"
#include "adapters/plugin/monotonic_ns.h"
#include "tests/adapters/driver/stubborn_driver.h"

namespace trestle::driver::driver_test {
namespace {

void expect_words(const StubbornDriver& lab, const std::string& pattern) {
  EXPECT_TRUE(std::regex_search(lab.why(), std::regex(pattern))) << lab.why();
}

/// That no drive reached the plug-in after its last hold.
void expect_held(const StubbornDriver& lab) {
  EXPECT_TRUE(eventually([&] { return lab.last("hold") > lab.last("drive"); }));
}

/// Stops a child of this process, and waits until it has stopped.
void stop(pid_t driver) {
  kill(driver, SIGSTOP);
  int how = 0;
  EXPECT_EQ(waitpid(driver, &how, WUNTRACED), driver);
  EXPECT_TRUE(WIFSTOPPED(how));
}

/// Kills a child of this process, and waits until it has ended; it can still be asked how.
void end_by_force(pid_t driver) {
  kill(driver, SIGKILL);
  siginfo_t how{};
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(driver), &how, WEXITED | WNOWAIT), 0);
}

TEST(DriverFaults, ADriverThatIsKilledIsAFaultOfTheTick) {
  StubbornDriver lab("killed");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  end_by_force(lab.driver());
  EXPECT_FALSE(lab.tick(0.002));
  expect_words(lab,
               "trestle-driver \\(process [0-9]+, of process [0-9]+\\) ended by signal 9");
  EXPECT_FALSE(lab.rig().responds());
  EXPECT_FALSE(lab.tick(0.002)) << "it has risen from the dead";
}

TEST(DriverFaults, ADriverThatIsStoppedPassesOnNoOldDrive) {
  StubbornDriver lab("stopped");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  Measurement sensed = Measurement::zero(1);
  ASSERT_EQ(lab.rig().read(TimePoint{std::chrono::seconds(1)}, sensed), AdapterStatus::kOk);
  stop(lab.driver());
  const std::int64_t begun = plugin::monotonic_ns();
  EXPECT_EQ(lab.rig().write(ActuatorVector::Constant(1, 0.002)), AdapterStatus::kTripped);
  EXPECT_GE(plugin::monotonic_ns() - begun, 190'000'000) << "10 ticks are allowed";
  expect_words(lab, "has not returned from write\\(\\) for [0-9]+ ms; asked it to hold");
  EXPECT_FALSE(lab.rig().responds());
  kill(lab.driver(), SIGCONT);
  expect_held(lab);
  EXPECT_TRUE(eventually([&] { return lab.tick(0.0015); })) << lab.why();
  EXPECT_EQ(lab.last("drive 0.002"), -1) << "an old drive moved the rig";
  EXPECT_TRUE(lab.rig().responds());
}

/// A person cleared the fault: the site takes the rig up again.
void take_up(StubbornDriver& lab) {
  lab.rig().prepare({kTick, 1});
  EXPECT_TRUE(lab.rig().responds());
}

TEST(DriverFaults, ADriverThatWasKilledIsReplacedWhenTheRigIsTakenUp) {
  StubbornDriver lab("replaced");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  const pid_t killed = lab.driver();
  kill(killed, SIGKILL);
  EXPECT_FALSE(lab.tick(0.002));
  take_up(lab);
  EXPECT_NE(lab.driver(), killed);
  EXPECT_TRUE(lab.tick(0.0015)) << lab.why();
  EXPECT_TRUE(has_ended(killed));
}

TEST(DriverFaults, AHungOrStoppedDriverIsEndedBeforeAnotherBegins) {
  StubbornDriver lab("fenced");
  lab.open();
  for (const std::string what : {"read", "write", "hold", "stopped"}) {
    ASSERT_TRUE(lab.tick(0.001)) << lab.why();
    const pid_t old = lab.driver();
    if (what == "stopped") stop(old);
    lab.stick(what);
    lab.rig().hold();
    EXPECT_TRUE(eventually([&] { return !lab.tick(0.002); }));
    // One that hangs in hold() alone still refuses drives; its readings tell of it.
    EXPECT_TRUE(eventually([&] {
      lab.tick(0.002);
      return !lab.rig().responds();
    })) << what;
    if (what != "stopped") stop(old);  // it stays where it is
    lab.stick("");                     // and the next one does not
    take_up(lab);
    EXPECT_NE(lab.driver(), old) << what;
    EXPECT_TRUE(has_ended(old)) << what;
    EXPECT_TRUE(lab.tick(0.0015)) << what << ": " << lab.why();
  }
}

/// It has refused a drive in time, and nobody has read since.
TEST(DriverFaults, ADriverWhoseHoldHangsGetsNoOtherRunThoughItAnswers) {
  StubbornDriver lab("holds");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  const pid_t old = lab.driver();
  lab.stick("hold");
  lab.rig().hold();
  ASSERT_TRUE(eventually([&] { return !lab.tick(0.002); }));
  stop(old);      // it stays where it is
  lab.stick("");  // and the next one does not
  take_up(lab);
  EXPECT_NE(lab.driver(), old);
  EXPECT_TRUE(has_ended(old));
  EXPECT_TRUE(lab.tick(0.0015)) << lab.why();
}

/// `clear`, another test and the end of the program must not wait a minute for it.
TEST(DriverFaults, AHoldGivesUpADriverThatDoesNotStart) {
  StubbornDriver lab("start");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  end_by_force(lab.driver());
  EXPECT_FALSE(lab.tick(0.002));
  lab.stick("open");
  std::string why;
  std::atomic<bool> ended{false};
  std::thread site([&] {
    try {
      lab.rig().prepare({kTick, 1});
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
    ended = true;
  });
  EXPECT_TRUE(eventually([&] { return lab.last("hangs") >= 0; }));
  EXPECT_FALSE(ended);
  EXPECT_TRUE(eventually([&] {
    lab.rig().hold();
    return ended.load();
  }));
  lab.stick("");
  site.join();
  EXPECT_TRUE(std::regex_search(why, std::regex("had not opened its rig when a hold gave")))
      << why;
  EXPECT_EQ(lab.last("back"), -1) << "it has opened the rig";
  take_up(lab);
  EXPECT_TRUE(lab.tick(0.0015)) << lab.why();
}

TEST(DriverFaults, ADriverThatCannotBeReplacedIsTold) {
  StubbornDriver lab("gone");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  kill(lab.driver(), SIGKILL);
  EXPECT_FALSE(lab.tick(0.002));
  std::filesystem::rename(lab.settings.folder, lab.settings.folder + ".gone");
  std::ofstream(lab.settings.folder) << "a file where the folder was";
  try {
    lab.rig().prepare({kTick, 1});
    ADD_FAILURE() << "a driver without a folder";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("is not ready for a run"), std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(lab.tick(0.002)) << "nobody drives it";
  std::filesystem::remove(lab.settings.folder);
  take_up(lab);
  EXPECT_TRUE(lab.tick(0.0015)) << lab.why();
}

TEST(DriverFaults, APluginThatLeaksGetsNoMoreMemoryAndIsAFault) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more memory than a driver has";
#endif
  StubbornDriver lab("leak");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  lab.stick("leak");
  EXPECT_FALSE(lab.tick(0.002));
  expect_words(lab, "tripped in read\\(\\): no memory is left");
}

TEST(DriverFaults, APluginStartsNoProcess) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs another process for its report";
#endif
  StubbornDriver lab("process");
  lab.open();
  lab.stick("start");
  EXPECT_FALSE(lab.tick(0.001));
  expect_words(lab, "tripped in read\\(\\): no process can be started");
}

TEST(DriverFaults, APluginHasTheNetworkIfASettingNamesAnAddress) {
  StubbornDriver lab("network");
  lab.open();
  lab.stick("call");
  EXPECT_FALSE(lab.tick(0.001));
  expect_words(lab, "tripped in read\\(\\): no socket can be opened");
  lab.close();
  lab.settings.settings += "device: 127.0.0.1:5000\n";
  lab.open();
  EXPECT_TRUE(lab.tick(0.001)) << lab.why();
}

TEST(DriverFaults, AReadThatHangsIsAFaultOfTheTickAndTheRigHolds) {
  StubbornDriver lab("read");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  lab.stick("read");
  EXPECT_FALSE(lab.tick(0.002));
  expect_words(lab, "has not returned from read\\(\\) for [0-9]+ ms; asked it to hold");
  expect_held(lab);
  EXPECT_FALSE(lab.tick(0.002)) << "it hangs still";
  lab.stick("");
  EXPECT_TRUE(eventually([&] { return lab.tick(0.0015); })) << lab.why();
}

TEST(DriverFaults, AWriteThatHangsMovesNothingWhenItReturnsAfterTheHold) {
  StubbornDriver lab("write");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  lab.stick("write");
  EXPECT_FALSE(lab.tick(0.002));
  expect_words(lab, "has not returned from write\\(\\)");
  expect_held(lab);
  lab.stick("");
  EXPECT_TRUE(eventually([&] { return lab.last("back") >= 0; }));
  EXPECT_TRUE(eventually([&] { return lab.tick(0.0015); })) << lab.why();
  EXPECT_EQ(lab.last("drive 0.002"), -1);
}

TEST(DriverFaults, AHoldThatHangsIsTold) {
  StubbornDriver lab("hold");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  lab.stick("hold");
  lab.rig().hold();
  Measurement sensed = Measurement::zero(1);
  EXPECT_TRUE(eventually([&] {
    return lab.rig().read(TimePoint{std::chrono::seconds(1)}, sensed) != AdapterStatus::kOk;
  }));
  expect_words(lab, "has not returned from hold\\(\\) for [0-9]+ ms");
  EXPECT_FALSE(lab.rig().responds());
  lab.stick("");
  EXPECT_TRUE(eventually([&] { return lab.tick(0.0015); })) << lab.why();
}

TEST(DriverFaults, APageThatIsCorruptIsAFault) {
  StubbornDriver lab("page");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  stop(lab.driver());  // it does not mend its page
  lab.proxy().page().answered = 0x5a5a5a5a;
  EXPECT_FALSE(lab.tick(0.002));
  expect_words(lab, "corrupted page in read\\(\\) \\(sequence 1515870810 of");
  kill(lab.driver(), SIGCONT);
  expect_held(lab);
}

TEST(DriverFaults, APluginThatCrashesHoldsAndIsTold) {
  StubbornDriver lab("abort");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  lab.stick("abort");
  EXPECT_FALSE(lab.tick(0.002));
  expect_words(lab, "ended by signal 6");
  EXPECT_GT(lab.last("hold"), lab.last("drive"));
}

TEST(DriverFaults, APluginThatClosesTheDriversDescriptorsHolds) {
  StubbornDriver lab("close");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  lab.stick("close");
  EXPECT_TRUE(eventually([&] { return !lab.tick(0.001); }));
  expect_words(lab, "ended|has not returned");
  expect_held(lab);
}

/// What the site does in a fault, a person clears it, and the test goes on.
void hold_and_go_on(StubbornDriver& lab, double drive) {
  lab.rig().hold();
  expect_held(lab);
  EXPECT_TRUE(lab.tick(drive)) << lab.why();
  EXPECT_TRUE(lab.tick(drive)) << lab.why();
}

TEST(DriverFaults, ASiteThatWasSilentIsHeldAndMovesNothingBeforeItHasHeldToo) {
  StubbornDriver lab("silent");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  expect_held(lab);
  EXPECT_FALSE(lab.tick(0.0015)) << "it followed the driver's own hold";
  expect_words(lab,
               "its driver has held it by itself: the site was silent for [0-9]+ ms "
               "\\(watchdog 400 ms\\)");
  EXPECT_FALSE(lab.tick(0.0015)) << "it has not held yet";
  expect_words(lab, "the site was silent for [0-9]+ ms");
  EXPECT_EQ(lab.last("drive 0.0015"), -1);
  hold_and_go_on(lab, 0.0012);
}

TEST(DriverFaults, ARunThatIsPreparedKnowsOfTheDriversOwnHold) {
  StubbornDriver lab("silent_before");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  expect_held(lab);
  lab.rig().prepare({kTick, 1});
  EXPECT_TRUE(lab.tick(0.0015)) << lab.why();
}

/// Counters of holds that somebody else has overwritten, in three ways.
class DriverCounters : public testing::TestWithParam<int> {};

TEST_P(DriverCounters, ThatAreOverwrittenLetNoDriveFollow) {
  StubbornDriver lab("counters" + std::to_string(GetParam()));
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  DriverPage& page = lab.proxy().page();
  if (GetParam() != 1) page.holds_done = 4711;
  if (GetParam() != 0) page.holds_asked = 4711;
  EXPECT_TRUE(eventually([&] { return page.holds_done == page.holds_asked; }));
  EXPECT_FALSE(lab.tick(0.0015));
  expect_words(lab, "its driver has held it by itself|a hold overtook the drive");
  EXPECT_EQ(lab.last("drive 0.0015"), -1);
  hold_and_go_on(lab, 0.0012);
}
INSTANTIATE_TEST_SUITE_P(Overwritten, DriverCounters, testing::Values(0, 1, 2));

/// What guards the drives stands on the page, too: the limits and the watchdog.
TEST(DriverFaults, LimitsOrAWatchdogThatAreOverwrittenLetNoDriveFollow) {
  StubbornDriver lab("overwritten");
  lab.open();
  DriverPage& page = lab.proxy().page();
  const auto overwrite_each = {
      std::function<void()>([&] { page.limits.displacement.front() = 1e9; }),
      std::function<void()>([&] { page.limits.rate.front() = 1e9; }),
      std::function<void()>([&] { page.watchdog_ns = 0; })};
  for (const auto& overwrite : overwrite_each) {
    ASSERT_TRUE(lab.tick(0.001)) << lab.why();
    overwrite();
    EXPECT_FALSE(lab.tick(0.0015));
    expect_words(lab, "received a request over a corrupted page");
    EXPECT_EQ(lab.last("drive 0.0015"), -1);
    hold_and_go_on(lab, 0.0012);
    EXPECT_EQ(page.watchdog_ns.load(), 400'000'000);
    EXPECT_EQ(page.limits.displacement.front(), 0.1);
  }
}

/// Somebody may approach a rig that is called released.
TEST(DriverFaults, NoRigIsCalledReleasedThatItsDriverHasNotStopped) {
  StubbornDriver lab("release");
  lab.open();
  EXPECT_TRUE(lab.rig().release());
  lab.close();
  lab.open();
  end_by_force(lab.driver());
  try {
    lab.rig().release();
    ADD_FAILURE() << "released by a driver that has ended";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(std::regex_search(
        error.what(), std::regex("tripped in stop\\(\\): driver .*ended by signal 9.*; the "
                                 "rig is not released, and its pressure may be on")))
        << error.what();
  }
}

TEST(DriverFaults, ADriveBeyondItsLimitsIsNotPassedOn) {
  StubbornDriver lab("limits");
  lab.settings.limits = {{0.004, 0.1}};  // 0.002 m in a tick
  lab.open();
  ASSERT_TRUE(lab.tick(0.0019)) << lab.why();
  EXPECT_FALSE(lab.tick(0.00391));
  expect_words(lab,
               "refuses the drive: rate 100.5 mm/s at actuator [a-z0-9]+ is above its "
               "limit 100 mm/s; reduce the motion, or raise `limits.actuators`");
  hold_and_go_on(lab, 0.0019);
  EXPECT_FALSE(lab.tick(0.00401));
  expect_words(lab,
               "refuses the drive: displacement 4.01 mm at actuator [a-z0-9]+ is above "
               "its limit 4 mm; reduce the motion, or raise `limits.actuators`");
  hold_and_go_on(lab, 0.0019);
  EXPECT_FALSE(lab.tick(std::numeric_limits<double>::quiet_NaN()));
  expect_words(lab, "a number that is not finite at actuator [a-z0-9]+;");
  EXPECT_EQ(lab.last("drive 0.0019"), lab.last("drive")) << "one passed";
  hold_and_go_on(lab, 0.002);
}

}  // namespace
}  // namespace trestle::driver::driver_test
