#include "gateway/openfresco_server/client_command.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::openfresco_server {
namespace {

using openfresco::Responses;

constexpr Responses kAll{3, 3, 3, 0, 1};

/// Two sites: x and rz, of which the first also measures a force where nothing moves, then
/// x.
GatewaySettings two_sites() {
  GatewaySettings settings;
  settings.sites = {{{"a.x", DofKind::kTranslation},
                     {"a.rz", DofKind::kRotation},
                     {"a.y", DofKind::kTranslation, DofRole::kForceOnly}},
                    {{"b.x", DofKind::kTranslation}}};
  settings.length = 0.0254;
  settings.force = 4448.2216;
  return settings;
}

std::vector<SiteTarget> requests_of(const GatewaySettings& settings) {
  std::vector<SiteTarget> requests;
  for (const InterfaceLayout& site : settings.sites)
    requests.push_back(
        {InterfaceMotion::zero(static_cast<Eigen::Index>(controlled_dofs(site))), {}, {}});
  return requests;
}

TEST(ClientCommand, ConvertsTheClientsUnitsThereAndBack) {
  const GatewaySettings settings = two_sites();
  ClientCommand motion(settings);
  auto requests = requests_of(settings);
  const std::vector<double> trial{2.0, 0.01, -3.0, 1, 1, 1, 2, 2, 2, 0.5};
  ASSERT_TRUE(motion.set_trial(kAll, trial));
  motion.command(requests);
  EXPECT_DOUBLE_EQ(requests[0].target.displacement[0], 2.0 * 0.0254);
  EXPECT_DOUBLE_EQ(requests[0].target.displacement[1], 0.01);  // rad
  EXPECT_DOUBLE_EQ(requests[1].target.displacement[0], -3.0 * 0.0254);
  EXPECT_EQ(requests[0].target.velocity.norm(), 0.0);

  std::vector<SiteResponse> answers(2);
  answers[0].measured = InterfaceVector::Constant(2, 0.0254);
  answers[0].force = InterfaceVector::Constant(3, 4448.2216);
  answers[1].measured = InterfaceVector::Constant(1, 0.0508);
  answers[1].force = InterfaceVector::Constant(1, 8896.4432);
  motion.measured(answers);
  std::vector<double> reply(16);
  motion.fill({3, 3, 3, 4, 1}, reply);
  EXPECT_DOUBLE_EQ(reply[0], 1.0);
  EXPECT_DOUBLE_EQ(reply[1], 0.0254);
  EXPECT_DOUBLE_EQ(reply[2], 2.0);
  EXPECT_EQ(reply[3], 1.0);  // the trial's velocities and accelerations
  EXPECT_EQ(reply[6], 2.0);
  EXPECT_DOUBLE_EQ(reply[9], 1.0);            // kip
  EXPECT_DOUBLE_EQ(reply[10], 1.0 / 0.0254);  // kip inches
  EXPECT_DOUBLE_EQ(reply[11], 2.0);
  EXPECT_DOUBLE_EQ(reply[12], 1.0);  // where nothing moves: behind all others
  EXPECT_EQ(reply[13], 0.5);
}

TEST(ClientCommand, MovesOnlyWhereADisplacementChanges) {
  const GatewaySettings settings = two_sites();
  ClientCommand motion(settings);
  auto requests = requests_of(settings);
  std::vector<double> trial(10, 0.0);
  motion.set_trial(kAll, trial);
  EXPECT_TRUE(motion.moves(false)) << "a first trial is a command, even to stay";
  motion.command(requests);
  EXPECT_FALSE(motion.moves(false));
  trial[4] = 1.0;  // a velocity
  trial[9] = 0.1;  // the time
  motion.set_trial(kAll, trial);
  EXPECT_FALSE(motion.moves(false));
  EXPECT_TRUE(motion.moves(true));
  trial[2] = 1e-16;
  motion.set_trial(kAll, trial);
  EXPECT_FALSE(motion.moves(false));
  trial[2] = 1e-15;
  motion.set_trial(kAll, trial);
  EXPECT_TRUE(motion.moves(false));
}

TEST(ClientCommand, RefusesNumbersThatAreNotFinite) {
  ClientCommand motion(two_sites());
  for (std::size_t place = 0; place < 10; ++place) {
    std::vector<double> trial(10, 0.0);
    trial[place] = std::nan("");
    EXPECT_FALSE(motion.set_trial(kAll, trial)) << place;
  }
}

}  // namespace
}  // namespace trestle::openfresco_server
