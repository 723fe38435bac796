#include "composition/numerical/mechanics_factory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/setting_error.h"
#include "core/base/setting_error_collector.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/bouc_wen_law.h"
#include "numerical/materials/degrading_bouc_wen_law.h"
#include "numerical/materials/friction_pendulum.h"
#include "numerical/materials/gap_law.h"
#include "numerical/materials/linear_law.h"
#include "numerical/materials/multi_linear_law.h"
#include "numerical/materials/viscous_law.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

std::unique_ptr<materials::RestoringForce> linear(const config::LinearLaw& law) {
  return std::make_unique<materials::LinearLaw>(
      materials::LinearLawSettings{.stiffness = law.stiffness()});
}

/// `rigid` is read as infinite; a hinge replaces it by its member's stiffness.
void refuse_rigid(double stiffness) {
  if (std::isinf(stiffness))
    throw SettingError("stiffness",
                       "rigid is of a hinge of a member (plastic); give a number here");
}

std::unique_ptr<materials::RestoringForce> bilinear(const config::BilinearLaw& law) {
  refuse_rigid(law.stiffness());
  return std::make_unique<materials::BilinearLaw>(
      materials::BilinearLawSettings{.stiffness = law.stiffness(),
                                     .yield_force = law.yield_force(),
                                     .hardening = law.hardening()});
}

std::unique_ptr<materials::RestoringForce> degrading(
    const config::BoucWenLaw& law, const materials::BoucWenLawSettings& smooth) {
  const config::Degrading& wear = law.degrading();
  const config::Pinching& pinch = law.pinching();
  materials::DegradingBoucWenLawSettings settings{.smooth = smooth,
                                                  .strength = wear.strength(),
                                                  .softening = wear.stiffness(),
                                                  .level = pinch.level(),
                                                  .rate = pinch.rate(),
                                                  .spread_rate = pinch.spread_rate()};
  if (pinch.has_q()) settings.offset = pinch.q();
  if (pinch.has_spread()) settings.spread = pinch.spread();
  if (pinch.has_interaction()) settings.interaction = pinch.interaction();
  return std::make_unique<materials::DegradingBoucWenLaw>(settings);
}

std::unique_ptr<materials::RestoringForce> bouc_wen(const config::BoucWenLaw& law) {
  refuse_rigid(law.stiffness());
  materials::BoucWenLawSettings settings{.stiffness = law.stiffness(),
                                         .yield_force = law.yield_force(),
                                         .hardening = law.hardening()};
  if (law.has_n()) settings.n = law.n();
  if (law.has_beta()) settings.beta = law.beta();
  if (law.has_gamma()) settings.gamma = law.gamma();
  if (law.has_degrading() || law.has_pinching()) return degrading(law, settings);
  return std::make_unique<materials::BoucWenLaw>(settings);
}

std::unique_ptr<materials::RestoringForce> multi_linear(const config::MultiLinearLaw& law) {
  materials::MultiLinearLawSettings settings{.points = {}, .elastic = law.elastic()};
  for (const config::LawPoint& point : law.points())
    settings.points.push_back(
        {.displacement = point.displacement(), .force = point.force()});
  return std::make_unique<materials::MultiLinearLaw>(settings);
}

template <typename Law>
std::unique_ptr<materials::RestoringForce> gap(const Law& law, materials::GapSide side) {
  return std::make_unique<materials::GapLaw>(
      materials::GapLawSettings{.stiffness = law.stiffness(),
                                .gap = law.gap(),
                                .side = side,
                                .damping = law.damping()});
}

std::unique_ptr<materials::RestoringForce> viscous(const config::ViscousLaw& law) {
  return std::make_unique<materials::ViscousLaw>(
      materials::ViscousLawSettings{.coefficient = law.coefficient(),
                                    .exponent = law.exponent(),
                                    .stiffness = law.stiffness()});
}

std::vector<std::unique_ptr<materials::RestoringForce>> pendulum(
    const config::FrictionPendulumLaw& law, std::size_t directions) {
  const auto both =
      std::make_shared<materials::FrictionPendulum>(materials::FrictionPendulumSettings{
          .radius = law.radius(),
          .friction = law.friction(),
          .stiffness = law.stiffness(),
          .weight = law.weight(),
          .geometry = law.geometry() == config::PENDULUM_GEOMETRY_EXACT
                          ? materials::PendulumGeometry::kExact
                          : materials::PendulumGeometry::kPlain});
  const auto at = std::make_shared<materials::FrictionPendulum::Pair>();
  std::vector<std::unique_ptr<materials::RestoringForce>> laws;
  // Alone, the other direction stays at zero.
  for (std::size_t i = 0; i < std::min<std::size_t>(directions, 2); ++i)
    laws.push_back(std::make_unique<materials::PendulumDirection>(both, at, i));
  return laws;
}

std::unique_ptr<materials::RestoringForce> one_direction(
    const config::RestoringForceLaw& law) {
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
      return gap(law.gap(), materials::GapSide::kGap);
    case config::RestoringForceLaw::kHook:
      return gap(law.hook(), materials::GapSide::kHook);
    case config::RestoringForceLaw::kViscous:
      return viscous(law.viscous());
    case config::RestoringForceLaw::kFrictionPendulum:
      throw SettingError("", "friction-pendulum is of a link along one DOF or two");
    case config::RestoringForceLaw::KIND_NOT_SET:
      break;
  }
  throw SettingError(
      "",
      "no law given; write kind: linear, bilinear, bouc-wen, multi-linear, gap "
      "or hook");
}

}  // namespace

std::unique_ptr<materials::RestoringForce> make_restoring_force(
    const config::RestoringForceLaw& law, const std::string& path) {
  return SettingErrorCollector::below(path, [&law] {
    if (law.has_viscous() || law.has_friction_pendulum())
      throw SettingError("",
                         std::string(law.has_viscous() ? "viscous" : "friction-pendulum") +
                             " is of links between two nodes of a frame; write it "
                             "under `links`");
    if (law.gap().damping() != 0.0 || law.hook().damping() != 0.0)
      throw SettingError(law.has_gap() ? "gap.damping" : "hook.damping",
                         "is of links between two nodes of a frame; write the law under "
                         "`links`");
    return one_direction(law);
  });
}

std::vector<std::unique_ptr<materials::RestoringForce>> make_link_laws(
    const config::RestoringForceLaw& law, std::size_t directions, const std::string& path) {
  return SettingErrorCollector::below(path, [&] {
    if (law.kind_case() == config::RestoringForceLaw::KIND_NOT_SET)
      throw SettingError("",
                         "no law given; write kind: linear, bilinear, bouc-wen, "
                         "multi-linear, gap, hook, viscous or friction-pendulum");
    if (law.has_friction_pendulum()) return pendulum(law.friction_pendulum(), directions);
    std::vector<std::unique_ptr<materials::RestoringForce>> laws;
    for (std::size_t i = 0; i < directions; ++i) laws.push_back(one_direction(law));
    return laws;
  });
}

}  // namespace trestle::composition
