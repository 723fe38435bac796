#include "composition/hybrid_test/hybrid_test_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "composition/hybrid_test/rig_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "composition/processes/rig_place.h"
#include "core/base/setting_error.h"
#include "studies/pretest/run_questions.h"

namespace trestle::composition {
namespace {

const std::string kColumn = "specimen {column {E: 210e9 A: 78.1e-4 I: 5696e-8 height: 3}}";
const std::string kSprings =
    "specimen {springs {laws {linear {stiffness: 5}} laws {linear {stiffness: 6}}}}";
const std::string kDelays = "actuators {delay {delay: 0.01}} actuators {ideal {}}";
const std::string kCoupled =
    "transfer_matrix {zpk {entries {to: 1 from: 1 gain: 1}"
    "                      entries {to: 2 from: 2 gain: 1}}}";

config::SiteFile site_file(const std::string& text) {
  config::SiteFile message;
  EXPECT_TRUE(
      google::protobuf::TextFormat::ParseFromString("site: 'west' " + text, &message))
      << text;
  return message;
}

/// Of the settings and of the rig, which must agree.
int actuators(const std::string& text) {
  const config::SiteFile file = site_file(text);
  const int rig = static_cast<int>(make_rig(file)->description().actuators.size());
  const int settings = site_settings(file, "1.0").loading_frame->actuators();
  EXPECT_EQ(rig, settings) << text;
  return rig;
}

template <typename Make>
std::string problem(Make make) {
  try {
    make();
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

TEST(LabCatalog, CountsTheActuatorsOfASiteFileByWhateverSaysSo) {
  EXPECT_EQ(actuators("rig {" + kDelays + kColumn + "}"), 2);
  EXPECT_EQ(actuators("rig {" + kCoupled + kColumn + "}"), 2);
  EXPECT_EQ(actuators("rig {" + kSprings + "}"), 2);
  EXPECT_EQ(actuators("rig {noise {force: 20} noise {force: 10} " + kColumn + "}"), 2);
  EXPECT_EQ(actuators("loading_frame {matrix {"
                      "  actuator_from_interface {values: [1, 0.4]}"
                      "  actuator_from_interface {values: [1, -0.6]}}} rig {" +
                      kCoupled + kColumn + "}"),
            2);
}

TEST(LabCatalog, SaysWhenNothingCountsTheActuatorsOfASiteFile) {
  const config::SiteFile file = site_file("rig {" + kColumn + "}");
  const std::string sentence =
      "rig: nothing says how many actuators site west has; list its actuators, their "
      "limits or their noise, or give the matrix of its loading frame";
  EXPECT_EQ(problem([&file] { site_settings(file, "1.0"); }), sentence);
  EXPECT_EQ(problem([&file] { make_rig(file); }), sentence);
}

TEST(LabCatalog, TakesTheSafeActionFromTheSitesOwnFile) {
  const config::SiteFile file = site_file(
      "safe_action {ramp_home {rate: 0.01 acceleration: 0.1}} rig {" + kSprings + "}");
  const safety::SafeAction action = site_settings(file, "1.0").safe_action;
  EXPECT_EQ(action.kind, safety::SafeAction::Kind::kRampHome);
  EXPECT_EQ(action.rate, (ActuatorVector{{0.01, 0.01}}));
}

TEST(LabCatalog, TakesTheSafeActionOfASiteInThisProcessFromTheTest) {
  config::Site site;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: 'west' interface: 'w.x' safe_action {unload {rate: 0.01 band: 500 travel: "
      "[0.02, 0.03]}}",
      &site));
  EXPECT_EQ(problem([&site] { site_settings(site, "1.0", 1, "sites[0]"); }),
            "sites[0].safe_action.unload.travel: 2 values for 1 actuators; give one for "
            "all or one each");
  site.mutable_safe_action()->mutable_unload()->mutable_travel()->RemoveLast();
  EXPECT_EQ(site_settings(site, "1.0", 1, "sites[0]").safe_action.kind,
            safety::SafeAction::Kind::kUnload);
}

TEST(LabCatalog, ACoupledRigWithoutAListOfActuatorsRunsInATest) {
  config::Test test;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "test: 't' time_step: 0.01 sites {name: 'west' interface: ['w.x', 'w.rz'] rig {" +
          kCoupled + kColumn + "}}",
      &test));
  EXPECT_EQ(integrator_settings(test, "1.0", 10).sites.size(), 1U);
  EXPECT_EQ(make_rig(test.sites(0), "sites[0]")->description().actuators.size(), 2U);
}

const std::string kElsewhere =
    "test: 't' time_step: 0.01 listen: 'tcp://*:7000' excitation {record: 'none'} sites "
    "{name: "
    "'west' interface: ['w.x', 'w.rz'] ";

config::Test test_with(const std::string& rest_of_site) {
  config::Test test;
  EXPECT_TRUE(
      google::protobuf::TextFormat::ParseFromString(kElsewhere + rest_of_site + "}", &test))
      << rest_of_site;
  return test;
}

// Its contract holds the name as it was; a letter more would be another contract.
TEST(LabCatalog, AnInterruptedRunKeepsTheNamesThatItBeganWith) {
  const config::Test test =
      test_with("remote: true arming {without_limits {by: '4711' reason: 'throttled'}}");
  EXPECT_NE(problem([&test] { check_test(test); }).find("with a letter; `unknown`"),
            std::string::npos);
  EXPECT_EQ(problem([&test] { check_test(test, TestStart::kResumed); }), "none");
}

TEST(LabCatalog, ATwinStandsForASiteElsewhereAndSaysSo) {
  const std::string rig = "rig {" + kCoupled + kColumn + "}";
  for (const char* const place :
       {"address: 'tcp://127.0.0.1:7001' public_key: 'of the laboratory' ", "remote: true ",
        "adapter {plugin {file: '/no/such.so'}} "}) {
    const config::Test test = test_with(place + rig + " twin: true");
    check_test(test);
    EXPECT_FALSE(is_remote(test.sites(0))) << place;
    const integrator_node::IntegratorSettings settings =
        integrator_settings(test, "1.0", 1);
    EXPECT_TRUE(settings.sites[0].twin) << place;
    EXPECT_TRUE(settings.sites[0].shares_clock) << place;
    EXPECT_EQ(settings.sites[0].where, "TWIN in this process") << place;
    EXPECT_FALSE(make_rig(test.sites(0), "sites[0]")->description().real_equipment)
        << place;
    const session::ContractEntries stated =
        site_settings(test.sites(0), "1.0", 1, "sites[0]").stated;
    EXPECT_EQ(stated.back().first, "twin") << place;
    EXPECT_EQ(stated.back().second,
              "TWIN: site west is simulated by its twin; its laboratory is not connected");
  }
  const config::Test connected = test_with("address: 'tcp://127.0.0.1:7001' " + rig);
  EXPECT_TRUE(is_remote(connected.sites(0)));
  EXPECT_FALSE(integrator_settings(connected, "1.0", 1).sites[0].twin);
}

// Its zero is the state under gravity, and the reference's is not: J7 and J9 would compare
// other quantities.
TEST(LabCatalog, SaysWhereARigHasAnotherZeroUnderGravityThanTheRecord) {
  const std::string rig = "rig {" + kCoupled + kColumn + "}";
  const auto relative = [](const config::Test& test) {
    return integrator_settings(test, "1.0", 1).sites[0].relative;
  };
  EXPECT_FALSE(relative(test_with(rig)));
  for (const bool applied : {false, true})
    for (const bool from_gravity : {false, true}) {
      config::Test test =
          test_with(rig + (applied ? " gravity: SPECIMEN_GRAVITY_APPLY" : ""));
      test.mutable_excitation()->mutable_gravity();
      test.mutable_recording()->set_from_gravity(from_gravity);
      EXPECT_EQ(relative(test), applied == from_gravity) << applied << from_gravity;
    }
  config::Test moved = test_with(rig);
  moved.mutable_excitation()->add_supports();
  EXPECT_TRUE(relative(moved)) << "a support that all move with need not be named";
}

/// Its lock, its fault and its equipment are those of another rig.
TEST(LabCatalog, ATwinIsNotTheRigThatItStandsFor) {
  const std::string adapter = "adapter {plugin {file: '/no/such.so'}} ";
  const std::string rig = "rig {" + kCoupled + kColumn + "}";
  const RigIdentity twin = identity_of(test_with(adapter + rig + " twin: true").sites(0));
  EXPECT_EQ(twin.rig, "simulated rig of site west");
  EXPECT_EQ(twin.equipment, "");
  EXPECT_NE(identity_of(test_with(adapter + rig).sites(0)).rig, twin.rig);
}

TEST(LabCatalog, NobodyListensForALaboratoryWhoseTwinStandsForIt) {
  config::Test test = test_with("remote: true rig {" + kCoupled + kColumn + "} twin: true");
  test.clear_listen();
  EXPECT_EQ(problem([&test] { check_test(test); }), "none");
}

/// Nor is its host asked for, which need not exist yet.
TEST(LabCatalog, NobodyLooksForTheHostOfALaboratoryWhoseTwinStandsForIt) {
  HybridTestSetup setup;
  setup.test = test_with("address: 'tcp://no-laboratory.invalid:7001' rig {" + kCoupled +
                         kColumn + "} twin: true");
  for (const std::string& question : pretest::questions_about(setup))
    EXPECT_EQ(question.find("no-laboratory"), std::string::npos) << question;
}

TEST(LabCatalog, RefusesAThreadOfADriverWhereThereIsNone) {
  const config::SiteFile file = site_file(
      "adapter {plugin {file: '/no/such.so' isolation: ISOLATION_NONE "
      "driver {cpu: 1}}}");
  EXPECT_EQ(problem([&file] { make_rig(file); }),
            "adapter.plugin.driver: driver is of a driver process, and this plug-in is in "
            "the site's own; leave out isolation: none, or leave driver out");
}

TEST(LabCatalog, RefusesATwinThatCannotStandForALaboratory) {
  const auto refusal = [](const std::string& site) {
    return problem([test = test_with(site)] { check_test(test); });
  };
  EXPECT_EQ(refusal("address: 'tcp://127.0.0.1:7001' twin: true"),
            "sites[0].twin: site west has no twin to stand for it; give it one here: the "
            "`rig:` of its laboratory's file, simulated "
            "(docs/howto/characterise-a-rig.md)");
  EXPECT_EQ(
      refusal("rig {" + kCoupled + kColumn + "} twin: true"),
      "sites[0].twin: site west has neither an address, remote nor an adapter: no "
      "laboratory is to be left out, and its rig is simulated anyway; leave twin out");
}

}  // namespace
}  // namespace trestle::composition
