#include "observe/live/trace.h"

#include <algorithm>
#include <cmath>

namespace trestle::live {
namespace {

constexpr std::size_t kMaxPieces = 8192;

void join(Trace::Extent& into, const Trace::Extent& other) {
  if (!other.any) return;
  into.low = into.any ? std::min(into.low, other.low) : other.low;
  into.high = into.any ? std::max(into.high, other.high) : other.high;
  into.any = true;
}

}  // namespace

void Trace::add(double time, double value) {
  if (!std::isfinite(value) || !std::isfinite(time)) return;
  if (pieces_.empty()) begin_ = time;
  while (time - begin_ >= piece_ * kMaxPieces) halve();
  const auto place = static_cast<std::size_t>(std::max(time - begin_, 0.0) / piece_);
  if (place >= pieces_.size()) pieces_.resize(place + 1);
  join(pieces_[place], {value, value, true});
}

void Trace::halve() {
  for (std::size_t i = 0; i < pieces_.size(); i += 2) {
    Extent both = pieces_[i];
    if (i + 1 < pieces_.size()) join(both, pieces_[i + 1]);
    pieces_[i / 2] = both;
  }
  pieces_.resize((pieces_.size() + 1) / 2);
  piece_ *= 2.0;
}

std::vector<Trace::Extent> Trace::columns(double from, double until,
                                          std::size_t count) const {
  std::vector<Extent> columns(count);
  if (count == 0 || !(until > from)) return columns;
  const double width = (until - from) / static_cast<double>(count);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const double place = (begin_ + piece_ * static_cast<double>(i) - from) / width;
    // The last bit of a quotient decides nothing here.
    if (place < -1e-9 || place >= static_cast<double>(count)) continue;
    join(columns[static_cast<std::size_t>(std::max(place, 0.0))], pieces_[i]);
  }
  return columns;
}

}  // namespace trestle::live
