#pragma once

namespace trestle::driver_bench {

/// Two processes that wake each other by two futex words, and do nothing else: the floor of
/// any exchange between two processes.
class PingPong {
 public:
  /// @param cpu  of both processes; negative: any
  explicit PingPong(int cpu);
  ~PingPong();
  PingPong(const PingPong&) = delete;
  PingPong& operator=(const PingPong&) = delete;

  /// Wakes the other process, and waits for it.
  void exchange() noexcept;

 private:
  struct Words;
  Words* words_;
  int other_ = 0;
};

}  // namespace trestle::driver_bench
