#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record/channel_list.h"
#include "core/record/closing_row.h"
#include "core/record/column_set.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle::record {

/// The columns of a site's stream `closing`: `<site>.measured_at_ns | ticks | estimated`,
/// then per actuator `<site>.<actuator>.delay_s | amplitude`.
class ClosingColumns {
 public:
  ClosingColumns(const std::string& site,
                 const std::vector<ActuatorDescription>& actuators);

  const Channels& channels() const noexcept { return channels_.channels(); }

  /// Columns of estimates that the row has not stay as they are: the last ones.
  void pack(const ClosingRow& closing, std::span<double> row) const noexcept;
  /// Sizes the estimates: none if it has none.
  void unpack(std::span<const double> row, ClosingRow& closing) const noexcept;

 private:
  ChannelList channels_;
  ColumnSet<ClosingRow> values_;
  ColumnSet<ClosingRow> estimates_;
  Eigen::Index actuators_ = 0;
};

}  // namespace trestle::record
