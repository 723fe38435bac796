#include "core/math/sampled_system.h"

#include <utility>

namespace trestle::math {

SampledSystem::SampledSystem(const StateSpace& system, double period,
                             Discretisation method) {
  DiscreteStateSpace discrete = discretise(system, period, method);
  step_ = {.discrete_A = std::move(discrete.A),
           .discrete_B = std::move(discrete.B),
           .discrete_C = std::move(discrete.C),
           .discrete_D = std::move(discrete.D),
           .A = system.A,
           .B = system.B,
           .C = system.C,
           .rate_of_rate = system.C * system.A,
           .state = Eigen::VectorXd(system.states()),
           .next = Eigen::VectorXd(system.states()),
           .output = Eigen::VectorXd(system.outputs()),
           .rate = Eigen::VectorXd(system.outputs()),
           .acceleration = Eigen::VectorXd(system.outputs())};
  reset();
}

void SampledSystem::reset() noexcept {
  step_.reset();
}

void SampledSystem::advance(const Eigen::Ref<const Eigen::VectorXd>& input) noexcept {
  step_.advance(input);
}

template <typename Self, typename Archive>
void SampledSystem::visit(Self& self, Archive& archive) {
  archive(self.step_.state, self.step_.output, self.step_.rate, self.step_.acceleration);
}

void SampledSystem::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SampledSystem::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::math
