#pragma once

#include <vector>

#include "core/ports/numerical_substructure.h"

namespace trestle::bench {

/// What passed between a numerical substructure and its one site in a whole test, packed,
/// so that reading it again costs next to nothing.
class Talk {
 public:
  void add(const InterfaceMotion& target);
  void add(const SiteResponse& answer);

  std::int64_t steps() const noexcept { return steps_; }
  /// @pre 0 <= step < steps()
  void read(std::int64_t step, InterfaceMotion& target) const noexcept;
  /// @pre kInitialStep <= step < steps()
  void read(std::int64_t step, SiteResponse& answer) const noexcept;

 private:
  std::int64_t steps_ = 0;
  std::vector<double> targets_;  // displacement, velocity, acceleration of steps 0, 1, ...
  std::vector<double>
      answers_;  // measured, force of the initial measurement and of steps 0, 1, ...
  Eigen::Index controlled_ = 0;
  Eigen::Index forces_ = 0;
};

/// Another numerical substructure, with an ear at the door.
class OverheardSubstructure final : public NumericalSubstructure {
 public:
  /// @param inner  of one site; it and `talk` outlive this
  OverheardSubstructure(NumericalSubstructure& inner, Talk& talk);

  std::int64_t steps() const noexcept override { return inner_.steps(); }
  void prepare() override { inner_.prepare(); }
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  const Channels& channels() const noexcept override { return inner_.channels(); }
  void record(std::span<double> row) const noexcept override { inner_.record(row); }
  void snapshot(SnapshotWriter& snapshot) const override { inner_.snapshot(snapshot); }
  void restore(SnapshotReader& snapshot) override { inner_.restore(snapshot); }

 private:
  NumericalSubstructure& inner_;
  Talk& talk_;
};

}  // namespace trestle::bench
