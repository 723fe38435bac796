#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/types/message.h"

namespace trestle {

/// Gathers the answers of all sites to one step.
///
/// Sized at set-up; accept() neither allocates nor trusts a length.
class SiteBarrier {
 public:
  /// @param layouts  interface DOFs of each site
  explicit SiteBarrier(const std::vector<InterfaceLayout>& layouts);

  /// Waits from now on for the answers to this step.
  void open(std::int64_t step) noexcept;

  enum class Verdict {
    kAccepted,
    kOld,          ///< of another step, or here already: not used
    kWrongLength,  ///< not the lengths that were agreed
    kNotFinite,    ///< a NaN or an infinity: never used
  };
  Verdict accept(std::size_t site, const StepResponse& response) noexcept;

  bool complete() const noexcept { return missing_ == 0; }
  bool has(std::size_t site) const noexcept { return here_[site]; }
  std::int64_t step() const noexcept { return step_; }

  /// @pre complete()
  std::span<const SiteAnswer> answers() const noexcept { return answers_; }

 private:
  std::int64_t step_ = kOpeningStep;
  std::size_t missing_ = 0;
  std::vector<SiteAnswer> answers_;
  std::vector<bool> here_;
};

}  // namespace trestle
