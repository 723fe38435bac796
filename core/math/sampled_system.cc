#include "core/math/sampled_system.h"

namespace trestle::math {

SampledSystem::SampledSystem(const StateSpace& system, double period, Discretisation method)
    : system_(system),
      discrete_(discretise(system, period, method)),
      rate_of_rate_(system.C * system.A),
      state_(system.states()),
      next_(system.states()),
      output_(system.outputs()),
      rate_(system.outputs()),
      acceleration_(system.outputs()) {
  reset();
}

void SampledSystem::reset() noexcept {
  state_.setZero();
  next_.setZero();
  output_.setZero();
  rate_.setZero();
  acceleration_.setZero();
}

void SampledSystem::advance(const Eigen::Ref<const Eigen::VectorXd>& input) noexcept {
  next_.noalias() = discrete_.A.lazyProduct(state_);
  next_.noalias() += discrete_.B.lazyProduct(input);
  state_.swap(next_);
  output_.noalias() = discrete_.C.lazyProduct(state_);
  output_.noalias() += discrete_.D.lazyProduct(input);
  next_.noalias() = system_.A.lazyProduct(state_);
  next_.noalias() += system_.B.lazyProduct(input);
  rate_.noalias() = system_.C.lazyProduct(next_);
  acceleration_.noalias() = rate_of_rate_.lazyProduct(next_);
}

template <typename Self, typename Archive>
void SampledSystem::visit(Self& self, Archive& archive) {
  archive(self.state_, self.output_, self.rate_, self.acceleration_);
}

void SampledSystem::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SampledSystem::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::math
