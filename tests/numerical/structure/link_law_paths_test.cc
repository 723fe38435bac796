// What dampers and sliding bearings promise, on random paths: the stated tangent is that of
// differences, no energy comes out of them, a snapshot in the middle continues to the same
// bits, and a trial leaves no trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "core/base/snapshot.h"
#include "numerical/materials/friction_pendulum.h"
#include "numerical/materials/viscous_law.h"

namespace trestle::structure::link_law_paths_test {
namespace {

using materials::FrictionPendulum;
using materials::FrictionPendulumSettings;
using materials::PendulumGeometry;
using materials::ViscousLaw;
using materials::ViscousLawSettings;
using Pair = FrictionPendulum::Pair;

constexpr int kPaths = 10000;
constexpr int kSteps = 40;

double any(std::mt19937& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

template <typename Law>
void restore_from(const Law& law, Law& copy) {
  SnapshotWriter snapshot;
  law.save(snapshot);
  SnapshotReader reader(snapshot.values());
  copy.restore(reader);
  ASSERT_TRUE(reader.at_end());
}

ViscousLawSettings any_damper(std::mt19937& random, bool braced) {
  return {.coefficient = any(random, 1e4, 1e6),
          .exponent = any(random, 0.1, 2.0),
          .stiffness = braced ? any(random, 1e6, 1e8) : 0.0};
}

TEST(ViscousLaw, KeepsItsPromisesOnTenThousandPaths) {
  std::mt19937 random(21);
  for (int path = 0; path < kPaths; ++path) {
    const bool braced = path % 2 == 0;
    const ViscousLawSettings settings = any_damper(random, braced);
    ViscousLaw law(settings);
    ViscousLaw copy(settings);
    const double time_step = any(random, 1e-3, 2e-2);
    law.set_time_step(time_step);
    copy.set_time_step(time_step);
    double at = 0.0;
    double work = 0.0;
    double passed = 0.0;  // work in either direction: the scale of what rounding leaves
    for (int step = 0; step < kSteps; ++step) {
      const double next = any(random, -0.02, 0.02);
      const double velocity = (next - at) / time_step;
      law.trial(any(random, -0.02, 0.02), any(random, -1.0, 1.0));
      // Step by step the velocity is that of the displacement.
      const double aside = 1e-6 * std::abs(velocity) + 1e-8;
      const auto tried = [&](double off) {
        return law.trial(next + off * time_step, velocity + off);
      };
      const auto tangent = [time_step](const materials::LawResponse& seen) {
        return seen.damping + time_step * seen.stiffness;
      };
      const materials::LawResponse less = tried(-aside);
      const materials::LawResponse more = tried(aside);
      const materials::LawResponse there = law.trial(next, velocity);
      const auto [lowest, highest] =
          std::minmax({tangent(less), tangent(there), tangent(more)});
      const double slope = (more.force - less.force) / (2.0 * aside);
      ASSERT_GE(slope, lowest * (1.0 - 1e-4)) << path << " " << step;
      ASSERT_LE(slope, highest * (1.0 + 1e-4)) << path << " " << step;
      ASSERT_LE(there.stiffness, law.largest_stiffness() * (1.0 + 1e-12));
      law.commit();
      const double given = there.force * (next - at);
      work += given;
      passed += std::abs(given);
      // Backward Euler: what the brace has stored is less than what was put in.
      const double stored =
          braced ? 0.5 * there.force * there.force / settings.stiffness : 0.0;
      ASSERT_GE(work - stored, -1e-12 * passed) << path << " " << step;
      if (step == kSteps / 2) restore_from(law, copy);
      if (step > kSteps / 2) {
        ASSERT_EQ(copy.advance(next, velocity), there.force) << path << " " << step;
      }
      at = next;
    }
  }
}

FrictionPendulumSettings any_bearing(std::mt19937& random, PendulumGeometry geometry) {
  const double radius = any(random, 1.0, 4.0);
  const double weight = any(random, 1e5, 2e6);
  return {.radius = radius,
          .friction = any(random, 0.01, 0.12),
          .stiffness = weight / radius * any(random, 5.0, 200.0),
          .weight = weight,
          .geometry = geometry};
}

/// Whether a tangent lies between those beside it, where the bearing may begin to slide.
void expect_slope(const std::array<materials::FrictionPendulum::Response, 3>& seen,
                  double aside, std::size_t j, double scale, int path) {
  for (std::size_t i = 0; i < 2; ++i) {
    const double slope = (seen[2].force[i] - seen[0].force[i]) / (2.0 * aside);
    const auto [lowest, highest] = std::minmax(
        {seen[0].stiffness[i][j], seen[1].stiffness[i][j], seen[2].stiffness[i][j]});
    ASSERT_GE(slope, lowest - 1e-4 * scale) << path << " " << i << j;
    ASSERT_LE(slope, highest + 1e-4 * scale) << path << " " << i << j;
  }
}

void keep_promises(PendulumGeometry geometry) {
  std::mt19937 random(22);
  for (int path = 0; path < kPaths; ++path) {
    const FrictionPendulumSettings settings = any_bearing(random, geometry);
    FrictionPendulum law(settings);
    FrictionPendulum copy(settings);
    const double reach = 0.15 * settings.radius;
    const double swinging = settings.weight / settings.radius;
    const double elastic = settings.stiffness - swinging;
    Pair at{};
    double work = 0.0;
    double passed = 0.0;
    for (int step = 0; step < kSteps; ++step) {
      const Pair next{any(random, -reach, reach), any(random, -reach, reach)};
      law.trial({any(random, -reach, reach), any(random, -reach, reach)});
      const double aside = 1e-7 * settings.radius;
      const FrictionPendulum::Response there = law.trial(next);
      for (std::size_t j = 0; j < 2; ++j) {
        Pair more = next;
        Pair less = next;
        more[j] += aside;
        less[j] -= aside;
        const FrictionPendulum::Response before = law.trial(less);
        const FrictionPendulum::Response after = law.trial(more);
        expect_slope({before, there, after}, aside, j, settings.stiffness, path);
        if (::testing::Test::HasFatalFailure()) return;
      }
      law.trial(next);
      law.commit();
      if (geometry == PendulumGeometry::kPlain) {
        // The swinging part is a spring. Of the rest backward Euler stores no more than
        // was put in.
        double stored = 0.0;
        for (std::size_t i = 0; i < 2; ++i) {
          const double sliding = there.force[i] - swinging * next[i];
          work += sliding * (next[i] - at[i]);
          passed += std::abs(sliding * (next[i] - at[i]));
          stored += 0.5 * sliding * sliding / elastic;
        }
        ASSERT_GE(work - stored, -1e-12 * passed) << path << " " << step;
      }
      if (step == kSteps / 2) restore_from(law, copy);
      if (step > kSteps / 2) {
        const FrictionPendulum::Response same = copy.trial(next);
        copy.commit();
        ASSERT_EQ(same.force, there.force) << path << " " << step;
      }
      at = next;
    }
  }
}

TEST(FrictionPendulum, KeepsItsPromisesOnTenThousandPaths) {
  keep_promises(PendulumGeometry::kPlain);
}

TEST(FrictionPendulum, OnTheSphereKeepsItsPromisesOnTenThousandPaths) {
  keep_promises(PendulumGeometry::kExact);
}

}  // namespace
}  // namespace trestle::structure::link_law_paths_test
