#include "core/host/descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace trestle::host::descriptors_test {
namespace {

/// In a process of its own, for a lowered hard limit cannot be raised again.
/// @returns what `does` returned; -1 where the limits could not be set
int within_limits(rlim_t soft, rlim_t hard, const std::function<int()>& does) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{soft, hard};
    _exit(setrlimit(RLIMIT_NOFILE, &limit) == 0 ? does() : 255);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status) : -1;
}

TEST(RaiseDescriptorLimit, OpensMoreFilesThanTheSoftLimitDid) {
  const auto opens = [](int number) {
    return fcntl(STDIN_FILENO, F_DUPFD, number) >= 0;
  };
  EXPECT_EQ(within_limits(32, 250,
                          [&] {
                            if (opens(150)) return 1;  // the limit is no limit here
                            if (raise_descriptor_limit(200) != 200) return 2;
                            return opens(150) ? 0 : 3;
                          }),
            0);
}

TEST(RaiseDescriptorLimit, GoesAsFarAsTheHostAllowsAndLowersNothing) {
  const auto raised = [](std::size_t wanted) {
    return [wanted] {
      const std::size_t told = raise_descriptor_limit(wanted);
      rlimit now{};
      getrlimit(RLIMIT_NOFILE, &now);
      return now.rlim_cur == told ? static_cast<int>(told) : 254;
    };
  };
  EXPECT_EQ(within_limits(32, 100, raised(8192)), 100);
  EXPECT_EQ(within_limits(80, 100, raised(40)), 80);
}

}  // namespace
}  // namespace trestle::host::descriptors_test
