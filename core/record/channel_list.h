#pragma once

#include <cstddef>
#include <utility>

#include "core/types/record.h"

namespace trestle::record {

/// The channels of a block of columns while it is declared, in order.
class ChannelList {
 public:
  /// @param first  column of the row at which the block begins
  explicit ChannelList(std::size_t first = 0) : first_(first) {}

  /// Appends a channel. @returns its column in the row
  std::size_t add(Channel channel) {
    channels_.push_back(std::move(channel));
    return first_ + channels_.size() - 1;
  }

  const Channels& channels() const noexcept { return channels_; }
  /// The column behind the block.
  std::size_t end() const noexcept { return first_ + channels_.size(); }

 private:
  std::size_t first_;
  Channels channels_;
};

}  // namespace trestle::record
