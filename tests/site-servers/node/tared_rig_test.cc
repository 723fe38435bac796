// A tare is subtracted once, at the border of a site, and can be taken away again.
#include "site-servers/node/tared_rig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "site-servers/node/rig_tare_command.h"

namespace trestle::site_node::tared_rig_test {
namespace {

/// Two actuators, one load cell and a strain gauge. A stale read leaves what it was given.
class Rig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    RigDescription description;
    description.actuators = {{"1", DofKind::kTranslation}, {"2", DofKind::kRotation}};
    description.reactions = 1;
    description.extra = {{"strain", "1"}, {"oil", "bar"}};
    return description;
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    if (fresh) {
      sensed.displacement = ActuatorVector::Constant(2, 0.25);
      sensed.force = force;
      sensed.force_only = InterfaceVector::Constant(1, 64.0);
    }
    return status;
  }
  AdapterStatus write(const ActuatorVector& /*drive*/) noexcept override {
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {}
  std::span<const double> auxiliary_channels() const noexcept override { return further; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  ActuatorVector force = ActuatorVector::Constant(2, 1000.0);
  std::vector<double> further{0.5, 207.0};
  AdapterStatus status = AdapterStatus::kOk;
  bool fresh = true;
};

Measurement read(TaredRig& rig) {
  Measurement sensed = Measurement::zero(2, 1);
  EXPECT_EQ(rig.read(TimePoint{}, sensed), AdapterStatus::kOk);
  return sensed;
}

RigTare tare(std::vector<TareOffset> offsets) {
  return {std::move(offsets), "place/tare"};
}

const std::vector<TareOffset> kAll{{"1.force", "N", 250.0, "today"},
                                   {"2.force", "N.m", -8.0, "today"},
                                   {"load cell 1", "N", 4.0, "today"},
                                   {"strain", "1", 0.125, "today"}};

TEST(TaredRig, GivesTheEquipmentsReadingMinusTheTareOfEachChannel) {
  Rig equipment;
  TaredRig rig(equipment);
  ASSERT_EQ(rig.set(tare(kAll)), "");
  const Measurement sensed = read(rig);
  EXPECT_EQ(sensed.force[0], 750.0);
  EXPECT_EQ(sensed.force[1], 1008.0);
  EXPECT_EQ(sensed.force_only[0], 60.0);
  EXPECT_EQ(sensed.displacement, ActuatorVector::Constant(2, 0.25));
  ASSERT_EQ(rig.auxiliary_channels().size(), 2U);
  EXPECT_EQ(rig.auxiliary_channels()[0], 0.375);
  EXPECT_EQ(rig.auxiliary_channels()[1], 207.0);
  // The equipment's reading is that of the site plus the tare.
  EXPECT_EQ(sensed.force[0] + rig.tare().find("1.force")->value, equipment.force[0]);
}

TEST(TaredRig, SubtractsNothingTwiceFromAReadingThatIsNotFresh) {
  Rig equipment;
  TaredRig rig(equipment);
  ASSERT_EQ(rig.set(tare(kAll)), "");
  Measurement sensed = read(rig);
  equipment.fresh = false;
  for (const AdapterStatus status : {AdapterStatus::kOk, AdapterStatus::kLate}) {
    equipment.status = status;
    EXPECT_EQ(rig.read(TimePoint{}, sensed), status);
    EXPECT_EQ(sensed.force[0], 750.0);
    EXPECT_EQ(sensed.force_only[0], 60.0);
  }
}

TEST(TaredRig, IsTheRigItselfWithoutATare) {
  Rig equipment;
  TaredRig rig(equipment);
  EXPECT_EQ(read(rig).force[0], 1000.0);
  ASSERT_EQ(rig.set(tare(kAll)), "");
  ASSERT_EQ(rig.set(tare({})), "");
  equipment.force[0] = 1e-310;  // to the last bit
  EXPECT_EQ(read(rig).force[0], 1e-310);
  EXPECT_EQ(rig.auxiliary_channels().data(), equipment.further.data());
}

TEST(TaredRig, HidesNoValueThatIsNotFinite) {
  Rig equipment;
  TaredRig rig(equipment);
  ASSERT_EQ(rig.set(tare(kAll)), "");
  equipment.force[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(read(rig).force[0]));
}

TEST(TaredRig, TakesNoTareOfAnotherRigAndKeepsThePresentOne) {
  Rig equipment;
  TaredRig rig(equipment);
  ASSERT_EQ(rig.set(tare({{"1.force", "N", 250.0, "today"}})), "");
  const double infinite = std::numeric_limits<double>::infinity();
  for (const TareOffset& wrong :
       {TareOffset{"3.force", "N", 1.0, "today"}, TareOffset{"2.force", "N", 1.0, "today"},
        TareOffset{"1.displacement", "m", 1.0, "today"},
        TareOffset{"1.force", "N", infinite, "today"}}) {
    const std::string why = rig.set(tare({wrong}));
    EXPECT_NE(why.find("the tare of today (place/tare) is of channel `" + wrong.channel),
              std::string::npos)
        << why;
  }
  EXPECT_EQ(read(rig).force[0], 750.0);
}

TEST(TaredRig, IsNotToldToTareAContactOrWhatTheSiteReadsItself) {
  RigDescription rig;
  rig.actuators = {{"1", DofKind::kTranslation}};
  rig.extra = {{"estop", "0/1"},
               {"drive_1_m", "m"},
               {"acceleration_1_m_s2", "m/s2"},
               {"drive_current", "A"}};
  const auto refusal = [&rig](const std::string& channel) {
    const auto read = read_tare_command(
        {.action = RigRequest::Action::kTare, .channels = channel}, rig, {});
    const auto* const why = std::get_if<std::string>(&read);
    return why == nullptr ? std::string() : *why;
  };
  EXPECT_NE(refusal("estop").find("estop is a contact"), std::string::npos);
  EXPECT_NE(refusal("drive_1_m").find("without a tare"), std::string::npos);
  EXPECT_NE(refusal("1.force,acceleration_1_m_s2").find("without a tare"),
            std::string::npos);
  EXPECT_EQ(refusal("drive_current"), "");
}

}  // namespace
}  // namespace trestle::site_node::tared_rig_test
