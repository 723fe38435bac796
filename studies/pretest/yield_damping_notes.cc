#include "studies/pretest/yield_damping_notes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/numerical/damping_factory.h"
#include "composition/numerical/mechanics_factory.h"
#include "composition/numerical/model_factory.h"
#include "studies/pretest/demand_factory.h"

namespace trestle::pretest {
namespace {

constexpr double kMatters = 0.05;  // of the yield force

/// A spring, a link or a hinge of the model.
struct YieldingSpring {
  std::string words;
  /// DOFs of its two ends; empty: the ground. Several: the velocity is their resultant.
  std::vector<std::array<std::string, 2>> ends;
  double length = 1.0;  // that the velocity is over: of a hinge's member
  double stiffness = 0.0;
  double yield_force = 0.0;
  double fastest = 0.0;  // of its ends against each other, over the length [m/s | rad/s]
};

std::string name_of(config::Dof dof) {
  constexpr std::array<const char*, 6> kNames{".x", ".y", ".rz", ".z", ".rx", ".ry"};
  return kNames.at(static_cast<std::size_t>(dof));
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

std::vector<std::array<std::string, 2>> translations(const std::string& from,
                                                     const std::string& to) {
  std::vector<std::array<std::string, 2>> ends;
  for (const char* dof : {".x", ".y", ".z"}) ends.push_back({from + dof, to + dof});
  return ends;
}

/// Links that yield become linear; along their line the velocity is at most the whole.
void add_links(config::Frame& frame, std::vector<YieldingSpring>& springs) {
  for (config::FrameLink& link : *frame.mutable_links()) {
    const auto directions = static_cast<std::size_t>(std::max(link.dofs_size(), 1));
    const auto laws = composition::make_link_laws(link.law(), directions, "law");
    const double yield = laws.front()->yield_force();
    if (!std::isfinite(yield)) continue;
    YieldingSpring spring{
        .words = "the link " +
                 (link.name().empty() ? link.from() + "-" + link.to() : link.name()),
        .ends = translations(link.from(), link.to()),
        .stiffness = laws.front()->initial_stiffness(),
        .yield_force = yield};
    link.mutable_law()->mutable_linear()->set_stiffness(spring.stiffness);
    if (link.dofs_size() == 0) springs.push_back(spring);
    for (const int dof : link.dofs()) {
      const std::string kind = name_of(static_cast<config::Dof>(dof));
      spring.ends = {{link.from() + kind, link.to() + kind}};
      springs.push_back(spring);
    }
  }
}

/// Hinges stay as they are: a linear one moves little, however stiff it is. Once they yield
/// they turn about as fast as their member does.
void add_hinges(const structure::StructuralModel& structure, const config::Frame& frame,
                std::vector<YieldingSpring>& springs) {
  for (const structure::NonlinearSpring& hinge : structure.springs) {
    if (hinge.member.empty() || !std::isfinite(hinge.law->yield_force())) continue;
    const auto member = std::find_if(
        frame.members().begin(), frame.members().end(),
        [&hinge](const config::Member& one) {
          return hinge.member ==
                 (one.name().empty() ? one.from() + "-" + one.to() : one.name());
        });
    if (member == frame.members().end()) continue;
    YieldingSpring spring{.words = "the hinge " + hinge.member + "." + hinge.end,
                          .ends = translations(member->from(), member->to()),
                          .length = 0.0,
                          .stiffness = hinge.law->initial_stiffness(),
                          .yield_force = hinge.law->yield_force()};
    for (const structure::AssembledMember& part : structure.members)
      if (part.name == hinge.member) spring.length += part.length;
    if (spring.length > 0.0) springs.push_back(std::move(spring));
  }
}

std::vector<YieldingSpring> make_linear(config::Numerical& numerical) {
  std::vector<YieldingSpring> springs;
  for (int i = 0; i < numerical.frame().springs_size(); ++i) {
    config::Spring& it = *numerical.mutable_frame()->mutable_springs(i);
    YieldingSpring spring;
    const std::string dof = name_of(it.dof());
    const std::string from = it.node() + dof;
    spring.ends = {{from, it.to().empty() ? "" : it.to() + dof}};
    spring.words = "the spring at " + from;
    if (make_linear(*it.mutable_law(), spring)) springs.push_back(std::move(spring));
  }
  // Of another model, to ask for its frame would replace it by one.
  if (numerical.has_frame()) add_links(*numerical.mutable_frame(), springs);
  for (int i = 0; i < numerical.shear_building().storeys_size(); ++i) {
    config::Storey& it = *numerical.mutable_shear_building()->mutable_storeys(i);
    if (!it.has_law()) continue;
    YieldingSpring spring;
    const std::string below =
        i > 0 ? numerical.shear_building().storeys(i - 1).name() + ".x" : "";
    spring.ends = {{it.name() + ".x", below}};
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
  std::vector<std::vector<std::array<int, 2>>> columns;
  for (const YieldingSpring& spring : springs) {
    auto& of_spring = columns.emplace_back();
    for (const auto& [from, to] : spring.ends)
      of_spring.push_back(
          {velocity_of(whole.channels(), from), velocity_of(whole.channels(), to)});
  }
  const auto at = [&row](int column) {
    return column < 0 ? 0.0 : row[static_cast<std::size_t>(column)];
  };
  whole.prepare();
  whole.correct(-1, {});
  for (std::int64_t step = 0; step < whole.steps(); ++step) {
    whole.predict(step, {});
    if (!whole.correct(step, {})) break;
    whole.record(row);
    for (std::size_t i = 0; i < springs.size(); ++i) {
      double velocity = 0.0;
      for (const auto& [from, to] : columns[i])
        velocity = std::hypot(velocity, at(from) - at(to));
      springs[i].fastest = std::max(springs[i].fastest, velocity / springs[i].length);
    }
  }
}

/// The nodes of all ends that can move.
void record_ends(const structure::StructuralModel& structure,
                 const std::vector<YieldingSpring>& springs, config::Test& test) {
  std::set<std::string> nodes;
  for (const YieldingSpring& spring : springs)
    for (const auto& ends : spring.ends)
      for (const std::string& dof : ends)
        if (structure.equation(dof) >= 0) nodes.insert(dof.substr(0, dof.rfind('.')));
  for (const std::string& node : nodes) test.mutable_recording()->add_nodes(node);
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
  const bool hinged =
      std::any_of(numerical.frame().members().begin(), numerical.frame().members().end(),
                  [](const config::Member& member) { return member.has_plastic(); });
  if (springs.empty() && !hinged) return {};
  test.clear_reference();
  test.clear_updating();
  test.clear_criteria();
  test.clear_recording();
  test.set_undivided(false);
  composition::NumericalParts parts = composition::numerical_parts(test);
  const structure::StructuralModel structure = composition::make_structure(
      test.numerical(), parts.experimental, "numerical", &test.excitation());
  add_hinges(structure, numerical.frame(), springs);
  const double factor =
      structure::rayleigh_factors(structure, composition::damping_model(damping, "damping"))
          .stiffness;
  if (factor == 0.0 || springs.empty()) return {};
  record_ends(structure, springs, test);
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
