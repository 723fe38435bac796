// What every law promises, on random paths: the stated tangent is that of differences, no
// energy comes out of it, a snapshot in the middle goes on to the same bits, and a trial
// leaves no trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/bouc_wen_law.h"
#include "numerical/materials/degrading_bouc_wen_law.h"
#include "numerical/materials/gap_law.h"
#include "numerical/materials/linear_law.h"
#include "numerical/materials/multi_linear_law.h"

namespace trestle::structure::law_paths_test {
namespace {

using Law = std::unique_ptr<materials::RestoringForce>;
using Draw = std::function<double(double, double)>;

constexpr double kStiffness = 1e6;
constexpr double kYield = 1e4;  // at 10 mm

Law any_law(int kind, const Draw& draw) {
  const double hardening = draw(0.0, 0.5);
  constexpr int kSlow = 70;  // one of so many is integrated in many parts
  switch (kind % kSlow == kSlow - 1 ? 6 : kind % 6) {
    case 0:
      return std::make_unique<materials::LinearLaw>(
          materials::LinearLawSettings{.stiffness = kStiffness});
    case 1:
      return std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
          .stiffness = kStiffness, .yield_force = kYield, .hardening = hardening});
    case 2: {
      const double beta = draw(0.5, 1.0);
      return std::make_unique<materials::BoucWenLaw>(
          materials::BoucWenLawSettings{.stiffness = kStiffness,
                                        .yield_force = kYield,
                                        .hardening = hardening,
                                        .n = draw(1.0, 4.0),
                                        .beta = beta,
                                        .gamma = 1.0 - beta});
    }
    case 3: {
      const double second = draw(0.1, 0.9) * kStiffness;
      const double third = draw(0.0, 1.0) * second;
      return std::make_unique<materials::MultiLinearLaw>(materials::MultiLinearLawSettings{
          .points = {{0.01, kYield},
                     {0.02, kYield + 0.01 * second},
                     {0.04, kYield + 0.01 * second + 0.02 * third}},
          .elastic = kind % 4 == 1});
    }
    case 6:
      return std::make_unique<materials::DegradingBoucWenLaw>(
          materials::DegradingBoucWenLawSettings{.smooth = {.stiffness = kStiffness,
                                                            .yield_force = kYield,
                                                            .hardening = hardening,
                                                            .n = draw(1.0, 3.0)},
                                                 .strength = draw(0.0, 0.1),
                                                 .softening = draw(0.0, 0.1),
                                                 .level = draw(0.0, 0.95),
                                                 .rate = draw(0.0, 1.0)});
    default:
      return std::make_unique<materials::GapLaw>(materials::GapLawSettings{
          .stiffness = kStiffness,
          .gap = draw(0.0, 0.01),
          .side = kind % 6 == 4 ? materials::GapSide::kGap : materials::GapSide::kHook});
  }
}

TEST(RestoringForces, KeepTheirPromisesOnTenThousandPaths) {
  constexpr int kPaths = 10000;
  constexpr int kTurns = 4;
  std::mt19937 generator(20);
  const Draw draw = [&generator](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(generator);
  };
  for (int path = 0; path < kPaths; ++path) {
    const auto seed = static_cast<unsigned>(generator());
    const auto make = [&] {
      std::mt19937 own(seed);
      return any_law(path, [&own](double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(own);
      });
    };
    const Law law = make();
    Law other;
    double at = 0.0;
    double force = law->trial(0.0, 0.0).force;
    double work = 0.0;
    for (int turn = 0; turn < kTurns; ++turn) {
      const double to = turn + 1 == kTurns ? 0.0 : draw(-0.03, 0.03);
      const double from = at;
      constexpr int kParts = 3;
      for (int part = 1; part <= kParts; ++part) {
        const double next = from + (to - from) * part / kParts;
        constexpr int kPoints = 8;
        for (int point = 1; point <= kPoints; ++point) {
          const double place = at + (next - at) * point / kPoints;
          const double there = law->trial(place, 0.0).force;
          work += 0.5 * (force + there) * (next - at) / kPoints;
          force = there;
        }
        constexpr double kAside = 1e-8;
        const materials::LawResponse before = law->trial(next - kAside, 0.0);
        const materials::LawResponse after = law->trial(next + kAside, 0.0);
        const materials::LawResponse there = law->trial(next, 0.0);
        // Between the two there may be a corner, where the tangent jumps.
        const double lowest =
            std::min({before.stiffness, there.stiffness, after.stiffness});
        const double highest =
            std::max({before.stiffness, there.stiffness, after.stiffness});
        const double slope = (after.force - before.force) / (2.0 * kAside);
        ASSERT_GE(slope, lowest - 1e-3 * kStiffness) << "path " << path;
        ASSERT_LE(slope, highest + 1e-3 * kStiffness) << "path " << path;
        ASSERT_LE(highest, law->largest_stiffness() * (1.0 + 1e-9)) << "path " << path;
        law->commit();
        if (other) {
          ASSERT_EQ(other->advance(next), there.force) << path;
        }
        force = there.force;
        at = next;
      }
      if (turn == kTurns / 2) {
        SnapshotWriter snapshot;
        law->save(snapshot);
        other = make();
        SnapshotReader reader(snapshot.values());
        other->restore(reader);
        ASSERT_TRUE(reader.at_end());
      }
    }
    // Back at zero, nothing came out; a trapezoid over a corner misses up to k h²/8, h 3
    // mm.
    ASSERT_GE(work, -15.0) << "path " << path;
  }
}

}  // namespace
}  // namespace trestle::structure::law_paths_test
