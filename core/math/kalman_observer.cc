#include "core/math/kalman_observer.h"

namespace trestle::math {

KalmanObserver::KalmanObserver(const PlantModel& plant, const std::string& path)
    : forward_(plant.system.A),
      entry_(plant.system.B),
      reading_(plant.system.C),
      gain_(kalman_gain(plant, path)),
      prediction_(plant.states()),
      estimate_(plant.states()),
      correction_(plant.states()),
      innovation_(plant.drives()),
      displacement_(plant.drives()) {
  reset();
}

void KalmanObserver::reset() noexcept {
  prediction_.setZero();
  estimate_.setZero();
  correction_.setZero();
  innovation_.setZero();
  displacement_.setZero();
}

void KalmanObserver::start(const Eigen::Ref<const Eigen::VectorXd>& state) noexcept {
  prediction_ = state;
}

void KalmanObserver::correct(const Eigen::Ref<const Eigen::VectorXd>& measured) noexcept {
  innovation_ = measured;
  innovation_.noalias() -= reading_.lazyProduct(prediction_);
  correction_.noalias() = gain_.lazyProduct(innovation_);
  estimate_ = prediction_ + correction_;
  displacement_.noalias() = reading_.lazyProduct(estimate_);
}

void KalmanObserver::predict(const Eigen::Ref<const Eigen::VectorXd>& drive) noexcept {
  prediction_.noalias() = forward_.lazyProduct(estimate_);
  prediction_.noalias() += entry_.lazyProduct(drive);
}

template <typename Self, typename Archive>
void KalmanObserver::visit(Self& self, Archive& archive) {
  archive(self.prediction_, self.estimate_, self.correction_, self.displacement_);
}

void KalmanObserver::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void KalmanObserver::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::math
