#include "gateway/openfresco_server/client_command.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trestle::openfresco_server {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();

bool all_finite(std::span<const double> values) noexcept {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

std::span<const double> part(std::span<const double> values, std::size_t at,
                             std::int32_t count) noexcept {
  return values.subspan(at, static_cast<std::size_t>(count));
}

void copy(std::span<const double> from, std::span<double> to, std::size_t at,
          std::int32_t count) noexcept {
  const std::size_t most = std::min(from.size(), static_cast<std::size_t>(count));
  std::copy_n(from.begin(), most, to.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

ClientCommand::ClientCommand(const GatewaySettings& settings) {
  std::vector<double> behind;
  for (const InterfaceLayout& site : settings.sites)
    for (const InterfaceDof& dof : site) {
      const bool turns = dof.kind == DofKind::kRotation;
      const double unit = 1.0 / (turns ? settings.force * settings.length : settings.force);
      if (dof.role == DofRole::kForceOnly) {
        behind.push_back(unit);
        continue;
      }
      force_.push_back(unit);
      length_.push_back(turns ? 1.0 : settings.length);
    }
  force_.insert(force_.end(), behind.begin(), behind.end());
  for (std::vector<double>* each : {&trial_.displacement, &trial_.velocity,
                                    &trial_.acceleration, &commanded_, &measured_})
    each->assign(length_.size(), 0.0);
  forces_.assign(force_.size(), 0.0);
}

void ClientCommand::reset() noexcept {
  for (std::vector<double>* each :
       {&trial_.displacement, &trial_.velocity, &trial_.acceleration, &commanded_,
        &measured_, &forces_})
    std::fill(each->begin(), each->end(), 0.0);
  trial_.time = commanded_at_ = 0.0;
  any_ = false;
}

bool ClientCommand::set_trial(const openfresco::Responses& sizes,
                              std::span<const double> values) noexcept {
  if (!all_finite(values.first(static_cast<std::size_t>(sizes.all())))) return false;
  copy(part(values, 0, sizes.displacement), trial_.displacement, 0, sizes.displacement);
  copy(part(values, sizes.velocity_at(), sizes.velocity), trial_.velocity, 0,
       sizes.velocity);
  copy(part(values, sizes.acceleration_at(), sizes.acceleration), trial_.acceleration, 0,
       sizes.acceleration);
  take_time(sizes, values);
  return true;
}

void ClientCommand::take_time(const openfresco::Responses& sizes,
                              std::span<const double> values) noexcept {
  if (sizes.time > 0 && std::isfinite(values[sizes.time_at()]))
    trial_.time = values[sizes.time_at()];
}

bool ClientCommand::moves(bool by_time) const noexcept {
  if (!any_) return true;
  if (by_time && std::abs(trial_.time - commanded_at_) > kRounding) return true;
  for (std::size_t i = 0; i < commanded_.size(); ++i)
    if (std::abs(trial_.displacement[i] - commanded_[i]) > kRounding) return true;
  return false;
}

void ClientCommand::command(std::span<SiteTarget> requests) noexcept {
  any_ = true;
  commanded_ = trial_.displacement;
  commanded_at_ = trial_.time;
  std::size_t dof = 0;
  for (SiteTarget& request : requests) {
    InterfaceVector& target = request.target.displacement;
    for (Eigen::Index i = 0; i < target.size(); ++i, ++dof)
      target[i] = trial_.displacement[dof] * length_[dof];
    request.target.velocity.setZero();
    request.target.acceleration.setZero();
  }
}

void ClientCommand::measured(std::span<const SiteResponse> answers) noexcept {
  std::size_t dof = 0;
  std::size_t behind = measured_.size();
  for (const SiteResponse& answer : answers)
    for (Eigen::Index i = 0; i < answer.force.size(); ++i) {
      const bool controlled = i < answer.measured.size();
      const std::size_t place = controlled ? dof++ : behind++;
      if (controlled) measured_[place] = answer.measured[i] / length_[place];
      forces_[place] = answer.force[i] * force_[place];
    }
}

void ClientCommand::fill(const openfresco::Responses& sizes,
                         std::span<double> reply) const noexcept {
  std::fill(reply.begin(), reply.end(), 0.0);
  copy(measured_, reply, 0, sizes.displacement);
  copy(trial_.velocity, reply, sizes.velocity_at(), sizes.velocity);
  copy(trial_.acceleration, reply, sizes.acceleration_at(), sizes.acceleration);
  copy(forces_, reply, sizes.force_at(), sizes.force);
  if (sizes.time > 0) reply[sizes.time_at()] = trial_.time;
}

}  // namespace trestle::openfresco_server
