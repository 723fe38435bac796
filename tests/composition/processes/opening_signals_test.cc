#include "composition/processes/opening_signals.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <functional>
#include <initializer_list>

#include "composition/processes/rig_opening.h"

namespace trestle::composition::opening_signals_test {
namespace {

/// How a process ended that does this: its exit code, or 128 + the signal that ended or
/// stopped it.
int end_of(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    // In a group that nobody watches, as that of a program of CI, Ctrl-Z has no effect.
    setpgid(0, 0);
    std::signal(SIGHUP, SIG_DFL);  // `nohup` leaves it ignored
    _exit(act());
  }
  int status = 0;
  if (waitpid(child, &status, WUNTRACED) != child) return -1;
  if (WIFSTOPPED(status)) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return 128 + WSTOPSIG(status);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void open_rig(bool real, std::initializer_list<int> signals) {
  RigOpening opening;
  for (const int number : signals) raise(number);
  opening.opened(real);
}

TEST(OpeningSignals, KeepASignalForWhoDrivesTheRigs) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGALRM})
    EXPECT_EQ(end_of([number] {
                OpeningSignals program(3);
                open_rig(true, {number, SIGTSTP});
                raise(SIGTSTP);  // open, and not driven yet
                const StopSignals driving(nullptr, nullptr, StopSignals::Scope::kRig);
                AskedBySignal asked;
                return StopSignals::take(asked) && asked.number == number ? 7 : 8;
              }),
              7)
        << number;
}

TEST(OpeningSignals, MeanWhatTheyMeantWithoutEquipment) {
  for (const int number : {SIGTERM, SIGTSTP}) {
    EXPECT_EQ(end_of([number] {
                OpeningSignals program(3);
                raise(number);
                return 8;
              }),
              128 + number)
        << "before a rig is opened";
    EXPECT_EQ(end_of([number] {
                OpeningSignals program(3);
                open_rig(false, {});
                raise(number);
                return 8;
              }),
              128 + number)
        << "a plug-in that calculates";
    EXPECT_EQ(end_of([number] {
                open_rig(true, {number});
                return 8;
              }),
              128 + number)
        << "a program that looks at a rig";
  }
  EXPECT_EQ(end_of([] {
              OpeningSignals program(3);
              open_rig(false, {SIGTERM});
              return 8;
            }),
            128 + SIGTERM)
      << "one that came meanwhile";
}

// The kernel and the shell tell a closed terminal, and the kernel used time, again and
// again.
TEST(OpeningSignals, GiveAnOpeningUpWhereAPersonAsksAgain) {
  EXPECT_EQ(end_of([] {
              OpeningSignals program(3);
              open_rig(true, {SIGINT, SIGHUP, SIGINT});
              return 8;
            }),
            8)
      << "within a second";
  EXPECT_EQ(end_of([] {
              OpeningSignals program(3);
              const RigOpening opening;
              raise(SIGHUP);
              for (;;) raise(SIGINT);
              return 8;
            }),
            3);
}

// A gateway opens its rigs for each client.
TEST(OpeningSignals, GiveUpAnOpeningBesideRigsThatAreDriven) {
  EXPECT_EQ(end_of([] {
              OpeningSignals program(3);
              open_rig(true, {});
              const StopSignals driving(nullptr, nullptr, StopSignals::Scope::kRig);
              {
                const RigOpening opening;
                for (;;) raise(SIGTERM);
              }
              return 8;
            }),
            3);
}

// A driver's close() may hang, too.
TEST(OpeningSignals, GiveUpRigsThatNobodyDrivesAnyMore) {
  EXPECT_EQ(end_of([] {
              OpeningSignals program(3);
              open_rig(true, {SIGTERM});
              {
                const StopSignals driving(nullptr, nullptr, StopSignals::Scope::kRig);
                AskedBySignal asked;
                if (!StopSignals::take(asked)) return 8;
              }
              for (;;) raise(SIGINT);
              return 8;
            }),
            3);
}

TEST(OpeningSignals, CountNoSignalThatWasFollowed) {
  EXPECT_EQ(end_of([] {
              OpeningSignals program(3);
              open_rig(true, {});
              raise(SIGINT);  // open, and not driven yet
              const timespec second{1, 100'000'000};
              nanosleep(&second, nullptr);
              {
                const StopSignals driving(nullptr, nullptr, StopSignals::Scope::kRig);
                AskedBySignal asked;
                if (!StopSignals::take(asked)) return 8;
              }
              raise(SIGINT);
              return 7;
            }),
            7);
}

TEST(OpeningSignals, LeaveASignalToWhoDrivesRigsAlready) {
  EXPECT_EQ(end_of([] {
              OpeningSignals program(3);
              const StopSignals driving(nullptr, nullptr, StopSignals::Scope::kRig);
              open_rig(false, {SIGTERM, SIGTSTP});
              AskedBySignal asked;
              return StopSignals::take(asked) && asked.number == SIGTERM ? 7 : 8;
            }),
            7);
}

}  // namespace
}  // namespace trestle::composition::opening_signals_test
