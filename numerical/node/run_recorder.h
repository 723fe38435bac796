#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/evaluation/computation_quality.h"
#include "core/evaluation/peaks.h"
#include "core/evaluation/run_report.h"
#include "core/ports/numerical_substructure.h"
#include "core/ports/record_store.h"
#include "numerical/node/criteria_collector.h"
#include "numerical/node/delay_ledger.h"
#include "numerical/node/health_rows.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/record_extent.h"
#include "numerical/node/result_rows.h"
#include "numerical/node/resumed_row_sink.h"
#include "numerical/node/run_schema.h"
#include "numerical/node/site_peers.h"
#include "numerical/node/tracking_account.h"

namespace trestle::integrator_node {

/// Writes the record and the report of a run: one function for each moment of a step. Sized
/// when the record is opened; no function of a step allocates.
class RunRecorder {
 public:
  /// @param settings, substructure, store  outlive this
  RunRecorder(const IntegratorSettings& settings, const NumericalSubstructure& substructure,
              RecordStore& store);

  /// A new record. @throws std::runtime_error if it cannot be kept
  void open(const SitePeers& peers);
  /// A record of which so much is there. @throws std::runtime_error the same
  void reopen(const SitePeers& peers, const RecordExtent& extent);
  /// Prepares the report of a record that is only read.
  void retell(const SitePeers& peers, const RecordExtent& extent);
  /// Ends recording without closing the record: the session stays unfinished.
  void let_go() noexcept { open_ = false; }

  bool is_open() const noexcept { return open_; }
  const RecordExtent& extent() const noexcept { return extent_; }

  /// @param zero  session time zero on the integrator's clock
  void begin_ledger(TimePoint zero) noexcept;
  bool keeps_ledger() const noexcept { return ledger_sink_ != nullptr; }
  DelayLedger& ledger() noexcept { return accounts_->ledger; }

  /// A site's heartbeat reports how the site is. Not while the record is not open.
  HealthRows::Verdict heard(std::size_t site, const Health& health, TimePoint now) noexcept;

  // Each of these: false if a row was lost.
  bool intend(std::int64_t step, std::span<const SiteTarget> requests) noexcept;
  bool record_opening() noexcept;
  /// Records the responses that a step uses; a replay uses them again.
  bool keep_used(std::int64_t step, std::span<const SiteResponse> answers) noexcept;
  /// The substructure has used the answers.
  bool close(std::int64_t step, std::span<const SiteTarget> requests) noexcept;
  bool flush() noexcept { return accounts_->rows.flush(); }

  /// Records a site's response to the initial measurement.
  void opening(std::size_t site, const StepResponse& response) noexcept;
  /// @param received  when the answer was
  void answered(std::size_t site, const StepResponse& response,
                const timing::PeerClock& clock, TimePoint received) noexcept;
  /// The same of a record that is replayed.
  void answered_before(std::size_t site, const StepResponse& response) noexcept;
  /// It came too late to be used.
  void late(std::size_t site, const StepResponse& response) noexcept;
  /// The wait for this response has ended without it.
  void missed(std::size_t site, std::int64_t step) noexcept;

  /// Returns the layout of the streams of steps. @pre it was opened at least once
  const RunSchema& schema() const noexcept { return accounts_->rows.schema(); }
  /// This site's answer is in the step's row, which is not yet another's.
  bool has(std::size_t site, std::int64_t step) const noexcept;
  /// A site's response in a row of `result` or `opening`.
  /// @returns false if this site had not responded
  bool unpack(std::span<const double> row, std::size_t site, StepResponse& response) const;

  /// The last answers are in.
  void finish() noexcept { accounts_->criteria.finish(); }
  bool shows_instability(std::size_t site, const Fault& fault) const;
  void fill(evaluation::RunReport& report, const SitePeers& peers) const;
  /// How each actuator follows now, on a sliding estimate; empty if it was never opened.
  std::vector<evaluation::SiteReport> tracking_now(const SitePeers& peers) const;

 private:
  struct Accounts {
    ResultRows rows;
    TrackingAccount tracking;
    evaluation::PeakTracker peaks;
    evaluation::QualityTracker quality;
    CriteriaCollector criteria;
    DelayLedger ledger;
  };

  RecordStreams make_accounts(const SitePeers& peers);
  void set_sink(const std::vector<RowSink*>& sinks);

  const IntegratorSettings& settings_;
  const NumericalSubstructure& substructure_;
  RecordStore& store_;
  bool open_ = false;
  RecordExtent extent_;
  std::unique_ptr<Accounts> accounts_;
  std::unique_ptr<HealthRows> health_;  // null: the record has no such stream
  std::vector<std::int64_t> late_;      // per site: answers after their deadline
  NoSink no_sink_;
  ResumedRowSink intent_sink_;
  ResumedRowSink result_sink_;
  RowSink* opening_sink_ = nullptr;
  RowSink* answer_sink_ = nullptr;
  RowSink* ledger_sink_ = nullptr;
  std::vector<double> used_row_;
};

}  // namespace trestle::integrator_node
