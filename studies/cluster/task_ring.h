#pragma once

#include <optional>
#include <string>
#include <utility>

namespace trestle::cluster {

/// A message that arrived.
struct RingMessage {
  int from = 0;  ///< rank
  std::string bytes;
};

/// The processes that do one campaign together. Rank 0 leads and alone writes, the others
/// compute for it. Messages from one rank to another keep their order. What is sent to a
/// dead rank is lost without an error. Used by one thread.
class TaskRing {
 public:
  TaskRing() = default;
  virtual ~TaskRing() = default;
  TaskRing(const TaskRing&) = delete;
  TaskRing& operator=(const TaskRing&) = delete;

  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  /// Returns at once.
  virtual void send(int to, std::string bytes) = 0;
  /// The next message; nothing: none is there.
  virtual std::optional<RingMessage> poll() = 0;
  /// Whether all that was sent has left this process.
  virtual bool all_sent() = 0;
  /// The orderly end: waits for all ranks, so it is not called where one is missing.
  virtual void close() = 0;
};

/// A process alone.
class SoleRing final : public TaskRing {
 public:
  int rank() const noexcept override { return 0; }
  int size() const noexcept override { return 1; }
  void send(int /*to*/, std::string /*bytes*/) override {}
  std::optional<RingMessage> poll() override { return std::nullopt; }
  bool all_sent() override { return true; }
  void close() override {}
};

}  // namespace trestle::cluster
