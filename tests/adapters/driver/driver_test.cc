#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "adapters/driver/driver_process.h"
#include "adapters/plugin/monotonic_ns.h"
#include "core/base/file_descriptor.h"
#include "core/base/setting_error.h"
#include "tests/adapters/driver/stubborn_driver.h"

namespace trestle::driver::driver_test {
namespace {

DriverSettings misbehaving(const std::string& settings) {
  DriverSettings made;
  made.file = std::string(TRESTLE_TEST_PLUGINS) + "/misbehaving.so";
  made.settings = settings;
  made.folder =
      ::testing::TempDir() + "trestle-driver-misbehaving-" + std::to_string(getpid());
  return made;
}

std::unique_ptr<plugin::PluginRig> simulated(const std::string& settings, bool driver) {
  const DriverSettings made = misbehaving(settings);
  plugin::PluginRigSettings here;
  here.file = made.file;
  here.settings = settings;
  auto clock = std::make_unique<TickClock>();
  auto rig =
      driver ? std::make_unique<plugin::PluginRig>(
                   here, std::make_unique<DriverProxy>(made, "a"), std::move(clock), "a")
             : std::make_unique<plugin::PluginRig>(here, std::move(clock), "a");
  rig->prepare({1e-3, 1});
  return rig;
}

std::vector<std::uint64_t> bits_of(plugin::PluginRig& rig, int from, int to) {
  std::vector<std::uint64_t> bits;
  Measurement sensed = Measurement::zero(1);
  for (int n = from; n < to; ++n) {
    EXPECT_EQ(rig.read(TimePoint{std::chrono::milliseconds(n)}, sensed),
              AdapterStatus::kOk);
    bits.push_back(std::bit_cast<std::uint64_t>(sensed.displacement[0]));
    bits.push_back(std::bit_cast<std::uint64_t>(sensed.force[0]));
    bits.push_back(std::bit_cast<std::uint64_t>(rig.auxiliary_channels()[0]));
    EXPECT_EQ(rig.write(ActuatorVector::Constant(1, 1e-4 / 3.0 * n)), AdapterStatus::kOk);
  }
  return bits;
}

TEST(Driver, PassesValuesAndStateBitForBit) {
  const auto here = simulated("stiffness: 1.7 kN/mm\n", false);
  const auto behind = simulated("stiffness: 1.7 kN/mm\n", true);
  EXPECT_EQ(behind->description().extra, here->description().extra);
  EXPECT_EQ(bits_of(*behind, 0, 40), bits_of(*here, 0, 40));
  SnapshotWriter kept;
  behind->save(kept);
  bits_of(*behind, 40, 45);
  SnapshotReader back(kept.values());
  behind->restore(back);
  EXPECT_EQ(bits_of(*behind, 40, 60), bits_of(*here, 40, 60));
}

// A laboratory's binary is not built again for each of our releases.
TEST(Driver, RunsAPluginOfTheFirstRelease) {
  DriverSettings made = misbehaving("");
  made.file = std::string(TRESTLE_TEST_PLUGINS) + "/first_release.so";
  made.folder += "-first";
  plugin::PluginRigSettings here;
  here.file = made.file;
  plugin::PluginRig rig(here, std::make_unique<DriverProxy>(made, "a"),
                        std::make_unique<TickClock>(), "a");
  const RigDescription is = rig.description();
  ASSERT_EQ(is.actuators.size(), 1U);
  EXPECT_EQ(is.actuators[0].name, "old jack");
  EXPECT_EQ(is.inputs, 0);
  EXPECT_TRUE(is.outputs.empty());
  rig.prepare({1e-3, 1});
  Measurement sensed = Measurement::zero(1);
  for (int n = 0; n < 10; ++n) {
    ASSERT_EQ(rig.read(TimePoint{std::chrono::milliseconds(n)}, sensed), AdapterStatus::kOk)
        << rig.diagnostic_message();
    EXPECT_DOUBLE_EQ(sensed.displacement[0], 1e-4 * n);
    EXPECT_DOUBLE_EQ(sensed.force[0], 200.0 * n);
    ASSERT_EQ(rig.write(ActuatorVector::Constant(1, 1e-4 * (n + 1))), AdapterStatus::kOk);
  }
}

std::vector<double> channels_of(const plugin::PluginRig& rig) {
  return {rig.auxiliary_channels().begin(), rig.auxiliary_channels().end()};
}

TEST(Driver, PassesDigitalInputsAndThatOneIsLost) {
  const auto behind = simulated("contacts: 1\nat: 3\nfault: loses_input\n", true);
  EXPECT_EQ(behind->description().inputs, 2);
  EXPECT_EQ(behind->description().outputs, (std::vector<std::string>{"ready", "running"}));
  bits_of(*behind, 0, 2);
  EXPECT_EQ(channels_of(*behind), (std::vector<double>{40.0, 1.0, 1.0}));
  bits_of(*behind, 2, 3);
  ASSERT_EQ(channels_of(*behind).size(), 3U);
  EXPECT_TRUE(std::isnan(channels_of(*behind)[1]));
  EXPECT_EQ(channels_of(*behind)[2], 1.0);
}

TEST(Driver, SetsOutputsThoughNobodyTicksAndOpensThemWhereThePageIsCorrupted) {
  const DriverSettings made = misbehaving("contacts: 1\nat: 1\nfault: trips\n");
  auto proxy = std::make_unique<DriverProxy>(made, "a");
  DriverPage& page = proxy->page();
  plugin::PluginRigSettings here;
  here.file = made.file;
  plugin::PluginRig rig(here, std::move(proxy), std::make_unique<TickClock>(), "a");
  rig.prepare({1e-3, 1});
  // The plug-in says them when it trips.
  const auto told = [&](const std::string& outputs) {
    return eventually([&] {
      Measurement sensed = Measurement::zero(1);
      rig.read(TimePoint{}, sensed);
      return rig.diagnostic_message().find("with outputs " + outputs) != std::string::npos;
    });
  };
  EXPECT_TRUE(told("0")) << rig.diagnostic_message();
  rig.set_outputs(2);
  EXPECT_TRUE(told("2")) << rig.diagnostic_message();
  page.outputs.store(3);
  page.outputs_asked.fetch_add(1);
  EXPECT_TRUE(told("0")) << rig.diagnostic_message();
}

/// A process that writes over the state on the page, as long as this exists.
class StateOverwriter {
 public:
  explicit StateOverwriter(DriverPage& page) : process_(fork()) {
    if (process_ == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (process_ == 0) static_cast<volatile double&>(page.state[0]) = kWrong;
  }
  ~StateOverwriter() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  StateOverwriter(const StateOverwriter&) = delete;
  StateOverwriter& operator=(const StateOverwriter&) = delete;

  static constexpr double kWrong = 4711.0;

 private:
  pid_t process_;
};

/// The record of a simulated rig would keep it, and a resumed test begin with it.
TEST(Driver, TakesNoStateThatWasOverwritten) {
  const DriverSettings made = misbehaving("");
  auto proxy = std::make_unique<DriverProxy>(made, "a");
  DriverPage& page = proxy->page();
  plugin::PluginRigSettings here;
  here.file = made.file;
  plugin::PluginRig rig(here, std::move(proxy), std::make_unique<TickClock>(), "a");
  rig.prepare({1e-3, 1});
  SnapshotWriter right;
  rig.save(right);
  SnapshotWriter kept;
  {
    const StateOverwriter overwriter(page);
    EXPECT_TRUE(eventually([&] {
      kept.clear();
      rig.save(kept);
      return kept.values() != right.values();
    }));
  }
  EXPECT_EQ(kept.values(), std::vector<double>{0.0}) << "it was taken";
  Measurement sensed = Measurement::zero(1);
  EXPECT_EQ(rig.write(ActuatorVector::Zero(1)), AdapterStatus::kTripped);
  EXPECT_EQ(rig.read(TimePoint{}, sensed), AdapterStatus::kTripped);
  EXPECT_NE(rig.diagnostic_message().find("returned a corrupted page from save()"),
            std::string::npos)
      << rig.diagnostic_message();
  rig.prepare({1e-3, 1});
  EXPECT_EQ(rig.read(TimePoint{}, sensed), AdapterStatus::kOk) << rig.diagnostic_message();
}

/// The record would have a step without a state, and nobody would know before the resume.
TEST(Driver, TellsOfAStateThatItDidNotGetInTime) {
  const DriverSettings made = misbehaving("");
  auto proxy = std::make_unique<DriverProxy>(made, "a");
  const pid_t driver = proxy->driver();
  plugin::PluginRigSettings here;
  here.file = made.file;
  plugin::PluginRig rig(here, std::move(proxy), std::make_unique<TickClock>(), "a");
  rig.prepare({1e-3, 1});
  Measurement sensed = Measurement::zero(1);
  kill(driver, SIGSTOP);
  int how = 0;
  ASSERT_EQ(waitpid(driver, &how, WUNTRACED), driver);
  SnapshotWriter kept;
  rig.save(kept);
  EXPECT_EQ(kept.values(), std::vector<double>{0.0});
  kill(driver, SIGCONT);
  EXPECT_EQ(rig.read(TimePoint{}, sensed), AdapterStatus::kTripped);
  EXPECT_NE(rig.diagnostic_message().find("has not returned from save() for"),
            std::string::npos)
      << rig.diagnostic_message();
  EXPECT_NE(rig.diagnostic_message().find("The record has no state of the rig"),
            std::string::npos)
      << rig.diagnostic_message();
  EXPECT_TRUE(eventually([&] {
    return rig.read(TimePoint{}, sensed) == AdapterStatus::kOk;
  })) << rig.diagnostic_message();
  SnapshotWriter again;
  rig.save(again);
  EXPECT_GT(again.values().size(), 1u);
}

TEST(Driver, TellsTheFaultsOfAPlugin) {
  for (const auto& [fault, words] :
       {std::pair{"trips", "tripped in read(): oil is too hot after 5 ticks"},
        {"write_trips", "tripped in write(): oil is too hot after 5 ticks"},
        {"nan", "left entry 1 of `force` without a finite number"},
        {"two_actuators", "wrote beyond the end of the array `displacement`"},
        {"future", "says that it measured 5.000 ms after now"},
        {"nonsense", "returned 42, which means nothing"},
        {"throws", "ended by signal 6"}}) {
    const auto rig = simulated("at: 5\nfault: " + std::string(fault) + "\n", true);
    Measurement sensed = Measurement::zero(1);
    int well = 0;
    while (well < 10 &&
           rig->read(TimePoint{std::chrono::milliseconds(well)}, sensed) ==
               AdapterStatus::kOk &&
           rig->write(ActuatorVector::Zero(1)) == AdapterStatus::kOk)
      ++well;
    EXPECT_EQ(well, 4) << fault;
    EXPECT_NE(rig->diagnostic_message().find(words), std::string::npos)
        << rig->diagnostic_message();
  }
}

std::string refusal(const DriverSettings& settings) {
  try {
    const DriverProxy proxy(settings, "a");
  } catch (const SettingError& error) {
    return error.problems().front().path + ": " + error.problems().front().what;
  }
  return {};
}

TEST(Driver, TellsWhyAPluginIsNotOpened) {
  EXPECT_EQ(refusal(misbehaving("gain: 3\n")),
            "a.settings.gain: gain is no setting that this plug-in knows");
  EXPECT_EQ(refusal(misbehaving("fault: open\n")),
            "a.settings: the plug-in misbehaving.so refuses to open: the valve is shut");
  DriverSettings missing = misbehaving("");
  missing.file = "/no/such/plugin.so";
  EXPECT_EQ(refusal(missing),
            "a: there is no file /no/such/plugin.so; give the path of the plug-in's shared "
            "object");
}

TEST(Driver, EndsWithItsSite) {
  StubbornDriver lab("ends");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  const pid_t driver = lab.driver();
  lab.close();
  EXPECT_TRUE(has_ended(driver));
  EXPECT_GT(lab.last("stop"), lab.last("hold"));
  EXPECT_GT(lab.last("hold"), lab.last("drive"));
}

TEST(Driver, EndsInOrderBySigterm) {
  StubbornDriver lab("sigterm");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  kill(lab.driver(), SIGINT);  // a terminal's: meant for the site
  kill(lab.driver(), SIGHUP);
  ASSERT_TRUE(lab.tick(0.002)) << lab.why();
  kill(lab.driver(), SIGTERM);
  EXPECT_TRUE(eventually([&] { return lab.last("stop") > lab.last("drive 0.002"); }));
  EXPECT_FALSE(lab.tick(0.003));
  EXPECT_NE(lab.why().find("ended"), std::string::npos) << lab.why();
  EXPECT_FALSE(lab.rig().responds());
}

/// A site in a process that is killed after one drive. @returns the number of its driver
pid_t driver_of_killed_site(StubbornDriver& lab) {
  int pipe_ends[2];
  EXPECT_EQ(pipe(pipe_ends), 0);
  const pid_t site = fork();
  if (site == 0) {
    lab.open();
    pid_t driver = lab.tick(0.001) ? lab.driver() : 0;
    lab.proxy().page().watchdog_ns = 0;  // the end of the site, not its silence
    [[maybe_unused]] auto sent = write(pipe_ends[1], &driver, sizeof driver);
    while (true) pause();
  }
  pid_t driver = 0;
  EXPECT_EQ(read(pipe_ends[0], &driver, sizeof driver), ssize_t{sizeof driver});
  kill(site, SIGKILL);
  EXPECT_TRUE(eventually([site] { return has_ended(site); }));
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return driver;
}

TEST(Driver, HoldsWhenItsSiteIsKilledAndServesTheNextOne) {
  StubbornDriver lab("killed-site");
  const pid_t driver = driver_of_killed_site(lab);
  ASSERT_GT(driver, 0);
  EXPECT_TRUE(eventually([&] { return lab.last("hold") > lab.last("drive 0.001"); }));
  lab.open();
  EXPECT_EQ(lab.driver(), driver);
  EXPECT_EQ(lab.last("stop"), -1) << "the rig was given up";
  Measurement sensed = Measurement::zero(1);
  EXPECT_EQ(lab.rig().read(TimePoint{}, sensed), AdapterStatus::kOk) << lab.why();
  EXPECT_EQ(sensed.displacement[0], 0.001);
  EXPECT_TRUE(lab.tick(0.0015)) << lab.why();
  lab.close();
  EXPECT_TRUE(eventually([driver] { return has_ended(driver); }));
}

TEST(Driver, StaysAsItIsWhereASiteOnlyLooksAtIt) {
  StubbornDriver lab("looked-at");
  const pid_t driver = driver_of_killed_site(lab);
  {
    plugin::PluginRigSettings of_rig;
    of_rig.file = lab.settings.file;
    const plugin::PluginRig looked(of_rig, std::make_unique<DriverProxy>(lab.settings, "a"),
                                   std::make_unique<TickClock>(), "a");
    EXPECT_TRUE(looked.description().real_equipment);
  }
  EXPECT_EQ(lab.last("stop"), -1);
  lab.open();
  EXPECT_EQ(lab.driver(), driver);
}

TEST(Driver, IsReplacedWhereTheSiteWantsOtherSettings) {
  StubbornDriver lab("replaced");
  const pid_t driver = driver_of_killed_site(lab);
  lab.settings.settings += "stiffness: 2 kN/mm\n";
  lab.open();
  EXPECT_NE(lab.driver(), driver);
  EXPECT_TRUE(eventually([driver] { return has_ended(driver); }));
  EXPECT_GT(lab.last("stop"), lab.last("drive"));
  EXPECT_TRUE(lab.tick(0.001)) << lab.why();
}

/// The only child of a process.
pid_t child_of(pid_t process) {
  const std::string number = std::to_string(process);
  std::ifstream children("/proc/" + number + "/task/" + number + "/children");
  pid_t child = 0;
  children >> child;
  return child;
}

/// It would keep the rig's folder, and whatever open() took, from every other one.
TEST(Driver, EndsBySigtermThoughItsPluginDoesNotComeBackFromOpen) {
  StubbornDriver lab("opening");
  lab.stick("open");
  const pid_t site = fork();
  if (site == 0) {
    lab.open();
    std::_Exit(0);
  }
  ASSERT_TRUE(eventually([&] { return lab.last("hangs") >= 0; }));
  const pid_t driver = child_of(site);
  ASSERT_GT(driver, 0);
  kill(site, SIGKILL);
  EXPECT_TRUE(eventually([site] { return has_ended(site); }));
  kill(driver, SIGTERM);
  EXPECT_TRUE(eventually([driver] { return has_ended(driver); }));
  EXPECT_EQ(lab.last("back"), -1) << "open() has returned";
  lab.stick("");
  lab.open();
  EXPECT_TRUE(lab.tick(0.001)) << lab.why();
}

/// A log that takes nothing more: a named pipe that nobody reads.
class FullLog {
 public:
  explicit FullLog(const std::string& path) {
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    both_ = FileDescriptor(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
    const std::string page(4096, '.');
    while (::write(both_.number(), page.data(), page.size()) > 0) {
    }
  }

 private:
  FileDescriptor both_;
};

/// Its last lines say why the rig was held.
TEST(Driver, GivesItsLogASecondBeforeItEnds) {
  StubbornDriver lab("log");
  std::filesystem::create_directories(lab.settings.folder);
  const FullLog log(lab.settings.folder + "/driver.log");
  lab.open();
  ASSERT_TRUE(lab.tick(0.001)) << lab.why();
  lab.stick("read");
  EXPECT_FALSE(lab.tick(0.002)) << "the driver has a line to write: a call is late";
  ASSERT_TRUE(eventually([&] { return lab.last("hangs") >= 0; }));
  // Of the site and of the driver itself, which then tells of it.
  EXPECT_TRUE(eventually([&] {
    const std::vector<std::string> all = lab.log();
    return std::count(all.begin() + lab.last("hangs"), all.end(), "hold 0") >= 2;
  }));
  lab.stick("");
  EXPECT_TRUE(eventually([&] { return lab.tick(0.0015); })) << lab.why();
  const pid_t driver = lab.driver();
  const std::int64_t begun = plugin::monotonic_ns();
  lab.close();
  EXPECT_TRUE(eventually([driver] { return has_ended(driver); }));
  EXPECT_GE(plugin::monotonic_ns() - begun, 900'000'000) << "its lines were lost";
}

TEST(Driver, ServesOneSiteAtATime) {
  StubbornDriver lab("busy");
  lab.open();
  try {
    const DriverProxy second(lab.settings, "a");
    FAIL() << "two sites drive one rig";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(
        std::string(error.what())
            .find("is driven already: its driver (process " + std::to_string(lab.driver()) +
                  ") serves process " + std::to_string(getpid())),
        std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(lab.tick(0.001)) << lab.why();
}

TEST(Driver, IsEndedByAProcessThatTakesTheRigOver) {
  StubbornDriver lab("orphan");
  EXPECT_FALSE(end_orphan(lab.settings));
  const pid_t driver = driver_of_killed_site(lab);
  EXPECT_TRUE(end_orphan(lab.settings));
  EXPECT_TRUE(eventually([driver] { return has_ended(driver); }));
  EXPECT_GT(lab.last("stop"), lab.last("drive"));
}

}  // namespace
}  // namespace trestle::driver::driver_test
