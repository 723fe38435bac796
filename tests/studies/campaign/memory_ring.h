#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "studies/cluster/task_ring.h"

namespace trestle::testing {

/// Ranks that are threads of this process: what they send lies in these boxes.
struct MessageBoxes {
  explicit MessageBoxes(int ranks) : boxes(static_cast<std::size_t>(ranks)) {}

  std::mutex mutex;
  std::vector<std::deque<cluster::RingMessage>> boxes;
};

/// One of them. It can fall silent, as a rank that was killed.
class MemoryRing final : public cluster::TaskRing {
 public:
  /// @param silent_after  messages that it sends before; negative: it never does
  MemoryRing(MessageBoxes& boxes, int rank, int silent_after = -1)
      : boxes_(boxes), rank_(rank), messages_left_(silent_after) {}

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return static_cast<int>(boxes_.boxes.size()); }
  void send(int to, std::string bytes) override {
    if (messages_left_ == 0) return;
    --messages_left_;
    const std::lock_guard lock(boxes_.mutex);
    boxes_.boxes[static_cast<std::size_t>(to)].push_back({rank_, std::move(bytes)});
  }
  std::optional<cluster::RingMessage> poll() override {
    if (messages_left_ == 0) return std::nullopt;
    const std::lock_guard lock(boxes_.mutex);
    auto& box = boxes_.boxes[static_cast<std::size_t>(rank_)];
    if (box.empty()) return std::nullopt;
    cluster::RingMessage message = std::move(box.front());
    box.pop_front();
    return message;
  }
  bool all_sent() override { return true; }
  void close() override { closed = true; }

  bool closed = false;

 private:
  MessageBoxes& boxes_;
  int rank_;
  int messages_left_;
};

}  // namespace trestle::testing
