#include "studies/pretest/assessment.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "site-servers/controllers/pass_through.h"
#include "studies/pretest/spectral_radius.h"

namespace trestle::pretest {
namespace {

/// How long a margin is looked for.
struct Search {
  double most_work;    ///< cubed states of all loops that are looked at
  double least_ticks;  ///< fewer would say too little, whatever they cost
};
/// About a tenth of a second, and a third of that.
constexpr Search kThorough{4e7, 8.0};
constexpr Search kBrief{1e7, 4.0};

std::size_t actuators_of(const ClosedLoop& loop) {
  std::size_t count = 0;
  for (const ClosedLoopSite& site : loop.sites)
    count += static_cast<std::size_t>(site.actuators());
  return count;
}

double shortest_tick(const ClosedLoop& loop) {
  double tick = loop.sites.front().tick();
  for (const ClosedLoopSite& site : loop.sites) tick = std::min(tick, site.tick());
  return tick;
}

/// A time step, in wall time [s].
double step_of(const ClosedLoop& loop) {
  return loop.sites.front().time_step * static_cast<double>(loop.numerical.commands());
}

bool unstable(const ClosedLoop& loop, const std::vector<double>& delays) {
  return spectral_radius(step_matrix(loop, delays)) > kStableRadius;
}

/// How much later `late` actuators of a loop may be.
/// @param late  of each: 1 or 0
DelayMargin margin_of(const ClosedLoop& loop, const std::vector<double>& late,
                      const Search& search) {
  const auto delays = [&](double delay) {
    std::vector<double> all;
    for (const double one : late) all.push_back(delay * one);
    return all;
  };
  const double tick = shortest_tick(loop);
  const Eigen::Index own = loop_states(loop, {});
  const Eigen::Index per_tick = loop_states(loop, delays(tick)) - own;
  double most = 0.0;
  for (double work = 0.0; work < search.most_work || most < search.least_ticks;) {
    most = next_trial_delay(most);
    work += std::pow(static_cast<double>(own) + most * static_cast<double>(per_tick), 3.0);
  }
  return delay_margin([&](double delay) { return unstable(loop, delays(delay)); }, tick,
                      most);
}

ClosedLoopStability look_at(const ClosedLoop& loop, MarginScope margins) {
  const LargestEigenvalue largest = largest_eigenvalue(step_matrix(loop, {}));
  ClosedLoopStability result{.spectral_radius = largest.modulus};
  result.frequency = largest.angle / (2.0 * M_PI * step_of(loop));
  result.stable = result.spectral_radius <= kStableRadius;
  const std::size_t actuators = actuators_of(loop);
  if (!result.stable || margins == MarginScope::kNone) return result;
  result.margin = margin_of(loop, std::vector<double>(actuators, 1.0), kThorough);
  if (margins != MarginScope::kAll) return result;
  if (actuators == 1) {
    result.per_actuator = {result.margin};
    return result;
  }
  for (std::size_t i = 0; i < actuators; ++i) {
    std::vector<double> late(actuators, 0.0);
    late[i] = 1.0;
    result.per_actuator.push_back(margin_of(loop, late, kBrief));
  }
  return result;
}

ClosedLoop without_compensation(ClosedLoop loop) {
  for (ClosedLoopSite& site : loop.sites)
    site.compensator.assign(static_cast<std::size_t>(site.actuators()),
                            LinearCompensatorModel{.targets = {1.0}});
  return loop;
}

ClosedLoop with_ideal_rigs(ClosedLoop loop) {
  for (ClosedLoopSite& site : loop.sites) {
    const std::vector<LinearRigModel> each(static_cast<std::size_t>(site.actuators()),
                                           delayed_actuator(0.0, 1.0, site.tick()));
    site.rig = site.ideal ? *site.ideal : side_by_side(each);
    site.controller =
        *controllers::PassThrough().linearise(static_cast<int>(site.actuators()));
  }
  return loop;
}

StabilityCase look_at_case(const TestClosedLoop& test, const ClosedLoop& loop,
                           bool compensates, MarginScope margins) {
  StabilityCase one;
  ClosedLoop bare = without_compensation(loop);
  if (test.bare) bare.numerical = *test.bare;
  one.compensated = look_at(loop, margins);
  one.uncompensated = compensates ? look_at(bare, margins) : one.compensated;
  if (margins == MarginScope::kNone) return one;
  const ClosedLoop ideal = with_ideal_rigs(bare);
  one.critical =
      margin_of(ideal, std::vector<double>(actuators_of(test.loop), 1.0), kThorough);
  one.unstable_already = one.critical.delay == 0.0 && unstable(ideal, {});
  return one;
}

/// Initial stiffness, then as many cases as the longest list has entries: every site with
/// its own entry, or its last if it has fewer.
std::vector<std::vector<double>> stiffness_cases(const TestClosedLoop& test) {
  std::size_t most = 0;
  for (const std::vector<double>& list : test.secants) most = std::max(most, list.size());
  std::vector<std::vector<double>> cases(1,
                                         std::vector<double>(test.loop.sites.size(), 1.0));
  for (std::size_t k = 0; k < most; ++k) {
    std::vector<double>& parts = cases.emplace_back();
    for (const std::vector<double>& list : test.secants)
      parts.push_back(list.empty() ? 1.0 : list[std::min(k, list.size() - 1)]);
  }
  return cases;
}

std::string kinds_in_words(const std::vector<std::string>& kinds) {
  std::string words;
  for (const std::string& kind : std::set<std::string>(kinds.begin(), kinds.end()))
    words += (words.empty() ? "" : ", ") + kind;
  return words;
}

}  // namespace

StabilityReport assess(const TestClosedLoop& test, MarginScope margins) {
  StabilityReport report;
  report.why = test.unknown;
  if (!test.unknown.empty()) return report;
  report.states = static_cast<int>(loop_states(test.loop, {}));
  if (report.states > kMostLoopStates) {
    report.why = "the loop has " + std::to_string(report.states) + " states; up to " +
                 std::to_string(kMostLoopStates) + " are looked at";
    return report;
  }
  report.known = true;
  report.why = test.approximate;
  report.compensators = kinds_in_words(test.compensators);
  report.compensates = report.compensators != "none";
  report.latency_steps = test.loop.latency_steps;
  report.latency = test.loop.latency_steps * step_of(test.loop);
  for (const ClosedLoopSite& site : test.loop.sites) {
    const std::vector<double> delays = low_frequency_delays(site);
    for (std::size_t i = 0; i < delays.size(); ++i)
      report.actuators.push_back(
          {.site = site.name,
           .number = static_cast<int>(i) + 1,
           .delay = delays[i],
           .left = delays[i] + low_frequency_delay(site.compensator[i], site.tick())});
  }
  for (const std::vector<double>& parts : stiffness_cases(test)) {
    ClosedLoop loop = test.loop;
    for (std::size_t i = 0; i < parts.size(); ++i)
      loop.sites[i].specimen = with_stiffness(loop.sites[i].specimen, parts[i]);
    StabilityCase one = look_at_case(test, loop, report.compensates, margins);
    one.stiffness_part = *std::min_element(parts.begin(), parts.end());
    report.cases.push_back(std::move(one));
  }
  return report;
}

}  // namespace trestle::pretest
