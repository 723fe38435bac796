#include "adapters/driver_program/confinement.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace trestle::driver_program {
namespace {

// A sanitizer needs terabytes of addresses, and a second process for its report.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;  // its calls are not known here
#endif

constexpr std::uint32_t kOtherCalls = 0x40000000;  // x32's numbers, on x86-64

/// A filter of system calls: the kernel runs it for each call, first line first.
class CallFilter {
 public:
  CallFilter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0);
    refuse(EPERM);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    add(BPF_JMP | BPF_JGE | BPF_K, kOtherCalls, 0, 1);
    refuse(EPERM);
#endif
  }

  /// Refuses a call with this error.
  void refuse_call(long number, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1);
    refuse(error);
  }
  /// Refuses a call if the first argument has none of these bits.
  void refuse_without_bits(long number, std::uint32_t bits, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4);
    load(first_argument());
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    refuse(error);
    allow();
  }
  /// Refuses a call if the first argument is another one.
  void refuse_other_than(long number, std::uint32_t argument, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4);
    load(first_argument());
    add(BPF_JMP | BPF_JEQ | BPF_K, argument, 1, 0);
    refuse(error);
    allow();
  }

  /// @returns false: this host does not take it, errno says why
  bool install() {
    allow();
    sock_fprog program{static_cast<unsigned short>(lines_.size()), lines_.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
  }

 private:
  /// Its lower half: both machines are little-endian.
  static constexpr std::uint32_t first_argument() {
    return offsetof(seccomp_data, args);
  }
  void add(int code, std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
    lines_.push_back({static_cast<std::uint16_t>(code), yes, no, value});
  }
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0);
  }
  void refuse(int error) {
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error), 0, 0);
  }
  void allow() {
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  }

  std::vector<sock_filter> lines_;
};

/// A process that the plug-in starts could drive the rig after the driver was ended.
void refuse_processes(CallFilter& filter) {
#if defined(__x86_64__)
  filter.refuse_call(SYS_fork, EPERM);
  filter.refuse_call(SYS_vfork, EPERM);
#endif
  filter.refuse_call(SYS_execve, EPERM);
  filter.refuse_call(SYS_execveat, EPERM);
  filter.refuse_call(SYS_clone3, ENOSYS);  // the C library takes clone() then
  filter.refuse_without_bits(SYS_clone, CLONE_THREAD, EPERM);
}

bool bound_memory() {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, kMostMemory);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  return setrlimit(RLIMIT_DATA, &limit) == 0;
}

}  // namespace

bool names_an_address(const std::string& settings) {
  constexpr std::array<std::string_view, 8> kNames{"target", "server", "address", "host",
                                                   "listen", "device", "socket",  "port"};
  std::istringstream lines(settings);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || colon + 2 == line.size()) continue;
    const std::string path = line.substr(0, colon);
    const std::string name = path.substr(path.rfind('.') + 1);
    const bool is_file = line[colon + 2] == '/' || line[colon + 2] == '.';
    if (!is_file && std::find(kNames.begin(), kNames.end(), name) != kNames.end())
      return true;
  }
  return false;
}

std::string confine(bool network) {
  if (!kSanitized && !bound_memory())
    return "its memory cannot be bounded (" + std::generic_category().message(errno) + ")";
  if (kMachine == 0) return "processes and network cannot be refused on this machine";
  CallFilter filter;
  if (!kSanitized) refuse_processes(filter);
  filter.refuse_call(SYS_io_uring_setup, EPERM);  // it opens sockets past this filter
  if (!network) filter.refuse_other_than(SYS_socket, AF_UNIX, EACCES);
  if (filter.install()) return {};
  return "processes and network cannot be refused (" +
         std::generic_category().message(errno) + ")";
}

}  // namespace trestle::driver_program
