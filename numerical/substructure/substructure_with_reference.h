#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/ports/numerical_substructure.h"

namespace trestle::substructure {

/// A numerical substructure with sites, and a reference structure without sites that runs
/// through the same steps for comparison. The integrator uses the first; displacements and
/// forces of the second follow in the record as `reference.<node>.<dof>.disp_m`,
/// `.force_N`, and what it calls `output.<name>`. A reference that diverges does not end
/// the test.
class SubstructureWithReference final : public NumericalSubstructure {
 public:
  /// @param reference  needs no site, and has at least as many steps
  /// @param every      n: one step of the reference in n of the test; between two of its
  ///                   steps its record is on the straight line from one to the next
  SubstructureWithReference(std::unique_ptr<NumericalSubstructure> test,
                            std::unique_ptr<NumericalSubstructure> reference,
                            int every = 1);

  const NumericalSubstructure& reference() const noexcept { return *reference_; }
  NumericalSubstructure& reference() noexcept { return *reference_; }
  /// The one that has the sites.
  const NumericalSubstructure& test() const noexcept { return *test_; }
  /// Replaces the reference by the result of `by`. Before prepare().
  /// @pre the result has each channel that this record copies, in the same order
  using Exchange = std::function<std::unique_ptr<NumericalSubstructure>(
      std::unique_ptr<NumericalSubstructure>)>;
  void exchange_reference(const Exchange& by);
  /// Returns the channels of a reference that this record copies.
  static std::vector<std::size_t> recorded_of(const Channels& reference);

  std::int64_t steps() const noexcept override { return test_->steps(); }
  void prepare() override;
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  ExcessiveResidual excessive_residual() const noexcept override {
    return test_->excessive_residual();
  }
  const ModelNotices* notices() const noexcept override { return test_->notices(); }
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  void look_at_reference();

  std::unique_ptr<NumericalSubstructure> test_;
  std::unique_ptr<NumericalSubstructure> reference_;
  int every_;
  Channels channels_;
  std::vector<std::size_t> recorded_;  // columns of the reference's own record
  mutable std::vector<double> reference_row_;
  // With several steps of the test in one of the reference:
  std::vector<double> last_row_;  // of its step before
  std::int64_t place_ = 0;        // of the test in the present one, 1 to every; 0: step 0
};

}  // namespace trestle::substructure
