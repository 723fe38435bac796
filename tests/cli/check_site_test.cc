// What `trestle check SITE.yaml` passes, `trestle site` serves.
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

class CliCheckSite : public ProgramTestCase {
 protected:
  using Words = std::vector<std::string>;

  /// Checks the example of udp_target, with these settings in the place of its own.
  Ended check(const Words& settings, const std::string& file = udp_target()) const {
    Words words{"check", file};
    for (const std::string& setting : settings) words = words + Words{"--set", setting};
    return trestle(words);
  }
  static bool tells(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  static std::string udp_target() { return example("../udp_target/site.yaml"); }
  static std::string limits(const std::string& first) {
    return "limits.actuators[0]={" + first + "}";
  }
  void expect_refused(const Words& settings, const std::string& why,
                      const std::string& file = udp_target()) const {
    const Ended ended = check(settings, file);
    EXPECT_EQ(ended.code, 3) << ended.out << ended.err;
    EXPECT_FALSE(tells(ended.out, "may serve")) << ended.out;
    EXPECT_TRUE(tells(ended.err, why)) << ended.err;
  }
};

TEST_F(CliCheckSite, PassesTheShippedSites) {
  for (const char* const site :
       {"udp_target/site.yaml", "modbus_tcp/site.yaml", "text_instrument/site.yaml"}) {
    const Ended ended = check({}, example(std::string("../") + site));
    EXPECT_EQ(ended.code, 0) << site << ended.err;
    EXPECT_TRUE(tells(ended.out, "verdict    may serve\n")) << site << ended.out;
    EXPECT_TRUE(tells(ended.out, "settings read, not opened")) << site << ended.out;
  }
}

TEST_F(CliCheckSite, StopsAtLimitsWithWhichTheSiteDoesNotServe) {
  expect_refused({limits("displacement: 101 m, rate: 400 mm/s, force: 250 kN")},
                 "site lab: it is real equipment, and actuator 1 has no limit of "
                 "displacement (101 m is none: at most 100 m)");
  expect_refused({limits("displacement: 60 mm, rate: 400 mm/s, force: 2e9 N")},
                 "has no limit of force (2e+09 N is none");
  expect_refused({limits("displacement: 60 mm, rate: 1001 m/s, force: 250 kN")},
                 "has no limit of rate (1001 m/s is none");
  expect_refused({limits("displacement: 60 mm, force: 250 kN")}, "has no limit of rate");
  expect_refused({"limits.actuators=[{displacement: 60 mm, rate: 1 m/s, force: 9 kN}]"},
                 "actuator 2 has no limit of displacement, rate, force");
  const Ended placed = check({limits("displacement: 60 mm, force: 250 kN")});
  EXPECT_TRUE(tells(placed.err, "udp_target/site.yaml:")) << placed.err;
  // A refusal is no question.
  EXPECT_TRUE(tells(placed.out,
                    "\nCHANGE     no limit of: rate 1; `trestle site` refuses "
                    "it\n"))
      << placed.out;
  EXPECT_FALSE(tells(placed.out, "question   no limit")) << placed.out;
  const Words real{"as_real_equipment=true", limits("displacement: 60 mm, rate: 1 m/s")};
  expect_refused(real, "site west: it is real equipment", example("site_west.yaml"));
}

// As the site itself does: it takes them from its limits where it has no loading frame.
TEST_F(CliCheckSite, RefusesAnotherNumberOfActuatorsThanTheRigHas) {
  const std::string one = "{displacement: 60 mm, rate: 400 mm/s, force: 250 kN}";
  const std::string third = "limits.actuators=[" + one + "," + one + "," + one + "]";
  const std::string second = "limits.actuators=[" + one + "," + one + "]";
  write("fresco.yaml",
        "site: lab\nlisten: ipc:///tmp/nobody\nlimits: {actuators: [" + one +
            "]}\n"
            "adapter: {kind: plugin, name: openfresco, settings: {server: lab:8090}}\n");
  for (const auto& [file, limits, why] :
       {std::tuple{udp_target(), third, "3 entries; the rig has 2 actuators"},
        {example("../modbus_tcp/site.yaml"), second, "2 entries; the rig has 1 actuator"},
        {std::string("fresco.yaml"), second, "2 entries; the rig has 1 actuator"}}) {
    const Ended ended = check({limits}, file);
    EXPECT_EQ(ended.code, 2) << file << ended.out;
    EXPECT_FALSE(tells(ended.out, "may serve")) << ended.out;
    EXPECT_TRUE(tells(ended.err, std::string(": limits.actuators has ") + why))
        << ended.err;
  }
}

TEST_F(CliCheckSite, RefusesAnotherNumberOfActuatorsInTheWordsOfTheSite) {
  const std::string one = "{displacement: 60 mm, rate: 400 mm/s, force: 250 kN}";
  const std::string rest =
      "adapter: {kind: plugin, name: openfresco, settings: {server: lab:8090}}\n"
      "security: {insecure: true}\n";
  write("limits.yaml", "site: lab\nlisten: ipc://" + path("nobody") +
                           "\nlimits:\n  actuators: [" + one + ", " + one + "]\n" + rest);
  write("frame.yaml", "site: lab\nlisten: ipc://" + path("nobody") +
                          "\nlimits: {actuators: [" + one + ", " + one +
                          "]}\nloading_frame: identity\n" + rest);
  for (const auto& [file, told] :
       {std::pair{"limits.yaml",
                  "limits.yaml:4:3: limits.actuators has 2 entries; the rig has 1 "
                  "actuator\n"},
        {"frame.yaml",
         "frame.yaml:4:16: loading_frame moves 2 actuators; the rig has 1 actuator\n"}}) {
    const Ended checked = check({}, file);
    EXPECT_EQ(checked.code, 2) << checked.out;
    EXPECT_EQ(checked.err, told);
    const Ended site = trestle({"site", file, "--once", "--out", "records"});
    EXPECT_EQ(site.code, 2) << site.out;
    EXPECT_EQ(site.err, told);
  }
}

// characterise moves the same rig within the same limits, without a site server.
TEST_F(CliCheckSite, RefusesAnotherNumberOfActuatorsWhereTheRigIsMeasured) {
  const std::string one = "{displacement: 60 mm, rate: 400 mm/s, force: 250 kN}";
  const Ended ended =
      trestle({"characterise", udp_target(), "--set",
               "limits.actuators=[" + one + "," + one + "," + one + "]", "--set",
               "hardware_watchdog=true", "--set", "characterise.control_tick=20 ms",
               "--set", "characterise.highest=5 Hz"});
  EXPECT_EQ(ended.code, 2) << ended.out;
  EXPECT_EQ(ended.err,
            "--set limits.actuators: limits.actuators has 3 entries; the rig has 2 "
            "actuators\n");
}

TEST_F(CliCheckSite, GivesItsVerdictToPrograms) {
  const auto json = [this](const Words& settings) {
    Words words{"check", udp_target(), "--json"};
    for (const std::string& setting : settings) words = words + Words{"--set", setting};
    return nlohmann::json::parse(trestle(words).out);
  };
  EXPECT_EQ(json({}).at("verdict"), "may serve");
  EXPECT_EQ(json({}).at("described"), true);
  EXPECT_EQ(json({}).at("without_limit"), nlohmann::json::array());
  const auto refused = json({limits("displacement: 101 m, rate: 1 m/s, force: 2 kN")});
  EXPECT_EQ(refused.at("verdict"), "must change");
  EXPECT_EQ(refused.at("without_limit"), nlohmann::json({"displacement 1"}));
  ASSERT_EQ(refused.at("must_change").size(), 1U);
  for (const char* const key : {"site", "actuators", "plug_in", "questions"})
    EXPECT_TRUE(refused.contains(key)) << key;
}

TEST_F(CliCheckSite, LetsAPersonAnswerForMissingLimits) {
  const std::string ada =
      "arming={without_limits: {by: Ada, reason: the pump is throttled}}";
  const Ended ended = check({limits("displacement: 60 mm, force: 250 kN"), ada});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(tells(ended.out, "verdict    may serve")) << ended.out;
  EXPECT_TRUE(tells(ended.out,
                    "no limit of: rate 1; Ada answers for it: the pump is "
                    "throttled"))
      << ended.out;
  const Ended needless = check({ada});
  EXPECT_EQ(needless.code, 2) << needless.out;
  EXPECT_TRUE(tells(needless.err, "take arming.without_limits out")) << needless.err;
}

TEST_F(CliCheckSite, ReadsTheSettingsOfThePluginsThatComeWithTheProgram) {
  for (const auto& [setting, why] :
       {std::pair{"byte_order=middle", "byte_order is middle; must be little or big"},
        {"rate=0", "rate must be above zero"},
        {"rate=1 us", "rate is 1 us; must be a frequency"},
        {"stale=3 m", "stale is 3 m; must be a time"},
        {"target=127.0.0.1", "target is 127.0.0.1; must be HOST:PORT"},
        {"target=127.0.0.1:99999", "target is 127.0.0.1:99999; must be HOST:PORT"},
        {"send[1].type=f33", "is f33; its type must be"}}) {
    const Ended ended = check({std::string("adapter.settings.") + setting});
    EXPECT_EQ(ended.code, 2) << setting << ended.out << ended.err;
    EXPECT_FALSE(tells(ended.out, "may serve")) << ended.out;
    EXPECT_TRUE(tells(ended.err, why)) << ended.err;
  }
  for (const char* const site : {"modbus_tcp/site.yaml", "text_instrument/site.yaml"}) {
    const Ended ended = check({"adapter.settings.server=127.0.0.1:99999"},
                              example(std::string("../") + site));
    EXPECT_EQ(ended.code, 2) << site << ended.out << ended.err;
    EXPECT_TRUE(tells(ended.err, "the port from 1 to 65535")) << ended.err;
  }
}

TEST_F(CliCheckSite, ReadsTheSettingsOfAnOpenFrescoLaboratory) {
  write("site.yaml",
        "site: lab\nlisten: ipc:///tmp/nobody\n"
        "limits: {actuators: [{displacement: 1 mm, rate: 1 mm/s, force: 1 kN}]}\n"
        "adapter: {kind: plugin, name: openfresco, settings: {server: lab:8090}}\n");
  const Ended good = check({}, "site.yaml");
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(tells(good.out, "verdict    may serve\n")) << good.out;
  for (const char* const setting : {"server=lab:99999", "length=25.4 kN"})
    EXPECT_EQ(check({std::string("adapter.settings.") + setting}, "site.yaml").code, 2)
        << setting;
  expect_refused({"limits.actuators[0]={displacement: 1 mm, rate: 1 mm/s}"},
                 "has no limit of force", "site.yaml");
}

// It may be another process that drives the rig.
TEST_F(CliCheckSite, OpensNoRig) {
  const Ended ended = check({"adapter.settings.target=no.such.host.invalid:5001",
                             "adapter.settings.listen=no.such.host.invalid:5000"});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST_F(CliCheckSite, GivesNoVerdictOfAPluginThatItCannotAsk) {
  write("site.yaml",
        "site: lab\nlisten: ipc:///tmp/nobody\n"
        "limits: {actuators: [{displacement: 1 mm, rate: 1 mm/s, force: 1 kN}]}\n"
        "adapter: {kind: plugin, file: " TRESTLE_TEST_PLUGINS
        "/misbehaving.so, settings: {}}\n");
  const Ended ended = check({}, "site.yaml");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(tells(ended.out, "misbehaving.so: loaded, not opened")) << ended.out;
  EXPECT_TRUE(tells(ended.out, "verdict    none")) << ended.out;
  EXPECT_FALSE(tells(ended.out, "may serve")) << ended.out;
  // Programs compare with a word that they know, and may read why it is so little.
  const auto json = [this](const Words& more) {
    return nlohmann::json::parse(trestle(Words{"check", "site.yaml", "--json"} + more).out);
  };
  EXPECT_EQ(json({}).at("verdict"), "may serve");
  EXPECT_EQ(json({}).at("described"), false);
  EXPECT_EQ(json({"--set", "listen=tcp://0.0.0.0:7000"}).at("verdict"),
            "may serve where keys are given");
}

TEST_F(CliCheckSite, QuestionsALengthWithoutUnit) {
  write("bare.yaml",
        "include: " + example("site_west.yaml") +
            "\nlimits:\n  actuators:\n"
            "    - {displacement: 60, rate: 400 mm/s, force: 250 kN}\n"
            "    - {displacement: 20 mrad, rate: 130 mrad/s, force: 400 kN.m}\n");
  const std::string told =
      "bare.yaml:4:22: displacement is 60 without a unit, which is 60 m. Was 60 mm meant? "
      "Write the unit\n";
  const Ended ended = check({}, "bare.yaml");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(tells(ended.out, "question   " + told)) << ended.out;
  EXPECT_TRUE(tells(ended.out, "verdict    may serve")) << ended.out;
  const auto json = nlohmann::json::parse(trestle({"check", "bare.yaml", "--json"}).out);
  ASSERT_EQ(json.at("questions").size(), 1U) << json.dump(1);
  EXPECT_EQ(json.at("questions").at(0).get<std::string>() + "\n", told);
  EXPECT_EQ(json.at("verdict"), "may serve");
  EXPECT_FALSE(tells(check({}, example("site_west.yaml")).out, "question"));
  // As a run does, where it begins.
  Program site(
      {"site", "bare.yaml", "--set", "listen=ipc://" + path("west"), "--out", "records"},
      folder());
  EXPECT_TRUE(site.says("question: " + told)) << site.err();
  const Ended measured = trestle({"characterise", "bare.yaml", "--set",
                                  "characterise={duration: 10 s, lowest: 0.3 Hz}"});
  EXPECT_TRUE(tells(measured.err, "question: " + told)) << measured.err;
}

TEST_F(CliCheckSite, QuestionsAFrameInMillimetresInItsRig) {
  write("frame.yaml", R"(site: lab
listen: ipc:///tmp/nobody
limits: {actuators: [{displacement: 60 mm, rate: 1 m/s, force: 9 kN}]}
rig:
  actuators: [ideal]
  specimen:
    kind: frame
    interface: [top.x]
    frame:
      nodes: {base: [0, 0], top: [0, 3000]}
      supports: [{nodes: base, fixed: all}]
      sections: {s: {E: 210 GPa, A: 100 cm2, I: 1000 cm4}}
      members: [{from: base, to: top, section: s}]
)");
  const Ended ended = check({}, "frame.yaml");
  EXPECT_TRUE(tells(ended.out,
                    ": node top is at 3000 m. Were millimetres "
                    "meant? Write the unit\n"))
      << ended.out << ended.err;
}

// Its sites are those of a test.
TEST_F(CliCheckSite, QuestionsALengthWithoutUnitOfAGateway) {
  const std::string gateway = "gateway.yaml";
  std::string text = shipped("../openfresco/site.yaml");
  const std::size_t at = text.find("tip.x: 1 m");
  ASSERT_NE(at, std::string::npos);
  write(gateway, text.replace(at, 10, "tip.x: 60"));
  const std::string told =
      "gateway.yaml:16:16: displacement is 60 without a unit, which is 60 m. Was 60 mm "
      "meant? Write the unit\n";
  const Ended ended = check({}, gateway);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(tells(ended.out, "question   " + told)) << ended.out;
  EXPECT_FALSE(tells(check({}, example("../openfresco/site.yaml")).out, "question"));
  const auto json = nlohmann::json::parse(trestle({"check", gateway, "--json"}).out);
  EXPECT_EQ(json.at("gateway"), "one-spring");
  EXPECT_EQ(json.at("sites"), 1);
  ASSERT_EQ(json.at("questions").size(), 1U) << json.dump(1);
  EXPECT_EQ(json.at("questions").at(0).get<std::string>() + "\n", told);
  Program serving({"gateway", "openfresco", "--listen", "127.0.0.1:0", "--site", gateway,
                   "--out", "records"},
                  folder());
  EXPECT_TRUE(serving.says("question: " + told)) << serving.err();
}

}  // namespace
}  // namespace trestle::cli
