#pragma once

#include <memory>
#include <vector>

#include "core/ports/numerical_substructure.h"

namespace trestle {

/// A numerical substructure with sites, and beside it a structure without any that goes
/// through the same steps: what the test is compared with. To whoever conducts the test it
/// is the first; displacements and forces of the second follow in the record as
/// `reference.<node>.<dof>.disp_m`, `.force_N`. A reference that diverges does not end the
/// test.
class ReferencedSubstructure final : public NumericalSubstructure {
 public:
  /// @param reference  asks no site for anything, and has at least as many steps
  ReferencedSubstructure(std::unique_ptr<NumericalSubstructure> test,
                         std::unique_ptr<NumericalSubstructure> reference);

  std::int64_t steps() const noexcept override { return test_->steps(); }
  void prepare() override;
  void predict(std::int64_t step, std::span<SiteRequest> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteAnswer> answers) noexcept override;
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  std::unique_ptr<NumericalSubstructure> test_;
  std::unique_ptr<NumericalSubstructure> reference_;
  Channels channels_;
  std::vector<std::size_t> displacements_;  // columns of the reference's own record
  mutable std::vector<double> reference_row_;
};

}  // namespace trestle
