#include "numerical/node/criteria_collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trestle::integrator_node::criteria_account_test {
namespace {

constexpr double kPeriod = 0.01;  // [s]

/// Two actuators at x and rz, and a DOF that only answers a force.
std::vector<AccountedSite> one_site() {
  AccountedSite site;
  site.name = "bay";
  site.actuators = {{"1", DofKind::kTranslation}, {"2", DofKind::kTranslation}};
  site.layout = {{.name = "n.x"},
                 {.name = "n.rz", .kind = DofKind::kRotation},
                 {.name = "m.rz", .kind = DofKind::kRotation, .role = DofRole::kForceOnly}};
  return {site};
}

Channels motion() {
  return {{"n.x.disp_m", "m"},
          {"top.x.disp_m", "m"},
          {"top.x.vel_m_s", "m/s"},
          {"reference.n.x.disp_m", "m"},
          {"reference.n.rz.disp_rad", "rad"},
          {"reference.top.x.disp_m", "m"}};
}

/// What a transfer system without any delay but the step's own answers.
StepResponse response(std::int64_t step, double target) {
  StepResponse response;
  response.step = step;
  response.actuators.target = Eigen::Vector2d(target, -target);
  response.actuators.measured = Eigen::Vector2d(target, -0.5 * target);
  response.actuators.force = Eigen::Vector2d(1e3 * target, 0.0);
  response.actuators.command = response.actuators.target;
  response.measured = Eigen::Vector2d(target, 2.0 * target);
  response.force = Eigen::Vector3d::Zero();
  return response;
}

double target_of(int step) {
  return step < 10 || step > 60 ? 0.0 : std::sin(0.3 * (step - 10)) * (step - 10);
}

// The reference goes with the ground, and the rig does not: a perfect one had J7 99.9 %.
TEST(CriteriaCollector, ComparesNoTargetRelativeToASupportWithTheReference) {
  for (const bool relative : {false, true}) {
    std::vector<AccountedSite> sites = one_site();
    sites[0].relative = relative;
    CriteriaCollector account(sites, motion(), {.responses = {"top.x"}, .steps = 100});
    std::vector<SiteTarget> requests{{InterfaceMotion::zero(2), {}, {}}};
    account.answer(0, response(kInitialStep, 0.0));
    for (int k = 0; k < 100; ++k) {
      const double target = target_of(k);
      requests[0].target.displacement = Eigen::Vector2d(target, 2.0 * target);
      account.answer(0, response(k, target));
      const double ground = 0.1 * k;
      const double row[] = {target + ground, target, 0.0, target + ground, 0.0, target};
      account.close(requests, row);
    }
    const evaluation::Criteria found = account.criteria(kPeriod);
    EXPECT_EQ(found.benchmark[6].empty() || std::isnan(found.benchmark[6][0]), relative);
    EXPECT_EQ(found.benchmark[7].empty(), false) << "a response is no interface";
    EXPECT_FALSE(found.benchmark[4].empty()) << "measured against target is as ever";
  }
}

TEST(CriteriaCollector, PairsATargetWithWhatWasReadWhenItWentOut) {
  CriteriaCollector account(one_site(), motion(),
                            {.responses = {"top.x", "nowhere.x"}, .steps = 100});
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(2), {}, {}}};
  account.answer(0, response(kInitialStep, 0.0));
  for (int k = 0; k < 100; ++k) {
    const double target = target_of(k);
    requests[0].target.displacement = Eigen::Vector2d(target, 2.0 * target);
    account.answer(0, response(k, target));
    // The reference is one step late, and the top a tenth too large.
    const double late = k > 0 ? target_of(k - 1) : 0.0;
    const double row[] = {target, 1.1 * target, 9.0, late, 2.0 * late, target};
    account.close(requests, row);
  }
  const evaluation::Criteria found = account.criteria(kPeriod);
  // Read one step late: by that much J1 and J5, while the reference is as late.
  EXPECT_EQ(found.benchmark[0], (std::vector<double>{10.0, 10.0}));
  EXPECT_GT(found.benchmark[4][0], 1.0);
  EXPECT_DOUBLE_EQ(found.benchmark[4][0], found.benchmark[4][1]);
  EXPECT_EQ(found.benchmark[6], (std::vector<double>{0.0, 0.0}));
  EXPECT_NEAR(found.benchmark[7].at(0), 10.0, 1e-10);
  EXPECT_EQ(found.actuators, (std::vector<std::string>{"bay 1", "bay 2"}));
  EXPECT_EQ(found.interface, (std::vector<std::string>{"n.x", "n.rz"}));
  EXPECT_EQ(found.responses, std::vector<std::string>{"top.x"});
}

