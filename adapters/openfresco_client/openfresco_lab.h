#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "adapters/openfresco_client/lab_connection.h"
#include "adapters/openfresco_client/lab_settings.h"
#include "core/base/time.h"
#include "core/ports/site_adapter.h"

namespace trestle::openfresco {

/// A rig behind a server of OpenFresco: drives are its trial displacements, its
/// measurements are the readings. Only one request is open at a time: while the laboratory
/// moves, newer drives wait, and only the newest is sent after the reply.
///
/// A trial that was answered is committed before the next, so that specimens that the
/// server simulates remember it. The protocol has no hold command: a hold sends nothing
/// more, and the laboratory ends its present move.
///
/// A lost connection is a fault. A separate thread calls the laboratory again every second
/// until it answers and the specimen is at its last position. From then on readings are
/// valid again, and nothing is sent before the next write(). If the specimen is elsewhere,
/// or its position is unknown, only the next prepare() starts a new trial.
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

  /// From any thread or signal handler; until the next write().
  void hold() noexcept { held_.store(true, std::memory_order_relaxed); }
  /// Says the end to the server, which then ends itself.
  void leave() noexcept;

  /// Writes a sentence about its state. Neither waits nor allocates.
  void diagnose(std::span<char> text) const noexcept;

 private:
  /// The thread that may use the connection.
  enum class Link {
    kWell,     ///< the ticks'
    kLost,     ///< of neither thread
    kMending,  ///< the mender's
    kMended,   ///< the ticks', which have not seen it yet
  };

  void take_link_back() noexcept;
  bool mendable() const noexcept;
  void keep_mending() noexcept;
  void mend();
  bool is_lost() noexcept;
  void hand_over() noexcept;
  void prepare_link();
  void connect();
  void perform_handshake();
  void open_lab();
  void ask_first();
  void receive_shutdown() noexcept;
  void pump() noexcept;
  void hear() noexcept;
  void take_reply() noexcept;
  void ask() noexcept;
  bool newer() const noexcept;
  void lose(const char* why) noexcept;
  void vector(MessageCode code, std::size_t message) noexcept;
  void say_end(std::size_t message) noexcept;
  std::span<std::byte> message(std::size_t index) noexcept;
  double length(std::size_t actuator) const noexcept;
  double force(std::size_t actuator) const noexcept;

  const LabSettings settings_;
  const Sizes sizes_;
  LabConnection link_;
  std::vector<std::byte> out_;  // room for commit, trial and question
  std::vector<std::byte> in_;
  std::size_t came_ = 0;
  std::vector<double> drive_;     // the newest [m | rad]
  std::vector<double> sent_;      // of the last trial
  std::vector<double> measured_;  // of the last answer
  std::vector<double> forces_;
  bool driven_ = false;       // any drive was written
  bool moved_ = false;        // any trial was sent
  bool asked_ = false;        // an answer is on its way
  bool uncommitted_ = false;  // the last trial
  bool any_ = false;          // measurement
  std::atomic<bool> held_{false};
  std::int64_t asked_at_ns_ = 0;
  std::int64_t measured_at_ns_ = 0;
  std::int64_t begun_at_ns_ = 0;
  std::atomic<const char*> lost_{nullptr};
  std::uint64_t answers_ = 0;

  std::vector<double> place_;  // where it stood when the connection was lost
  std::atomic<Link> turn_{Link::kWell};
  std::atomic<bool> wanted_{false};  // by prepare() or leave(): the mender gives up
  std::atomic<bool> leaving_{false};
  mutable std::atomic_flag trouble_busy_ = ATOMIC_FLAG_INIT;
  std::array<char, 160> trouble_{};  // the last attempt's
  std::thread mender_;
};

}  // namespace trestle::openfresco
