#pragma once

#include <semaphore.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <span>
#include <thread>

namespace trestle::conformance {

/// Whether a hold came while a write() ran.
enum class HoldInWrite {
  kNone,   ///< the write did not read its drive, or the host started no second thread
  kCame,   ///< hold() returned before the write had its first number
  kWaited  ///< hold() did not return for a second; the object allows no further write
};

/// Lets a hold overtake a write(). The numbers of the drive are in a memory page that no
/// thread may read: the first read of them calls hold() on another thread, and gives the
/// numbers when hold() has returned. One object at a time in a process.
class OvertakenDrive {
 public:
  /// @throws std::runtime_error  if the system gives no page
  explicit OvertakenDrive(std::function<void()> hold);
  ~OvertakenDrive();
  OvertakenDrive(const OvertakenDrive&) = delete;
  OvertakenDrive& operator=(const OvertakenDrive&) = delete;

  /// Calls `write` with the numbers of `drive`, at most 16.
  HoldInWrite write(std::span<const double> drive,
                    const std::function<void(const double*)>& write);

 private:
  static void on_fault(int signal, siginfo_t* fault, void* context) noexcept;
  void let_hold_come() noexcept;
  void hold_when_read();

  static std::atomic<OvertakenDrive*> current_;  // a handler receives nothing but the fault

  std::function<void()> hold_;
  double* page_;
  sem_t read_{};  // somebody reads the drive
  sem_t held_{};  // hold() has returned
  std::atomic<bool> began_{false};
  std::atomic<bool> ends_{false};
  std::atomic<HoldInWrite> came_{HoldInWrite::kNone};
  struct sigaction before_ {};
  std::thread holder_;
};

}  // namespace trestle::conformance
