#include "site-servers/node/tick_rows.h"

#include <algorithm>
#include <cassert>

namespace trestle::site_node {
TickRows::TickRows(int actuators, int every, RowSink* sink, std::size_t extra,
                   std::size_t coefficients)
    : columns_("", std::vector<ActuatorDescription>(static_cast<std::size_t>(actuators)),
               Channels(extra + coefficients)),
      sink_(sink),
      every_(every),
      extra_(extra),
      coefficients_(coefficients),
      row_(columns_.channels().size(), 0.0) {
  assert(every >= 1);
}

void TickRows::open(std::int64_t index, const ActuatorVector& target,
                    const ActuatorVector& command) noexcept {
  open_ = sink_ != nullptr && (index + 1) % every_ == 0;
  if (!open_) return;
  index_ = index;
  columns_.pack_command(target, command, row_);
}

bool TickRows::close(const Measurement& sensed, std::span<const double> extra) noexcept {
  if (!open_) return true;
  open_ = false;
  columns_.pack_measurement(sensed, extra.first(std::min(extra.size(), extra_)), row_);
  return sink_->push({.index = index_, .values = row_});
}

void TickRows::save(SnapshotWriter& snapshot) const {
  snapshot.add(static_cast<double>(index_));
  snapshot.add(open_ ? 1.0 : 0.0);
  for (const double value : row_) snapshot.add(value);
}

void TickRows::restore(SnapshotReader& snapshot) {
  index_ = static_cast<std::int64_t>(snapshot.next());
  open_ = snapshot.next() != 0.0 && sink_ != nullptr;
  for (double& value : row_) value = snapshot.next();
}

}  // namespace trestle::site_node