// A step that waits for its actuators is answered where they arrived: with perfect
// actuators there is no error, however far a step goes.
TEST(CriteriaCollector, PairsATargetWithItsOwnAnswerIfTheStepWaits) {
  CriteriaCollector account(
      one_site(), {}, {.steps = 100, .pairing = CriteriaCollector::Pairing::kOwnAnswer});
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(2), {}, {}}};
  account.answer(0, response(kInitialStep, 7.0));
  for (int k = 0; k < 100; ++k) {
    const double target = target_of(k);
    requests[0].target.displacement = Eigen::Vector2d(target, 2.0 * target);
    account.answer(0, response(k, target));
    account.close(requests, {});
  }
  const evaluation::Criteria found = account.criteria(kPeriod);
  EXPECT_EQ(found.benchmark[0][0], 0.0);
  EXPECT_EQ(found.benchmark[1][0], 0.0);
  EXPECT_NEAR(found.benchmark[1][1], 50.0, 1e-9);  // it stops half way
  EXPECT_EQ(found.benchmark[4], (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(found.synchronisation.at(0).rms_relative, 0.0);
}

TEST(CriteriaCollector, EvaluatesTheStepsDone) {
  CriteriaCollector account(one_site(), {}, {.steps = 1000});
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(2), {}, {}}};
  account.answer(0, response(kInitialStep, 0.25));
  for (int k = 0; k < 3; ++k) {
    account.answer(0, response(k, k + 1.0));
    account.close(requests, {});
  }
  // Targets 1, 2, 3; read 0.25, 1, 2 by the first actuator: the errors are −0.75, −1, −1.
  const evaluation::Criteria found = account.criteria(kPeriod);
  EXPECT_NEAR(found.benchmark[2][0], 100.0 / 3.0, 1e-12);
  EXPECT_NEAR(found.benchmark[1][0], 100.0 * std::sqrt(0.125 / 3.0 / 2.0), 1e-12);
}

/// The indices over this many steps with answers that come L steps later, of an ideal
/// actuator; some are missed.
evaluation::Criteria with_latency(int latency, const std::vector<int>& missed) {
  constexpr int kSteps = 100;
  CriteriaCollector account(one_site(), {}, {.steps = kSteps, .latency = latency});
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(2), {}, {}}};
  account.answer(0, response(kInitialStep, 0.0));
  for (int k = 0; k < kSteps + latency; ++k) {
    const int answered = k - latency;
    if (answered >= 0) {
      if (std::find(missed.begin(), missed.end(), answered) == missed.end())
        account.answer(0, response(answered, target_of(answered)));
      else
        account.missed(0, answered);
    }
    if (k >= kSteps) continue;
    requests[0].target.displacement = Eigen::Vector2d(target_of(k), 2.0 * target_of(k));
    account.close(requests, {});
  }
  account.finish();
  return account.criteria(kPeriod);
}

TEST(CriteriaCollector, CountsTheStepsOfLatencyAtTheInterfaceAlone) {
  const evaluation::Criteria lockstep = with_latency(0, {});
  for (const int latency : {1, 2, 5}) {
    const evaluation::Criteria found = with_latency(latency, {});
    EXPECT_EQ(found.benchmark[0], lockstep.benchmark[0]) << "the actuator is no later";
    EXPECT_EQ(found.benchmark[1], lockstep.benchmark[1]);
    double error = 0.0;
    double largest = 0.0;
    for (int k = 0; k < 100; ++k) {
      const double read = k > latency ? target_of(k - 1 - latency) : 0.0;
      error = std::max(error, std::abs(read - target_of(k)));
      largest = std::max(largest, std::abs(target_of(k)));
    }
    EXPECT_NEAR(found.benchmark[5][0], 100.0 * error / largest, 1e-9) << latency;
    EXPECT_GT(found.benchmark[5][0], lockstep.benchmark[5][0]);
  }
}

TEST(CriteriaCollector, TakesAMissedAnswerForTheOneBefore) {
  const evaluation::Criteria whole = with_latency(2, {});
  const evaluation::Criteria holed = with_latency(2, {30, 31});
  EXPECT_EQ(holed.benchmark[0], whole.benchmark[0]);
  EXPECT_GT(holed.benchmark[1][0], whole.benchmark[1][0]);
  EXPECT_LT(holed.benchmark[1][0], 1.5 * whole.benchmark[1][0]);
}

TEST(CriteriaCollector, DoesNotKeepWhatNoMemoryHolds) {
  CriteriaCollector account(one_site(), {}, {.steps = std::int64_t{1} << 40});
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(2), {}, {}}};
  account.answer(0, response(0, 1.0));
  account.close(requests, {});
  EXPECT_TRUE(account.criteria(kPeriod).delay.empty());
}

}  // namespace
}  // namespace trestle::integrator_node::criteria_account_test
