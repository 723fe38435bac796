#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "observe/web/loop_curve.h"
#include "observe/web/watched_record.h"

namespace trestle::web {

/// The JSON texts of docs/reference/live-messages.md.

/// @param records  how many the page may look at
std::string run_json(WatchedRecord& record, std::size_t records);

/// @param number   of the record
/// @param utc_ms   now [ms]
std::string standing_json(const WatchedRecord& record, std::size_t number,
                          std::int64_t utc_ms);

std::string events_json(const WatchedRecord& record, std::int64_t after);
std::string event_message(const NumberedEvent& event, std::size_t number);
std::string gap_message(const RowGap& gap, std::size_t number);

/// @param index   of the row
/// @param values  work on each actuator up to it [J]
std::string work_json(const std::vector<live::ActuatorView>& actuators, std::int64_t index,
                      const std::vector<double>& values);

struct LoopWanted {
  std::int64_t to = 0;           ///< index of a row
  std::int64_t after = -1;       ///< points up to this row are known
  std::uint64_t generation = 0;  ///< of those points, as LoopCurve::generation()
};

/// @param reached  row up to which the curve has been read
std::string loop_json(const LoopCurve& curve, std::int64_t reached,
                      const LoopWanted& wanted);

struct RowsWanted {
  std::string stream;
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::vector<std::string> channels;  ///< empty: all
};

/// @returns one sentence if the rows cannot be given
Result<std::string> rows_json(WatchedRecord& record, const RowsWanted& wanted);

}  // namespace trestle::web
