#include "numerical/substructure/twin_updating.h"

#include <stdexcept>

#include "core/base/setting_error_collector.h"

namespace trestle::substructure {

TwinUpdating::TwinUpdating(const std::vector<TwinSettings>& settings,
                           const std::vector<structure::NonlinearSpring>& springs) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const TwinSettings& of = settings[i];
    Specimen specimen{.site = of.site,
                      .dof = of.dof,
                      .from_step = of.from_step,
                      .estimator = SettingErrorCollector::below(
                          "updating[" + std::to_string(i) + "]",
                          [&of] { return materials::HysteresisEstimator(of.specimen); }),
                      .twins = {}};
    for (const std::size_t spring : of.springs) {
      auto* const law = dynamic_cast<materials::TwinLaw*>(springs.at(spring).law.get());
      if (law == nullptr) throw std::invalid_argument("updating: a spring without a twin");
      specimen.twins.push_back(law);
    }
    specimens_.push_back(std::move(specimen));
    for (const char* number : {".stiffness", ".yield_force", ".hardening"}) {
      channels_.push_back({of.name + number, ""});
      channels_.push_back({of.name + number + "_sd", ""});
    }
    channels_.push_back({of.name + (of.turns ? ".innovation_Nm" : ".innovation_N"),
                         of.turns ? "N.m" : "N"});
    for (const char* pair :
         {".corr_stiffness_yield", ".corr_stiffness_hardening", ".corr_yield_hardening"})
      channels_.push_back({of.name + pair, ""});
  }
}

void TwinUpdating::reset() noexcept {
  for (Specimen& specimen : specimens_) specimen.estimator.reset();
}

void TwinUpdating::observe(std::int64_t step,
                           std::span<const SiteResponse> answers) noexcept {
  for (Specimen& specimen : specimens_) {
    const SiteResponse& answer = answers[specimen.site];
    specimen.estimator.observe(answer.measured[specimen.dof], answer.force[specimen.dof]);
    if (step < specimen.from_step) continue;
    for (materials::TwinLaw* twin : specimen.twins)
      twin->follow(specimen.estimator.factors());
  }
}

void TwinUpdating::write(std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const Specimen& specimen : specimens_) {
    const materials::LawFactors factors = specimen.estimator.factors();
    int number = 0;
    for (const double factor :
         {factors.stiffness, factors.yield_force, factors.hardening}) {
      row[at++] = factor;
      row[at++] = factor * specimen.estimator.deviation(number++);
    }
    row[at++] = specimen.estimator.innovation();
    row[at++] = specimen.estimator.correlation(0, 1);
    row[at++] = specimen.estimator.correlation(0, 2);
    row[at++] = specimen.estimator.correlation(1, 2);
  }
}

void TwinUpdating::save(SnapshotWriter& snapshot) const {
  for (const Specimen& specimen : specimens_) specimen.estimator.save(snapshot);
}

void TwinUpdating::restore(SnapshotReader& snapshot) {
  for (Specimen& specimen : specimens_) specimen.estimator.restore(snapshot);
}

}  // namespace trestle::substructure
