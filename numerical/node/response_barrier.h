#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/types/message.h"

namespace trestle::integrator_node {

/// Gathers the answers of all sites to one step.
///
/// Answers to one of the next steps are kept until theirs is opened: in real time a site
/// does not wait for the others. Sized at set-up; accept() neither allocates nor trusts a
/// length.
class ResponseBarrier {
 public:
  /// @param layouts  interface DOFs of each site
  /// @param ahead    number of steps by which an answer may be ahead of the awaited step
  explicit ResponseBarrier(const std::vector<InterfaceLayout>& layouts, int ahead = 0);

  /// Waits from now on for the answers to this step.
  void open(std::int64_t step) noexcept;

  enum class Result {
    kAccepted,
    kQueued,       ///< kept for its step
    kStale,        ///< of an earlier step, or here already: not used
    kOutOfRange,   ///< of a step that was not requested yet: not used
    kWrongLength,  ///< not the lengths that were agreed
    kNotFinite,    ///< a NaN or an infinity: never used
  };
  Result accept(std::size_t site, const StepResponse& response) noexcept;

  /// Replaces a missing response by the polynomial of this order (0 to 2) through the
  /// site's last responses, one step apart.
  void extrapolate(std::size_t site, int order) noexcept;

  bool complete() const noexcept { return missing_ == 0; }
  bool has(std::size_t site) const noexcept { return sites_[site].here; }
  std::int64_t step() const noexcept { return step_; }

  /// @pre complete()
  std::span<const SiteResponse> answers() const noexcept { return answers_; }

 private:
  struct QueuedResponse {
    std::int64_t step = kInitialStep;
    SiteResponse answer;
  };
  struct Site {
    bool here = false;
    std::array<SiteResponse, 3> past;   ///< newest first
    std::vector<QueuedResponse> ahead;  ///< a ring; empty: none is kept
  };

  void take(std::size_t site, const SiteResponse& answer) noexcept;

  std::int64_t ahead_;
  std::int64_t step_ = kInitialStep;
  std::size_t missing_ = 0;
  std::vector<SiteResponse> answers_;
  std::vector<Site> sites_;
};

}  // namespace trestle::integrator_node
