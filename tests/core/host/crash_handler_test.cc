#include "core/host/crash_handler.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

namespace trestle::host {
namespace {

/// Stands for a rig: its hold() is a byte in a pipe.
struct FakeRig {
  int pipe = -1;
  void hold() const noexcept {
    [[maybe_unused]] const ssize_t written = write(pipe, "h", 1);
  }
};

void hold(void* rig) noexcept {
  static_cast<const FakeRig*>(rig)->hold();
}

void hold_and_crash(void* rig) noexcept {
  hold(rig);
  std::abort();
}

[[noreturn]] void hold_for_ever(void* rig) noexcept {
  hold(rig);
  while (true) pause();
}

struct Death {
  int signal = 0;
  std::string held;   // what the rig was told
  std::string words;  // on stderr
};

std::string all_of(int pipe) {
  std::string text;
  char bytes[512];
  for (ssize_t count = 0; (count = read(pipe, bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<std::size_t>(count));
  close(pipe);
  return text;
}

/// Of a child that does this with its last words set up.
template <typename Action>
Death death_of(const Action& action, CrashHandler::Function function = hold) {
  int rig_pipe[2];
  int error_pipe[2];
  EXPECT_EQ(pipe(rig_pipe), 0);
  EXPECT_EQ(pipe(error_pipe), 0);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(error_pipe[1], STDERR_FILENO);
    FakeRig rig{rig_pipe[1]};
    const CrashHandler words(function, &rig);
    action();
    _exit(0);
  }
  close(rig_pipe[1]);
  close(error_pipe[1]);
  Death death{0, all_of(rig_pipe[0]), all_of(error_pipe[0])};
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) death.signal = WTERMSIG(status);
  return death;
}

TEST(CrashHandler, AFailedAssertionHoldsTheRigAndEndsTheProcess) {
#ifdef NDEBUG
  GTEST_SKIP() << "built without assertions";
#else
  const Death death = death_of([] { assert(false && "a bug"); });
  EXPECT_EQ(death.signal, SIGABRT);
  EXPECT_EQ(death.held, "h");
  EXPECT_NE(death.words.find("the rig was told to hold\n"), std::string::npos);
#endif
}

TEST(CrashHandler, EverySignalOfACrashHoldsTheRigOnceAndIsWhatTheProcessDiesOf) {
  for (const int signal_number : CrashHandler::kSignals) {
    const Death death = death_of([signal_number] { raise(signal_number); });
    EXPECT_EQ(death.signal, signal_number);
    EXPECT_EQ(death.held, "h") << signal_number;
    EXPECT_NE(death.words.find("the rig was told to hold\n"), std::string::npos);
  }
}

TEST(CrashHandler, ARealSegmentationFaultHoldsTheRig) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizers speak first";
#endif
  const Death death = death_of([] {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;  // NOLINT
  });
  EXPECT_EQ(death.signal, SIGSEGV);
  EXPECT_EQ(death.held, "h");
}

TEST(CrashHandler, AThreadThatHasUsedUpItsStackHoldsTheRig) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer sets up stacks of its own";
#else
  struct Deep {
    static int down(volatile int* left) {  // NOLINT(misc-no-recursion)
      volatile int here[1024];
      here[0] = *left - 1;
      return here[0] == 0 ? 0 : down(here) + here[0];
    }
  };
  const Death death = death_of([] {
    std::thread([] {
      const AlternateSignalStack stack;
      volatile int levels = 1'000'000;  // of 4 KiB
      Deep::down(&levels);
    }).join();
  });
  EXPECT_EQ(death.signal, SIGSEGV);
  EXPECT_EQ(death.held, "h");
#endif
}

TEST(CrashHandler, ACrashOnTheWayEndsTheProcessAtOnce) {
  const Death death = death_of([] { raise(SIGFPE); }, hold_and_crash);
  EXPECT_EQ(death.signal, SIGABRT);
  EXPECT_EQ(death.held, "h") << "and it is not called again";
}

TEST(CrashHandler, AHoldThatNeverComesBackDoesNotKeepTheProcessAlive) {
  const Death death = death_of([] { raise(SIGSEGV); }, hold_for_ever);
  EXPECT_EQ(death.signal, SIGALRM);
  EXPECT_EQ(death.held, "h");
}

TEST(CrashHandler, LeaveTheHandlersAsTheyWere) {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGSEGV, nullptr, &before);
  FakeRig rig;
  { const CrashHandler words(hold, &rig); }
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace trestle::host
