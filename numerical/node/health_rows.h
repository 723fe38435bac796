#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ports/row_sink.h"
#include "core/types/message.h"
#include "core/types/record.h"
#include "numerical/node/record_extent.h"
#include "numerical/node/site_peers.h"

namespace trestle::integrator_node {

/// The rows of stream `health`: one for each heartbeat in which a site reports how it is.
/// The index is the number of the heartbeat, from 1, over all sites. A row has the values
/// of its site alone; those of the others, and those that were not reported, are NaN. A run
/// under the virtual clock has no such stream.
///
/// Of a site that sends more than kPerSecond heartbeats a second the rest is counted by the
/// index and not recorded, so that it cannot fill the record. It is broken, or the test
/// asks for as many. Sized when the record is opened; heard() neither allocates nor waits.
class HealthRows {
 public:
  static constexpr int kPerSecond = 20;  ///< of one site; as many at once

  enum class Verdict {
    kRecorded,
    kFirstRefused,  ///< too many of this site, for the first time in kTellEvery
    kRefused,       ///< too many of this site
    kLost,          ///< the record could not take it
  };

  /// @param peers     agreed with; a load cell that had not reported yet has no column
  /// @param recorded  of a record that is resumed; its columns stay, and values that have
  ///                  none there are not recorded. Without columns: a new record
  HealthRows(const SitePeers& peers, const HealthExtent& recorded);

  /// `time_s`, then of each site: step, cycles, overdue_ns, the used part of each limit of
  /// each actuator, mean and deviation of each transducer, the rig's channels besides.
  const Channels& channels() const noexcept { return channels_; }
  void set_sink(RowSink& sink) noexcept { sink_ = &sink; }

  /// @param now  on the integrator's clock
  Verdict heard(std::size_t site, const Health& health, TimePoint now) noexcept;

 private:
  struct Site {
    std::vector<std::size_t> places;  ///< in a row, of its values in their order
    std::size_t actuators = 0;
    std::size_t transducers = 0;
    std::size_t auxiliary = 0;
    double allowance = kPerSecond;  ///< heartbeats that may still come at once
    TimePoint heard{};
    std::optional<TimePoint> told;
  };

  Site columns_of(const SitePeer& peer, const Channels& recorded);
  void add(Site& site, const Channel& channel, bool fixed);
  bool is_allowed(Site& site, TimePoint now) noexcept;
  void pack(const Site& site, const Health& health) noexcept;

  Channels channels_;
  std::vector<Site> sites_;
  std::vector<double> row_;
  std::int64_t number_ = 0;  ///< of the last heartbeat
  double time_ = 0.0;        ///< of the row that the record ended with [s]
  std::optional<TimePoint> zero_;
  RowSink* sink_ = nullptr;
};

}  // namespace trestle::integrator_node
