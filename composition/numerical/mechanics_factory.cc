#include "composition/numerical/mechanics_factory.h"

#include "core/base/setting_error.h"
#include "core/base/setting_error_collector.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/bouc_wen_law.h"
#include "numerical/materials/gap_law.h"
#include "numerical/materials/linear_law.h"
#include "numerical/materials/multi_linear_law.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

std::unique_ptr<materials::RestoringForce> linear(const config::LinearLaw& law) {
  return std::make_unique<materials::LinearLaw>(
      materials::LinearLawSettings{.stiffness = law.stiffness()});
}

std::unique_ptr<materials::RestoringForce> bilinear(const config::BilinearLaw& law) {
  return std::make_unique<materials::BilinearLaw>(
      materials::BilinearLawSettings{.stiffness = law.stiffness(),
                                     .yield_force = law.yield_force(),
                                     .hardening = law.hardening()});
}

std::unique_ptr<materials::RestoringForce> bouc_wen(const config::BoucWenLaw& law) {
  materials::BoucWenLawSettings settings{.stiffness = law.stiffness(),
                                         .yield_force = law.yield_force(),
                                         .hardening = law.hardening()};
  if (law.has_n()) settings.n = law.n();
  if (law.has_beta()) settings.beta = law.beta();
  if (law.has_gamma()) settings.gamma = law.gamma();
  return std::make_unique<materials::BoucWenLaw>(settings);
}

std::unique_ptr<materials::RestoringForce> multi_linear(const config::MultiLinearLaw& law) {
  materials::MultiLinearLawSettings settings{.points = {}, .elastic = law.elastic()};
  for (const config::LawPoint& point : law.points())
    settings.points.push_back(
        {.displacement = point.displacement(), .force = point.force()});
  return std::make_unique<materials::MultiLinearLaw>(settings);
}

std::unique_ptr<materials::RestoringForce> gap(double stiffness, double gap,
                                               materials::GapSide side) {
  return std::make_unique<materials::GapLaw>(
      materials::GapLawSettings{.stiffness = stiffness, .gap = gap, .side = side});
}

}  // namespace

std::unique_ptr<materials::RestoringForce> make_restoring_force(
    const config::RestoringForceLaw& law, const std::string& path) {
  return SettingErrorCollector::below(
      path, [&law]() -> std::unique_ptr<materials::RestoringForce> {
        switch (law.kind_case()) {
          case config::RestoringForceLaw::kLinear:
            return linear(law.linear());
          case config::RestoringForceLaw::kBilinear:
            return bilinear(law.bilinear());
          case config::RestoringForceLaw::kBoucWen:
            return bouc_wen(law.bouc_wen());
          case config::RestoringForceLaw::kMultiLinear:
            return multi_linear(law.multi_linear());
          case config::RestoringForceLaw::kGap:
            return gap(law.gap().stiffness(), law.gap().gap(), materials::GapSide::kGap);
          case config::RestoringForceLaw::kHook:
            return gap(law.hook().stiffness(), law.hook().gap(), materials::GapSide::kHook);
          case config::RestoringForceLaw::KIND_NOT_SET:
            break;
        }
        throw SettingError(
            "",
            "no law given; write kind: linear, bilinear, bouc-wen, multi-linear, gap "
            "or hook");
      });
}

}  // namespace trestle::composition
