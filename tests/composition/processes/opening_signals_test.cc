#include "composition/processes/opening_signals.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace trestle::composition::opening_signals_test {
namespace {

/// How a process ended that does this: its exit code, or 128 + the signal that ended it.
int end_of(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(act());
  int status = 0;
  if (waitpid(child, &status, WUNTRACED) != child) return -1;
  if (WIFSTOPPED(status)) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return 128 + SIGTSTP;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(OpeningSignals, KeepWhatWasAskedForWhoDrivesTheRigs) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGALRM})
    EXPECT_EQ(end_of([number] {
                OpeningSignals opening(3);
                raise(number);
                raise(SIGTSTP);
                opening.opened(true);
                const StopSignals driving(nullptr, nullptr, StopSignals::Scope::kRig);
                AskedBySignal asked;
                return StopSignals::take(asked) && asked.number == number ? 7 : 8;
              }),
              7)
        << number;
}

TEST(OpeningSignals, MeanWhatTheyMeantWhereNoRigIsReal) {
  EXPECT_EQ(end_of([] {
              OpeningSignals opening(3);
              raise(SIGTERM);
              opening.opened(false);
              return 8;
            }),
            128 + SIGTERM);
  EXPECT_EQ(end_of([] {
              OpeningSignals opening(3);
              opening.opened(false);
              raise(SIGTSTP);
              return 8;
            }),
            128 + SIGTSTP);
}

// A closed terminal is told twice.
TEST(OpeningSignals, EndTheProgramWhereSomebodyAsksAgain) {
  EXPECT_EQ(end_of([] {
              const OpeningSignals opening(3);
              raise(SIGHUP);
              raise(SIGHUP);
              return 8;
            }),
            8);
  EXPECT_EQ(end_of([] {
              const OpeningSignals opening(3);
              for (;;) raise(SIGINT);
              return 8;
            }),
            3);
}

// Who opens the next rig, after those that were driven, is asked again.
TEST(OpeningSignals, AreBackWhenTheRigsAreDrivenNoMore) {
  EXPECT_EQ(end_of([] {
              const OpeningSignals opening(3);
              { const StopSignals driving(nullptr, nullptr, StopSignals::Scope::kTest); }
              raise(SIGQUIT);
              raise(SIGTSTP);
              return StopSignals::asked() ? 7 : 8;
            }),
            7);
}

}  // namespace
}  // namespace trestle::composition::opening_signals_test
