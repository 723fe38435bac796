// A site whose plug-in does not come back: by what the plug-in's own log says, and by what
// people are told.
#include <csignal>
#include <filesystem>
#include <sstream>

#include "tests/cli/operator_lab.h"

namespace trestle::cli {
namespace {

const char* const kStubbornTest = R"(test: one storey
mode: pseudo-dynamic
clock: wall
time_step: 1/128 s
excitation: {record: synthetic, scale: 4, synthetic: {duration: 3600 s}}
pseudo_dynamic: {rate: 5 mm/s, settle: 10 ms, average: 4 ms}
deadlines: {heartbeat: 100 ms, watchdog: 20 s, step: 3 s, hold: 600 s}
numerical:
  shear_building:
    storeys: {ground: {mass: 20 t}}
    damping: {modal: {ratio: 2 %}}
  integrator: explicit-newmark
sites:
  lab:
    interface: [ground.x]
    control_tick: 1/1024 s
    limits: {actuators: [{displacement: 100 mm, rate: 100 mm/s, force: 300 kN}]}
    rig: {specimen: {kind: linear, stiffness: [[1e6]]}}
)";

class StalledRig : public OperatorLab {
 protected:
  /// @param device  what makes the rig this one, in one of its spellings
  std::string site_file(const std::string& device, const std::string& listen) const {
    return "site: lab\nlisten: " + listen +
           "\nloading_frame: identity\n"
           "limits: {actuators: [{displacement: 100 mm, rate: 100 mm/s, force: 300 "
           "kN}]}\n"
           "adapter: {kind: plugin, file: " +
           std::string(TRESTLE_TEST_PLUGINS) +
           "/stubborn.so, isolation: none, overruns: 1000000, settings: {device: " +
           device + ", log: " + path("log") + ", stick: " + path("stick") + "}}\n";
  }
  void begin() {
    write("site.yaml", site_file(path("rig"), socket("lab")));
    write("test.yaml", std::string(kStubbornTest) + "    address: " + socket("lab") + "\n");
    lab = std::make_unique<Program>(Words{"site", "site.yaml", "--out", "lab-records",
                                          "--set", "control_thread={overrun: 60 s}"},
                                    folder());
    integrator =
        std::make_unique<Program>(Words{"run", "test.yaml", "--out", "run"}, folder());
    ASSERT_TRUE(integrator->says("trestle arm")) << integrator->err() << lab->heard();
    tell({"arm", "run"});
    until("run", "RUNNING", 3);
  }
  Words calls() const {
    std::istringstream log(read("log"));
    Words lines;
    for (std::string line; std::getline(log, line);) lines.push_back(line);
    return lines;
  }
  /// Until the plug-in's log has this behind line `from`. @returns its place
  std::size_t called(const std::string& what, std::size_t from) const {
    for (int n = 0; n < 100'000; ++n) {
      const Words lines = calls();
      for (std::size_t i = from; i < lines.size(); ++i)
        if (lines[i].starts_with(what)) return i;
      trestle({"status", "lab-records"});  // takes a moment
    }
    ADD_FAILURE() << "it never says " << what;
    return 0;
  }

