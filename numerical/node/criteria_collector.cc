#include "numerical/node/criteria_collector.h"

#include <algorithm>

#include "core/evaluation/instability.h"

namespace trestle::integrator_node {
namespace {

constexpr std::size_t kPerActuator = 4;  // target, measured, force, moved
constexpr std::size_t kPerDof = 3;       // numerical, measured, force
constexpr std::size_t kMostNumbers = std::size_t{1} << 26;

std::size_t rows_for(std::size_t width, std::int64_t steps) {
  const std::size_t rows = static_cast<std::size_t>(std::max<std::int64_t>(steps, 0));
  return width == 0 || rows > kMostNumbers / width ? 0 : rows;
}

}  // namespace

CriteriaCollector::CriteriaCollector(const std::vector<AccountedSite>& sites,
                                     const Channels& motion, const Settings& settings)
    : window_(settings.window),
      latency_(std::max(settings.latency, 0)),
      later_(settings.pairing == Pairing::kOwnAnswer ? 0 : 1),
      answered_(sites.size(), kInitialStep) {
  columns_.late = static_cast<std::size_t>(latency_ + later_);
  for (const AccountedSite& recorded : sites) add_site(recorded, motion);
  for (const std::string& dof : settings.responses) add_response(dof, motion);
  // From the oldest without its answer to what the newest answer measures.
  rows_.assign(static_cast<std::size_t>(2 * latency_ + 2),
               std::vector<double>(width_, 0.0));
  history_ = evaluation::RunHistory(width_, rows_for(width_, settings.steps));
}

void CriteriaCollector::add_site(const AccountedSite& recorded, const Channels& motion) {
  SiteColumns site;
  site.actuators = width_;
  site.count = recorded.actuators.size();
  // An answer of pseudo-dynamic mode is a mean over many reads, each with its own noise.
  if (later_ > 0) site.noise = recorded.noise;
  for (const ActuatorDescription& actuator : recorded.actuators) {
    const int target = next_column();
    const int measured = next_column();
    const int force = next_column();
    columns_.actuators.push_back(
        {recorded.name + " " + actuator.name, target, measured, force, next_column()});
  }
  site.interface = width_;
  for (const InterfaceDof& dof : recorded.layout) {
    if (dof.role != DofRole::kControlled) continue;
    ++site.controlled;
    const int numerical = next_column();
    const int measured = next_column();
    columns_.interface.push_back({.name = dof.name,
                                  .numerical = numerical,
                                  .measured = measured,
                                  .force = next_column()});
  }
  // What it measures is relative to its support or to the state under gravity; model and
  // reference are not.
  for (std::size_t i = columns_.interface.size() - site.controlled;
       i < columns_.interface.size() && !recorded.relative; ++i) {
    const std::string reference = "reference." + columns_.interface[i].name;
    columns_.interface[i].reference = copied(motion, reference);
    columns_.interface[i].reference_force = copied(motion, reference, ".force_");
    columns_.interface[i].model = copied(motion, columns_.interface[i].name);
  }
  sites_.push_back(site);
}

void CriteriaCollector::add_response(const std::string& dof, const Channels& motion) {
  const int numerical = copied(motion, dof);
  if (numerical == evaluation::CriteriaColumns::kNone) return;
  columns_.responses.push_back({dof, numerical, copied(motion, "reference." + dof)});
}

int CriteriaCollector::copied(const Channels& motion, const std::string& dof,
                              const char* quantity) {
  for (std::size_t i = 0; i < motion.size(); ++i) {
    if (!motion[i].name.starts_with(dof + quantity)) continue;
    copied_.push_back({i, width_});
    return next_column();
  }
  return evaluation::CriteriaColumns::kNone;
}

void CriteriaCollector::answer(std::size_t site, const StepResponse& response) noexcept {
  const SiteColumns& columns = sites_[site];
  const ActuatorReport& report = response.actuators;
  const auto actuators = static_cast<Eigen::Index>(columns.count);
  const std::int64_t step = response.step;
  answered_[site] = std::max(answered_[site], step);
  const std::int64_t row = step + later_;
  if (row < 0) return;  // the initial measurement belongs to no step
  // The initial measurement of the actuators is useful, but nothing depends on it.
  if (report.target.size() == actuators && report.measured.size() == actuators &&
      report.force.size() == actuators)
    for (Eigen::Index i = 0; i < actuators; ++i) {
      const auto actuator = static_cast<std::size_t>(i);
      const std::size_t at = columns.actuators + kPerActuator * actuator;
      if (step >= 0) row_of(step)[at] = report.target[i];
      row_of(row)[at + 1] = report.measured[i];
      row_of(row)[at + 2] = report.force[i];
      row_of(row)[at + 3] = report.measured[i] -
                            columns.noise.of_displacement(actuator, response.measured_at);
    }
  // Until the first answer is in, nothing but the initial measurement is known.
  for (std::int64_t k = step < 0 ? 0 : row + latency_; k <= row + latency_; ++k)
    for (std::size_t i = 0; i < columns.controlled; ++i) {
      const auto dof = static_cast<Eigen::Index>(i);
      const std::size_t at = columns.interface + kPerDof * i;
      row_of(k)[at + 1] = response.measured[dof];
      row_of(k)[at + 2] =
          response.force[dof] - columns.noise.of_force(i, response.measured_at);
    }
}

void CriteriaCollector::missed(std::size_t site, std::int64_t step) noexcept {
  const SiteColumns& columns = sites_[site];
  const std::int64_t row = step + later_;
  for (std::size_t i = 0; i < columns.count; ++i) {
    const std::size_t at = columns.actuators + kPerActuator * i;
    if (step > 0) row_of(step)[at] = row_of(step - 1)[at];
    if (row == 0) continue;
    for (const std::size_t read : {at + 1, at + 2, at + 3})
      row_of(row)[read] = row_of(row - 1)[read];
  }
  for (std::size_t i = 0; row > 0 && i < columns.controlled; ++i) {
    const std::size_t at = columns.interface + kPerDof * i;
    for (const std::size_t read : {at + 1, at + 2})
      row_of(row + latency_)[read] = row_of(row - 1 + latency_)[read];
  }
}

void CriteriaCollector::close(std::span<const SiteTarget> requests,
                              std::span<const double> motion) noexcept {
  std::vector<double>& row = row_of(closed_);
  for (std::size_t s = 0; s < sites_.size(); ++s)
    for (std::size_t i = 0; i < sites_[s].controlled; ++i)
      row[sites_[s].interface + kPerDof * i] =
          requests[s].target.displacement[static_cast<Eigen::Index>(i)];
  for (const ColumnCopy& column : copied_) row[column.to] = motion[column.from];
  ++closed_;
  if (closed_ > latency_) history_.add(row_of(kept_++));
}

void CriteriaCollector::finish() noexcept {
  while (kept_ < closed_) history_.add(row_of(kept_++));
  finished_ = true;
}

std::int64_t CriteriaCollector::compared() const noexcept {
  const auto least = std::min_element(answered_.begin(), answered_.end());
  const std::int64_t last = kept_ - 1;
  return finished_ || least == answered_.end() ? last : std::min(last, *least + later_);
}

evaluation::Criteria CriteriaCollector::criteria(double period) const {
  const auto rows = static_cast<std::size_t>(compared() + 1);
  if (rows < history_.rows())
    return evaluation::evaluate(history_.first(rows), columns_, period, window_);
  return evaluation::evaluate(history_, columns_, period, window_);
}

bool CriteriaCollector::shows_instability(std::size_t site, const Fault& fault) const {
  if (trestle::evaluation::shows_instability(history_, columns_)) return true;
  if (fault.kind != FaultKind::kDisplacementLimit || site >= sites_.size()) return false;
  const auto actuator = static_cast<std::size_t>(fault.index);
  return fault.index >= 0 && actuator < sites_[site].count &&
         evaluation::ran_away(
             history_.column(sites_[site].actuators + kPerActuator * actuator),
             fault.value);
}

}  // namespace trestle::integrator_node
