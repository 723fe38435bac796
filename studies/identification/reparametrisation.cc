#include "studies/identification/reparametrisation.h"

#include <cmath>

namespace trestle::identification {

Reparametrisation::Reparametrisation(const VehicleModel& vehicle,
                                     const std::vector<Eigen::Index>& unknown) {
  for (std::size_t j = 0; j < unknown.size(); ++j) {
    const VehicleElement& element = vehicle.elements[static_cast<std::size_t>(unknown[j])];
    is_mass_.push_back(element.quantity == VehicleQuantity::kMass);
    if (is_mass_.back() && first_mass_ < 0) first_mass_ = static_cast<Eigen::Index>(j);
  }
  for (std::size_t j = 0; j < unknown.size(); ++j) {
    const VehicleElement& element = vehicle.elements[static_cast<std::size_t>(unknown[j])];
    if (first_mass_ < 0)
      over_.push_back(Over::kNothing);
    else if (static_cast<Eigen::Index>(j) == first_mass_)
      over_.push_back(Over::kItself);
    else
      over_.push_back(element.contacts.isZero(0.0) ? Over::kFirstMass : Over::kTotal);
  }
}

double Reparametrisation::total_mass(const Eigen::VectorXd& parameters) const {
  double total = 0.0;
  for (std::size_t j = 0; j < is_mass_.size(); ++j)
    if (is_mass_[j]) total += parameters(static_cast<Eigen::Index>(j));
  return total;
}

Eigen::VectorXd Reparametrisation::theta(const Eigen::VectorXd& parameters) const {
  Eigen::VectorXd theta = parameters.array().log();
  if (first_mass_ < 0) return theta;
  const double log_total = std::log(total_mass(parameters));
  const double log_first = std::log(parameters(first_mass_));
  for (std::size_t j = 0; j < over_.size(); ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    if (over_[j] == Over::kItself) theta(at) = log_total;
    if (over_[j] == Over::kFirstMass) theta(at) -= log_first;
    if (over_[j] == Over::kTotal) theta(at) -= log_total;
  }
  return theta;
}

Eigen::VectorXd Reparametrisation::parameters(const Eigen::VectorXd& theta) const {
  if (first_mass_ < 0) return theta.array().exp();
  double shares = 1.0;
  for (std::size_t j = 0; j < over_.size(); ++j)
    if (is_mass_[j] && over_[j] != Over::kItself)
      shares += std::exp(theta(static_cast<Eigen::Index>(j)));
  const double log_total = theta(first_mass_);
  const double log_first = log_total - std::log(shares);
  Eigen::VectorXd logarithms = theta;
  for (std::size_t j = 0; j < over_.size(); ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    if (over_[j] == Over::kItself) logarithms(at) = log_first;
    if (over_[j] == Over::kFirstMass) logarithms(at) += log_first;
    if (over_[j] == Over::kTotal) logarithms(at) += log_total;
  }
  return logarithms.array().exp();
}

Eigen::MatrixXd Reparametrisation::slope(const Eigen::VectorXd& parameters) const {
  const auto count = static_cast<Eigen::Index>(over_.size());
  Eigen::MatrixXd slope = Eigen::MatrixXd::Identity(count, count);
  if (first_mass_ < 0) return slope;
  Eigen::RowVectorXd first = Eigen::RowVectorXd::Zero(count);
  first(first_mass_) = 1.0;
  const double total = total_mass(parameters);
  for (Eigen::Index j = 0; j < count; ++j)
    if (is_mass_[static_cast<std::size_t>(j)] && j != first_mass_)
      first(j) = -parameters(j) / total;
  for (Eigen::Index j = 0; j < count; ++j) {
    const Over over = over_[static_cast<std::size_t>(j)];
    if (over == Over::kItself) slope.row(j) = first;
    if (over == Over::kFirstMass) slope.row(j) += first;
    if (over == Over::kTotal) slope(j, first_mass_) += 1.0;
  }
  return slope;
}

}  // namespace trestle::identification
