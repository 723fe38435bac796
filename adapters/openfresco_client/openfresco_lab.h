#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "adapters/openfresco_client/lab_connection.h"
#include "adapters/openfresco_client/lab_messages.h"
#include "adapters/openfresco_client/lab_settings.h"
#include "adapters/openfresco_client/reconnection.h"
#include "core/base/time.h"
#include "core/ports/site_adapter.h"

namespace trestle::openfresco {

/// A rig behind a server of OpenFresco: drives are its trial displacements, what it
/// measured are the readings. It is one question at a time: while the laboratory moves,
/// newer drives wait, and only the newest of them goes out when it has answered.
///
/// A trial that was answered is committed before the next, so that specimens that the
/// server simulates remember it. The protocol has no word for hold: it is that nothing more
/// goes out, and the laboratory ends the move that it was sent on.
///
/// A connection that is lost is a fault, and is called again by a Reconnection, until the
/// laboratory answers and the specimen stands where it stood: from then on readings are
/// good again, and nothing goes out before the next write(). Where it stands elsewhere, or
/// nobody can say where, only the next prepare() begins again.
class OpenFrescoLab {
 public:
  /// Does not connect.
  explicit OpenFrescoLab(const LabSettings& settings);
  ~OpenFrescoLab();
  OpenFrescoLab(const OpenFrescoLab&) = delete;
  OpenFrescoLab& operator=(const OpenFrescoLab&) = delete;

  const LabSettings& settings() const noexcept { return settings_; }

  /// Connects where it is not, and waits for a first measurement; hold() on another thread
  /// ends the wait. Nothing moves.
  /// @throws std::runtime_error
  void prepare();

  struct Reading {
    AdapterStatus status = AdapterStatus::kLate;
    Duration age{};                          ///< of the measurement
    std::span<const double> displacement{};  ///< one per actuator [m | rad]
    std::span<const double> force{};         ///< [N | N·m]
  };
  /// Neither waits nor allocates, as write().
  Reading read() noexcept;
  AdapterStatus write(std::span<const double> drive) noexcept;

  /// From any thread or signal handler; until the next write() that begins after it.
  void hold() noexcept {
    holds_.fetch_add(1, std::memory_order_seq_cst);
    gives_up_.store(true, std::memory_order_relaxed);
  }
  /// Says the end to the server, which then ends itself.
  void leave() noexcept;

  /// A sentence on how it stands. Neither waits nor allocates.
  void diagnose(std::span<char> text) const noexcept;

 private:
  /// What the laboratory measured last.
  struct Measured {
    bool any = false;
    std::int64_t at_ns = 0;
    std::vector<double> displacement{};
    std::vector<double> force{};
  };

  void reconnect();
  void resume_link();
  bool is_lost() noexcept;
  void hand_over() noexcept;
  void prepare_link();
  void ask_first();
  void receive_shutdown() noexcept;
  void pump() noexcept;
  void hear() noexcept;
  void take_reply() noexcept;
  void ask() noexcept;
  bool newer() const noexcept;
  bool held() const noexcept {
    return holds_.load(std::memory_order_seq_cst) != holds_before_write_;
  }
  void lose(const char* why) noexcept;

  const LabSettings settings_;
  LabMessages messages_;
  LabConnection link_;
  std::vector<double> drive_;  // the newest [m | rad]
  std::vector<double> sent_;   // of the last trial
  Measured measured_;
  bool driven_ = false;       // any drive was written
  bool moved_ = false;        // any trial was sent
  bool asked_ = false;        // an answer is on its way
  bool uncommitted_ = false;  // the last trial
  std::atomic<unsigned> holds_{0};
  unsigned holds_before_write_ = 0;    // of the last write, when it began
  std::atomic<bool> gives_up_{false};  // prepare() waits no longer
  std::int64_t asked_at_ns_ = 0;
  std::atomic<const char*> lost_{nullptr};
  std::uint64_t answers_ = 0;
  std::vector<double> place_;  // where it stood when the connection was lost
  Reconnection reconnection_;
};

}  // namespace trestle::openfresco