  std::unique_ptr<Program> lab;
  std::unique_ptr<Program> integrator;
};

TEST_F(StalledRig, IsDrivenByOneServerWhateverStateFolderAnotherHas) {
  write("site.yaml", site_file(path("rig"), socket("lab")));
  write("other.yaml", site_file(path("folder/../rig"), socket("other")));
  lab = std::make_unique<Program>(Words{"site", "site.yaml", "--out", "lab-records"},
                                  folder());
  ASSERT_TRUE(lab->says("listens at")) << lab->heard();
  Program second(
      {"site", "other.yaml", "--out", "other-records"}, folder(),
      [state = path("another state")] { setenv("TRESTLE_STATE", state.c_str(), 1); });
  if (second.says("listens at")) second.signal(SIGKILL);
  EXPECT_EQ(second.exit_code(), 2);
  EXPECT_TRUE(
      holds(second.err(), "is driven already: by process " + std::to_string(lab->pid())))
      << second.err();
  EXPECT_TRUE(holds(second.err(), "end that one first")) << second.err();
  lab->signal(SIGKILL);
  lab->exit_code();
  Program third(
      {"site", "other.yaml", "--out", "other-records"}, folder(),
      [state = path("another state")] { setenv("TRESTLE_STATE", state.c_str(), 1); });
  EXPECT_TRUE(third.says("listens at")) << "a name dies with its process";
  third.signal(SIGTERM);
  EXPECT_EQ(third.exit_code(), 0);
}

// Row 8 from the first moment on: no signal leaves a rig that is being opened.
TEST_F(StalledRig, IsLeftByNoSignalWhileItIsOpened) {
  for (const int number : {SIGQUIT, SIGXCPU, SIGUSR1, SIGALRM, SIGTERM, SIGHUP, SIGINT}) {
    SCOPED_TRACE(number);
    std::filesystem::remove_all(path("lab-records"));
    write("log", "");
    write("site.yaml", site_file(path("rig"), socket("lab")));
    write("stick", "open");
    lab = std::make_unique<Program>(Words{"site", "site.yaml", "--out", "lab-records"},
                                    folder());
    called("hangs", 0);
    lab->signal(SIGTSTP);
    lab->signal(number);
    std::filesystem::remove(path("stick"));
    EXPECT_EQ(lab->exit_code(), 0) << lab->err();
    EXPECT_TRUE(holds(lab->err(), "site lab ends")) << lab->err();
    EXPECT_EQ(calls().back(), "back 0") << "nothing has moved it, and nothing does";
  }
}

TEST_F(StalledRig, IsGivenUpByWhoAsksAgainWhileItIsOpened) {
  write("log", "");
  write("site.yaml", site_file(path("rig"), socket("lab")));
  write("stick", "open");
  lab = std::make_unique<Program>(Words{"site", "site.yaml", "--out", "lab-records"},
                                  folder());
  called("hangs", 0);
  lab->signal(SIGINT);
  const char* const words = "asked again to end while a rig is being opened";
  for (int n = 0; n < 5'000 && !holds(lab->heard(), words); ++n) lab->signal(SIGINT);
  EXPECT_EQ(lab->exit_code(), 3) << lab->err();
  EXPECT_TRUE(holds(lab->err(), "nothing confirms that the rig holds")) << lab->err();
}

TEST_F(StalledRig, IsNotClearedWhileTheCauseOfItsFaultPersists) {
  begin();
  write("stick", "trip");
  until("lab-records", "FAULT");
  for (int n = 0; n < 2; ++n) {
    const std::string why = refusal({"clear", "lab-records"});
    EXPECT_TRUE(holds(why, "the emergency stop is open")) << why;
    EXPECT_TRUE(holds(why, "then clear again")) << why;
    until("lab-records", "FAULT");
  }
  std::filesystem::remove(path("stick"));
  tell({"clear", "lab-records"});
  until("lab-records", "HOLDING");
  const std::int64_t step = until("run", "HOLDING").at("step").get<std::int64_t>();
  tell({"resume", "run"});
  until("run", "RUNNING", step + 2);
  tell({"stop", "run"});
  EXPECT_EQ(integrator->exit_code(), 3);
}

TEST_F(StalledRig, IsAskedToHoldByAnotherThreadAndMovesNoMore) {
  for (const char* in : {"read", "write"}) {
    SCOPED_TRACE(in);
    for (const char* left : {"log", "stick", "run", "lab-records"})
      std::filesystem::remove_all(path(left));
    ASSERT_NO_FATAL_FAILURE(begin());
    write("stick", in);
    const std::size_t hangs = called("hangs", 0);
    const std::size_t hold = called("hold", hangs);
    EXPECT_EQ(hold, hangs + 1);
    const Json site = until("lab-records", "FAULT");
    EXPECT_EQ(site.at("rig"), "asked to hold");
    EXPECT_TRUE(holds(why("lab-records"), "did not come back")) << why("lab-records");
    until("run", "HOLDING");
    until_why("run", "did not come back");
    Json test = until("run", "HOLDING");
    EXPECT_EQ(test.at("peers").at(0).at("state"), "FAULT") << "not what it was once";
    EXPECT_EQ(test.at("peers").at(0).at("rig"), "asked to hold");
    EXPECT_FALSE(refusal({"clear", "lab-records"}).empty());
    std::filesystem::remove(path("stick"));
    const std::size_t back = called("back", hold);
    for (int n = 0; n < 1000 && until("lab-records", "FAULT").at("rig") != "holds" &&
                    trestle({"clear", "lab-records"}).code != 0;
         ++n) {
    }
    until("lab-records", "HOLDING");
    const Words lines = calls();
    for (std::size_t i = hold; i < lines.size(); ++i)
      EXPECT_FALSE(lines[i].starts_with("drive"))
          << i << " of " << back << ": " << lines[i];
    tell({"resume", "run"});
    until("run", "RUNNING", test.at("step").get<std::int64_t>() + 2);
    tell({"stop", "run"});
    EXPECT_EQ(integrator->exit_code(), 3);
    lab->signal(SIGTERM);
    EXPECT_EQ(lab->exit_code(), 0) << lab->err();
  }
}

TEST_F(StalledRig, KeepsNoProcessFromEnding) {
  ASSERT_NO_FATAL_FAILURE(begin());
  write("stick", "write");
  called("hold", called("hangs", 0));
  until("lab-records", "FAULT");
  lab->signal(SIGTERM);
  EXPECT_EQ(lab->exit_code(), 3) << lab->err();
  EXPECT_TRUE(holds(lab->err(), "does not come back; the rig was asked to hold"))
      << lab->err();
}

}  // namespace
}  // namespace trestle::cli
