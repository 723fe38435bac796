#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "core/host/person.h"
#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char* kLong = "excitation.synthetic.duration=40 s";  // slower steps there
#else
constexpr const char* kLong = "excitation.synthetic.duration=240 s";
#endif

class CliStop : public ProgramTestCase {
 protected:
  /// Data lines of an export.
  static std::int64_t steps_in(const std::string& csv) {
    std::int64_t lines = 0;
    for (const char c : csv) lines += c == '\n' ? 1 : 0;
    return lines - 1;
  }
  /// @returns steps done, once it runs and is behind step `after`; -1: it never was
  std::int64_t running(std::int64_t after) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      const Ended ended = trestle({"status", "run", "--json"});
      if (ended.code != 0) continue;
      const auto answer = nlohmann::json::parse(ended.out);
      if (answer.at("state") != "RUNNING" || !answer.at("step").is_number()) continue;
      if (const auto step = answer.at("step").get<std::int64_t>(); step > after)
        return step + 1;
    }
    return -1;
  }
  nlohmann::json summary() const { return nlohmann::json::parse(read("run/summary.json")); }
  void goes_on_after(const std::vector<int>& signals);
};

/// All of `signals`, one after the other, hold a test of simulated rigs, which is resumed
/// after each. Between two of them lie some tenths of a second of fast steps; the test has
/// more of them than all signals take.
void CliStop::goes_on_after(const std::vector<int>& signals) {
  const Words length{"--set", kLong};
  const Ended undisturbed =
      trestle(Words{"run", example("test.yaml"), "--out", "undisturbed"} + length);
  ASSERT_EQ(undisturbed.code, 0) << undisturbed.err;
  Program run(Words{"run", example("test.yaml"), "--out", "run"} + length, folder());
  ASSERT_GT(running(0), 0) << run.err();
  run.signal(signals.front());
  EXPECT_EQ(run.exit_code(), 3) << run.err();
  std::int64_t done = summary().at("steps_done").get<std::int64_t>();
  for (std::size_t n = 1; n < signals.size(); ++n) {
    EXPECT_EQ(summary().at("result"), "held") << signals[n];
    EXPECT_EQ(summary().at("resumable"), true);
    EXPECT_EQ(steps_in(exported("run")), done);
    Program again({"resume", "run"}, folder());
    ASSERT_GT(running(done), 0) << again.heard();
    again.signal(signals[n]);
    EXPECT_EQ(again.exit_code(), 3) << signals[n] << again.err();
    const std::int64_t now = summary().at("steps_done").get<std::int64_t>();
    EXPECT_GT(now, done) << signals[n];
    done = now;
  }
  const Ended end = trestle({"resume", "run"});
  EXPECT_EQ(end.code, 0) << end.out << end.err;
  EXPECT_EQ(exported("run"), exported("undisturbed"));
  const Ended audit = trestle({"audit", "run"});
  EXPECT_EQ(audit.code, 0) << audit.out;
  EXPECT_NE(audit.out.find("held"), std::string::npos) << audit.out;
  EXPECT_EQ(audit.out.find("by itself"), audit.out.rfind("by itself"))
      << "the end of the complete test alone: " << audit.out;
}

TEST_F(CliStop, LeavesATestThatGoesOnToTheSameBitsWhateverSignalEndsIt) {
  goes_on_after({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1});
}

TEST_F(CliStop, LeavesATestThatGoesOnToTheSameBitsWhateverOtherSignalEndsIt) {
  goes_on_after({SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPWR, SIGRTMIN});
}

TEST_F(CliStop, NamesWhoSentTheSignalAndSaysHowToGoOn) {
  Program run({"run", example("test.yaml"), "--out", "run", "--set",
               "excitation.synthetic.duration=600 s"},
              folder());
  ASSERT_GT(running(0), 0) << run.heard();
  const auto sent = std::chrono::steady_clock::now();
  run.signal(SIGTERM);
  EXPECT_EQ(run.exit_code(), 3) << run.err();
  // Two seconds are promised; a busy machine gets more.
  EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(20));
  const std::string who = host::person_behind(getpid(), geteuid()).text;
  EXPECT_NE(run.out().find("because    SIGTERM by " + who), std::string::npos) << run.out();
  EXPECT_NE(run.out().find("can be resumed: trestle resume run"), std::string::npos)
      << run.out();
  const Ended status = trestle({"status", "run"});
  EXPECT_EQ(status.code, 4);
  EXPECT_NE(status.err.find("the test is held, and is resumed by: trestle resume run"),
            std::string::npos)
      << status.err;
  const Ended audit = trestle({"audit", "run"});
  EXPECT_NE(audit.out.find(who), std::string::npos) << audit.out;
  EXPECT_EQ(audit.out.find("by itself"), std::string::npos) << audit.out;
}

TEST_F(CliStop, SaysWhoMetWhichLimitWhenAndWhereItIsWritten) {
  const std::string file = edited("rate: 400 mm/s", "rate: 50 mm/s");
  const Ended ended = trestle({"run", file, "--out", "run"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.out.find("west: rate 50."), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("at actuator 1 is above its limit 50 mm/s at step "),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("s (limit of the test, test.yaml:41:41)"), std::string::npos)
      << ended.out;
  EXPECT_EQ(summary().at("result"), "stopped");
  EXPECT_EQ(summary().at("resumable"), true);
  EXPECT_EQ(steps_in(exported("run")), summary().at("steps_done").get<std::int64_t>());
  // The rig that met it is simulated: it meets it again.
  const Ended again = trestle({"resume", "run"});
  EXPECT_EQ(again.code, 3) << again.err;
  EXPECT_NE(again.out.find("west: rate 50."), std::string::npos) << again.out;
}

TEST_F(CliStop, StopsAnUncompensatedLoopThatIsUnstable) {
  for (const char* word :
       {"sites.west.compensator.kind=none", "sites.west.compensator=none",
        "sites.west.compensator={kind: none}"}) {
    const Ended ended =
        trestle({"run", example("test.yaml"), "--out", word, "--set", word, "--json",
                 // Columns that stay elastic feed the growth that yielding ones bound.
                 "--set", "sites.west.rig.specimen.hysteresis.yield_moment=180 kN.m"});
    EXPECT_EQ(ended.code, 3) << word << ": " << ended.err;
    EXPECT_NE(ended.err.find("is above its limit 400 mm/s"), std::string::npos)
        << ended.err;
  }
}

TEST_F(CliStop, StopsSafelyWhenTheRecordCannotGrow) {
  Program run({"run", example("test.yaml"), "--out", "run", "--set",
               "excitation.synthetic.duration=600 s"},
              folder(), [] {
                const rlimit limit{12'000'000, 12'000'000};
                setrlimit(RLIMIT_FSIZE, &limit);
              });
  EXPECT_EQ(run.exit_code(), 3) << run.out() << run.err();
  EXPECT_NE(run.out().find("run/journal.db: "), std::string::npos) << run.out();
  EXPECT_EQ(summary().at("result"), "stopped");
}

}  // namespace
}  // namespace trestle::cli
