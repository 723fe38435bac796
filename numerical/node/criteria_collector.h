#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/evaluation/criteria.h"
#include "core/ports/numerical_substructure.h"
#include "core/types/fault.h"
#include "core/types/message.h"
#include "core/types/record.h"
#include "numerical/node/accounted_site.h"

namespace trestle::integrator_node {

/// Keeps what the criteria are computed from, step by step: made of nothing but what the
/// integrator sent and was answered, so that a site in this process and one elsewhere give
/// the same numbers. Sized at set-up; a run of more numbers than 2^26 is not kept.
///
/// A target is paired with what was read when it went out: at the actuators when it began
/// to act, at the interface at its own time k·Δt, so that the L steps by which it acts
/// later are an error of the interface. An answer that was missed is as the one before.
/// If a step waits for its actuators to arrive (pseudo-dynamic mode), a target is paired
/// with the answer to its own step.
class CriteriaCollector {
 public:
  /// With which answer the target of step k is paired.
  enum class Pairing : std::uint8_t {
    kReadAtIssue,  ///< the answer to step k−1
    kOwnAnswer,    ///< the answer to step k
  };

  struct Settings {
    /// DOFs of the substructure to be compared with those of its reference.
    std::vector<std::string> responses = {};
    std::int64_t steps = 0;  ///< of the run, at most
    int latency = 0;  ///< L, >= 0: a step is closed with the answers to the one L before
    evaluation::SynchronisationWindow window = {};
    Pairing pairing = Pairing::kReadAtIssue;
  };

  /// @param motion  columns that the substructure records
  CriteriaCollector(const std::vector<AccountedSite>& sites, const Channels& motion,
                    const Settings& settings);

  /// Adds a site's response to the initial measurement, or to a step that was sent.
  void answer(std::size_t site, const StepResponse& response) noexcept;
  /// The answer to this step is no longer waited for.
  void missed(std::size_t site, std::int64_t step) noexcept;
  /// The next step is over. @param motion  what the substructure recorded
  void close(std::span<const SiteTarget> requests, std::span<const double> motion) noexcept;
  /// The last answers are in, to the steps that were closed before.
  void finish() noexcept;

  /// The last step that the criteria compare: what the sites measured behind it is not
  /// known. Negative: none.
  std::int64_t compared() const noexcept;
  /// @param period  Δt [s]
  evaluation::Criteria criteria(double period) const;
  /// Judges a run that ended at a limit (instability.h).
  /// @param site   that met it
  /// @param fault  its limit and what was found
  bool shows_instability(std::size_t site, const Fault& fault) const;

 private:
  /// The columns of one site in a row of the history.
  struct SiteColumns {
    std::size_t actuators = 0;  ///< first of target, measured, force, moved of each
    std::size_t count = 0;
    /// First of numerical, measured, force of each controlled DOF.
    std::size_t interface = 0;
    std::size_t controlled = 0;
    KnownSensorNoise noise;
  };
  /// A column of the motion that goes into the history.
  struct ColumnCopy {
    std::size_t from = 0;
    std::size_t to = 0;
  };

  void add_site(const AccountedSite& recorded, const Channels& motion);
  void add_response(const std::string& dof, const Channels& motion);
  /// A column of the history for this channel of the motion, or kNone.
  /// @param quantity  last part of the channel's name
  int copied(const Channels& motion, const std::string& dof,
             const char* quantity = ".disp_");
  int next_column() noexcept { return static_cast<int>(width_++); }
  std::vector<double>& row_of(std::int64_t step) noexcept {
    return rows_[static_cast<std::size_t>(step) % rows_.size()];
  }

  evaluation::CriteriaColumns columns_;
  evaluation::SynchronisationWindow window_;
  std::vector<SiteColumns> sites_;
  std::vector<ColumnCopy> copied_;
  std::size_t width_ = 0;
  std::int64_t latency_;
  std::int64_t later_;       ///< the row of an answer is its step plus this
  std::int64_t closed_ = 0;  ///< steps
  std::int64_t kept_ = 0;    ///< of them, those whose row is whole
  bool finished_ = false;
  std::vector<std::int64_t> answered_;     ///< per site: the last step with its measurement
  std::vector<std::vector<double>> rows_;  ///< a ring: of the steps under way
  evaluation::RunHistory history_;
};

}  // namespace trestle::integrator_node
