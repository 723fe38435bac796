#include "studies/pretest/yield_damping_notes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/numerical/damping_factory.h"
#include "composition/numerical/mechanics_factory.h"
#include "composition/numerical/model_factory.h"
#include "studies/pretest/demand_factory.h"

namespace trestle::pretest {
namespace {

constexpr double kMatters = 0.05;  // of the yield force

/// A spring of the model between two DOFs, with the law that its linear estimate replaces.
struct YieldingSpring {
  std::string words;
  std::string from;
  std::string to;  // empty: the ground
  double stiffness = 0.0;
  double yield_force = 0.0;
  double fastest = 0.0;  // velocity of its two ends against each other [m/s | rad/s]
};

const char* name_of(config::Dof dof) {
  return dof == config::DOF_RZ ? ".rz" : dof == config::DOF_Y ? ".y" : ".x";
}

/// Takes the law out of a message and leaves its initial stiffness there.
bool make_linear(config::RestoringForceLaw& law, YieldingSpring& spring) {
  const auto read = composition::make_restoring_force(law, "law");
  spring.stiffness = read->initial_stiffness();
  spring.yield_force = read->yield_force();
  if (!std::isfinite(spring.yield_force)) return false;
  law.mutable_linear()->set_stiffness(spring.stiffness);
  return true;
}

std::vector<YieldingSpring> make_linear(config::Numerical& numerical) {
  std::vector<YieldingSpring> springs;
  for (int i = 0; i < numerical.frame().springs_size(); ++i) {
    config::Spring& it = *numerical.mutable_frame()->mutable_springs(i);
    YieldingSpring spring;
    const std::string dof = name_of(it.dof());
    spring.from = it.node() + dof;
    if (!it.to().empty()) spring.to = it.to() + dof;
    spring.words = "the spring at " + spring.from;
    if (make_linear(*it.mutable_law(), spring)) springs.push_back(std::move(spring));
  }
  for (int i = 0; i < numerical.shear_building().storeys_size(); ++i) {
    config::Storey& it = *numerical.mutable_shear_building()->mutable_storeys(i);
    if (!it.has_law()) continue;
    YieldingSpring spring;
    spring.from = it.name() + ".x";
    if (i > 0) spring.to = numerical.shear_building().storeys(i - 1).name() + ".x";
    spring.words = "storey " + it.name();
    if (make_linear(*it.mutable_law(), spring)) springs.push_back(std::move(spring));
  }
  return springs;
}

/// Returns the record's column of a DOF's velocity; the ground and fixed DOFs have none.
int velocity_of(const Channels& channels, const std::string& dof) {
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (!dof.empty() && channels[i].name.starts_with(dof + ".vel_"))
      return static_cast<int>(i);
  return -1;
}

void run_through(NumericalSubstructure& whole, std::vector<YieldingSpring>& springs) {
  std::vector<double> row(whole.channels().size());
  std::vector<std::array<int, 2>> columns;
  for (const YieldingSpring& spring : springs)
    columns.push_back({velocity_of(whole.channels(), spring.from),
                       velocity_of(whole.channels(), spring.to)});
  const auto at = [&row](int column) {
    return column < 0 ? 0.0 : row[static_cast<std::size_t>(column)];
  };
  whole.prepare();
  whole.correct(-1, {});
  for (std::int64_t step = 0; step < whole.steps(); ++step) {
    whole.predict(step, {});
    if (!whole.correct(step, {})) break;
    whole.record(row);
    for (std::size_t i = 0; i < springs.size(); ++i)
      springs[i].fastest =
          std::max(springs[i].fastest, std::abs(at(columns[i][0]) - at(columns[i][1])));
  }
}

}  // namespace

std::vector<std::string> yield_damping_notes(const config::Test& given) {
  const config::Numerical& numerical = given.numerical();
  const config::Damping& damping = numerical.has_frame()
                                       ? numerical.frame().damping()
                                       : numerical.shear_building().damping();
  if (!damping.has_rayleigh() ||
      damping.rayleigh().stiffness() != config::RAYLEIGH_STIFFNESS_INITIAL)
    return {};
  config::Test test = given;
  std::vector<YieldingSpring> springs = make_linear(*test.mutable_numerical());
  if (springs.empty()) return {};
  test.clear_reference();
  test.clear_criteria();
  test.clear_recording();
  for (const YieldingSpring& spring : springs)
    for (const std::string& dof : {spring.from, spring.to})
      if (!dof.empty()) test.mutable_recording()->add_nodes(dof.substr(0, dof.rfind('.')));
  test.set_undivided(false);
  composition::NumericalParts parts = composition::numerical_parts(test);
  const double factor =
      structure::rayleigh_factors(
          composition::make_structure(test.numerical(), parts.experimental, "numerical",
                                      &test.excitation()),
          composition::damping_model(damping, "damping"))
          .stiffness;
  if (factor == 0.0) return {};
  parts.undivided = linear_specimens(test, parts.experimental);
  test.set_undivided(true);
  run_through(*composition::make_numerical(test, std::move(parts), nullptr), springs);
  std::vector<std::string> notes;
  for (const YieldingSpring& spring : springs) {
    const double part = factor * spring.stiffness * spring.fastest / spring.yield_force;
    if (part < kMatters) continue;
    std::array<char, 200> text{};
    std::snprintf(text.data(), text.size(),
                  "in %.60s the damping force reaches %.0f %% of its yield force at the "
                  "velocity that the linear estimate gives; consider stiffness: elastic",
                  spring.words.c_str(), 100.0 * part);
    notes.emplace_back(text.data());
  }
  return notes;
}

}  // namespace trestle::pretest
