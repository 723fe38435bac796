#include "core/journal/ring_follower.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "core/journal/row_layout.h"
#include "core/journal/shared_words.h"

namespace trestle::journal {
namespace {

/// The oldest row that the writer does not reach soon.
std::uint64_t oldest_row(std::uint64_t pushed, std::uint64_t room) noexcept {
  const std::uint64_t safe = room - std::max<std::uint64_t>(room / 8, 1);
  return pushed > safe ? pushed - safe : 0;
}

}  // namespace

RingFollower::State RingFollower::refresh() {
  problem_.clear();
  try {
    if (mapping_ && mapping_->is_at(path_)) {
      mapping_->add_streams();
      return state_ = State::kFollowed;
    }
    return state_ = open();
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
    // What was mapped before stays whole.
    return state_ = mapping_ ? State::kRemoved : State::kUnusable;
  }
}

RingFollower::State RingFollower::open() {
  std::optional<RingMapping> found = RingMapping::open(path_);
  if (!found) return mapping_ ? State::kRemoved : State::kAbsent;
  if (!expected_session_.empty() && found->session() != expected_session_)
    throw std::runtime_error(path_ + " cannot be followed: it is of session " +
                             found->session() + ", the journal of session " +
                             expected_session_);
  mapping_ = std::move(found);
  ++generation_;
  return State::kFollowed;
}

std::optional<std::size_t> RingFollower::find(const std::string& stream) const noexcept {
  if (!mapping_) return std::nullopt;
  for (std::size_t i = 0; i < mapping_->streams().size(); ++i)
    if (mapping_->streams()[i].name == stream) return i;
  return std::nullopt;
}

std::size_t RingFollower::channels(std::size_t stream) const noexcept {
  return mapping_->streams()[stream].channels;
}

std::uint64_t RingFollower::pushed(std::size_t stream) const noexcept {
  return mapping_->streams()[stream].counters->pushed.load(std::memory_order_acquire);
}

RingFollower::Read RingFollower::read(std::size_t stream, std::uint64_t next,
                                      std::size_t limit,
                                      std::vector<std::byte>& into) const {
  const RingMapping::Stream& from = mapping_->streams()[stream];
  const std::size_t width = row_bytes(from.channels);
  into.clear();
  const std::uint64_t end = pushed(stream);
  if (next >= end) return {.first = next};
  const std::uint64_t begin = std::max(next, oldest_row(end, from.room));
  const std::uint64_t count = std::min<std::uint64_t>(end - begin, limit);
  into.resize(count * width);
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t place = (begin + done) % from.room;
    const std::uint64_t straight = std::min(count - done, from.room - place);
    read_shared_words(into.data() + done * width, from.rows.data() + place * width,
                      straight * width);
    done += straight;
  }
  // The loads of the copy acquire, so this one comes after them.
  const std::uint64_t now = from.counters->pushed.load(std::memory_order_relaxed);
  const std::uint64_t whole = std::clamp(oldest_row(now, from.room), begin, begin + count);
  into.erase(into.begin(),
             into.begin() + static_cast<std::ptrdiff_t>((whole - begin) * width));
  return {.first = whole,
          .rows = static_cast<std::size_t>(begin + count - whole),
          .skipped = whole - next};
}

}  // namespace trestle::journal
