#include "core/session/session_contract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/session/contract_checks.h"

namespace trestle::session {
namespace {

struct Agreement {
  SiteDescription site{.name = "west",
                       .software = "0.5.0",
                       .interface_dofs = 1,
                       .actuators = {},
                       .modes = {},
                       .real_equipment = true,
                       .hardware_watchdog = true,
                       .shortest_tick = 1e-3};
  Configure configure;
  Configured configured;
  ContractDescriptions words{
      "ats {memory: 1.0}", "", {{"safe_action", "ramp_home {rate: 0.01}"}}};

  Agreement() {
    configure.session = {0xab, 0x01};
    configure.test = "two-site frame";
    configure.mode = "simulated";
    configure.time_step = 0.1 + 0.2;  // no short decimal
    configure.ticks_per_step = 10;
    configure.seed = 7;
    configure.steps_planned = 2000;
    configure.compensator = "bytes";
    configure.model = "cafe";
    configure.software = "0.5.0";
    configured.layout = {{"floor_w.x", DofKind::kTranslation, DofRole::kControlled, 0.06}};
    configured.actuators = {{"jack", DofKind::kTranslation}};
    configured.limits = {{.displacement = 0.06, .rate = 0.2, .force = 4e5}};
    configure.layout = configured.layout;
    configure.limits = configured.limits;
  }

  std::string text() const { return contract_text(site, configure, configured, words); }
};

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Contract, SaysHowTheInertiaIsTakenOutIfItIsMeasured) {
  Agreement agreement;
  agreement.configure.specimen_mass = {900.0};
  EXPECT_TRUE(has_line(agreement.text(), "specimen_mass[0]: 900"));
  EXPECT_EQ(agreement.text().find("inertia"), std::string::npos)
      << "earlier contracts read the same";
  agreement.configure.inertia_measured = true;
  EXPECT_TRUE(has_line(agreement.text(), "inertia: measured"));
}

TEST(Contract, StatesOneFactALineInNumbersThatReadBack) {
  const std::string text = Agreement().text();
  for (const char* line : {"contract: trestle 1",
                           "protocol: 1",
                           "test: two-site frame",
                           "session: ab010000000000000000000000000000",
                           "model: cafe",
                           "site: west",
                           "site.real_equipment: yes",
                           "mode: simulated",
                           "clock: virtual",
                           "time_step_s: 0.30000000000000004",
                           "ticks_per_step: 10",
                           "seed: 7",
                           "interface[0].name: floor_w.x",
                           "interface[0].role: controlled",
                           "interface[0].force_N: +K d",
                           "interface[0].displacement_m: 0.06",
                           "interface[0].rate_m_s: none",
                           "actuators[0].name: jack",
                           "limits.actuators[0].rate_m_s: 0.2",
                           "limits.actuators[0].force_N: 4e+05",
                           "limits.actuators[0].acceleration_m_s2: none",
                           "compensator: ats {memory: 1.0}",
                           "controller: default",
                           "site_states.safe_action: ramp_home {rate: 0.01}"})
    EXPECT_TRUE(has_line(text, line)) << line << "\nis not in\n" << text;
  EXPECT_EQ(text.find("continuous."), std::string::npos);
}

TEST(Contract, NamesTheUnitsOfWhatTurns) {
  Agreement agreement;
  agreement.configured.layout[0].kind = DofKind::kRotation;
  agreement.configured.actuators[0].kind = DofKind::kRotation;
  const std::string text = agreement.text();
  EXPECT_TRUE(has_line(text, "limits.actuators[0].rate_rad_s: 0.2"));
  EXPECT_TRUE(has_line(text, "interface[0].force_N_m: +K d"));
}

TEST(Contract, StatesThePaceOfItsModeAlone) {
  Agreement agreement;
  agreement.configure.mode = "continuous";
  EXPECT_TRUE(has_line(agreement.text(), "continuous.hold_at: 0.9"));
  EXPECT_EQ(agreement.text().find("pseudo_dynamic."), std::string::npos);
  agreement.configure.mode = "pseudo-dynamic";
  EXPECT_TRUE(has_line(agreement.text(), "pseudo_dynamic.settle_s: 0.1"));
  EXPECT_EQ(agreement.text().find("continuous."), std::string::npos);
}

TEST(Contract, ChangesWithEverythingThatIsAgreed) {
  const std::vector<std::function<void(Agreement&)>> changes = {
      [](Agreement& a) { a.site.name = "east"; },
      [](Agreement& a) { a.site.software = "0.5.1"; },
      [](Agreement& a) { a.site.real_equipment = false; },
      [](Agreement& a) { a.site.hardware_watchdog = false; },
      [](Agreement& a) { a.site.shortest_tick = 0.0; },
      [](Agreement& a) { a.configure.session[15] = 1; },
      [](Agreement& a) { a.configure.test = "other"; },
      [](Agreement& a) { a.configure.mode = "real-time"; },
      [](Agreement& a) { a.configure.pace.virtual_clock = false; },
      [](Agreement& a) { a.configure.pace.system_clock = true; },
      [](Agreement& a) { a.configure.pace.latency_steps = 1; },
      [](Agreement& a) { a.configure.time_step = std::nextafter(0.1 + 0.2, 1.0); },
      [](Agreement& a) { a.configure.ticks_per_step = 9; },
      [](Agreement& a) { a.configure.seed = 8; },
      [](Agreement& a) { a.configure.steps_planned = 1; },
      [](Agreement& a) { a.configure.compensator = "other bytes"; },
      [](Agreement& a) { a.configure.controller = "other bytes"; },
      [](Agreement& a) { a.configure.heartbeat_period = 0.5; },
      [](Agreement& a) { a.configure.watchdog = 6.0; },
      [](Agreement& a) { a.configure.model = "beef"; },
      [](Agreement& a) { a.configure.software = "0.4.9"; },
      [](Agreement& a) { a.configured.layout[0].name = "floor_e.x"; },
      [](Agreement& a) { a.configured.layout[0].role = DofRole::kForceOnly; },
      [](Agreement& a) { a.configured.layout[0].kind = DofKind::kRotation; },
      [](Agreement& a) { a.configured.layout[0].displacement_limit = 0.05; },
      [](Agreement& a) { a.configured.layout[0].rate_limit = 1.0; },
      [](Agreement& a) { a.configured.layout[0].acceleration_limit = 1.0; },
      [](Agreement& a) { a.configured.actuators[0].name = "ram"; },
      [](Agreement& a) { a.configured.limits[0].displacement = 0.05; },
      [](Agreement& a) { a.configured.limits[0].rate = 0.1; },
      [](Agreement& a) { a.configured.limits[0].acceleration = 1.0; },
      [](Agreement& a) { a.configured.limits[0].force = 1.0; },
      [](Agreement& a) { a.configured.limits[0].tracking_error = 1.0; },
      [](Agreement& a) { a.configured.limits[0].tracking_dwell = 1.0; },
      [](Agreement& a) { a.configured.limits[0].energy_error = 1.0; },
      [](Agreement& a) { a.words.compensator = "none {}"; },
      [](Agreement& a) { a.words.stated[0].second = "hold {}"; },
  };
  const std::string before = Agreement().text();
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Agreement agreement;
    changes[i](agreement);
    EXPECT_NE(agreement.text(), before) << "change " << i;
    EXPECT_NE(contract_hash(agreement.text()), contract_hash(before)) << "change " << i;
  }
}

TEST(Contract, IsTheSameOfATestThatIsResumed) {
  Agreement agreement;
  const std::string before = agreement.text();
  agreement.configure.resume = true;
  agreement.configured.tightened_limits = {"actuator 1 rate 200 mm/s (site_west.yaml:12)"};
  agreement.configured.contract = before;
  EXPECT_EQ(agreement.text(), before);
}

TEST(Contract, KeepsAFactOnItsLineWhateverANameHoldsInIt) {
  Agreement agreement;
  agreement.configure.test = "one\nsite.real_equipment: no\\";
  agreement.words.stated = {{"safe_action", "hold\n\x01{\\}"}};
  const std::string text = agreement.text();
  EXPECT_TRUE(has_line(text, "test: one\\x0asite.real_equipment: no\\\\"));
  EXPECT_EQ(parse_site_entries(text), agreement.words.stated);
}

TEST(Contract, ShortensLongWordsAndKeepsTheirHash) {
  Agreement agreement;
  agreement.words.compensator = std::string(399, 'x') + "\xc3\xa4" + std::string(9000, 'y');
  EXPECT_LT(agreement.text().size(), 3000U);
  EXPECT_NE(agreement.text().find("x ... of 9401 letters\n"), std::string::npos);
}

TEST(Contract, IsTheSameAtTheIntegratorThatHearsWhatTheSiteStates) {
  const Agreement at_site;
  Agreement at_integrator;
  at_integrator.words.stated = parse_site_entries(at_site.text());
  EXPECT_EQ(at_integrator.text(), at_site.text());
}

TEST(ContractRefusal, NamesTheLineThatDiffers) {
  const Agreement site;
  Agreement integrator;
  integrator.configured.limits[0].rate = 0.3;
  const std::string ours = integrator.text(), theirs = site.text();
  const auto line =
      1 +
      std::count(ours.begin(),
                 ours.begin() + static_cast<std::ptrdiff_t>(ours.find("].rate_m_s: 0.3")),
                 '\n');
  EXPECT_EQ(first_difference(ours, theirs),
            "line " + std::to_string(line) +
                ": limits.actuators[0].rate_m_s: the integrator has 0.3, the site has 0.2");
  EXPECT_EQ(compare_contracts("west", ours, theirs),
            "site west and the integrator do not agree on the contract: " +
                first_difference(ours, theirs));
  EXPECT_EQ(compare_contracts("west", ours, ours), "");
  EXPECT_EQ(first_difference(ours, ours), "");
}

TEST(ContractRefusal, NamesALineThatOneEndDoesNotHave) {
  EXPECT_EQ(first_difference("a: 1\nb: 2\nc: 3\n", "a: 1\nc: 3\n"),
            "line 2: b: the integrator has 2, the site does not state it");
  EXPECT_EQ(first_difference("a: 1\nc: 3\n", "a: 1\nb: 2\nc: 3\n"),
            "line 2: b: the site has 2, the integrator does not state it");
  EXPECT_EQ(first_difference("a: 1\n", "a: 1\nb: 2\n"),
            "line 2: b: the site has 2, the integrator does not state it");
  EXPECT_EQ(first_difference("a: 1\nb: 2\n", "a: 1\n"),
            "line 2: b: the integrator has 2, the site does not state it");
  EXPECT_EQ(first_difference("b: 2\na: 1\n", "a: 1\nb: 2\n"),
            "line 1: the integrator has b there, the site has a");
  EXPECT_EQ(first_difference("a: 1\n", "a: 1"), "line 2: the end of the text");
}

TEST(ContractRefusal, ShowsLongValuesWhereTheyDiffer) {
  const std::string same(1000, 'x');
  const std::string difference =
      first_difference("a: " + same + "1\n", "a: " + same + "2\n");
  EXPECT_NE(difference.find("x1..., the site has ..."), std::string::npos) << difference;
  EXPECT_LT(difference.size(), 200U);
}

TEST(ContractRefusal, TellsASiteWithoutAContract) {
  EXPECT_EQ(compare_contracts("west", Agreement().text(), ""),
            "site west sent no contract; update its program to this version");
}

TEST(ContractRefusal, AllowsNoLimitToBecomeWider) {
  const Agreement asked;
  EXPECT_EQ(check_limits_not_widened("west", asked.configure, asked.configured), "");
  Configured agreed = asked.configured;
  agreed.limits[0].rate = 0.1;
  agreed.limits[0].acceleration = 9.0;
  agreed.layout[0].rate_limit = 0.1;
  EXPECT_EQ(check_limits_not_widened("west", asked.configure, agreed), "");
  agreed.limits[0].rate = 0.21;
  EXPECT_EQ(
      check_limits_not_widened("west", asked.configure, agreed),
      "site west agreed to a wider limit than the test allows: "
      "limits.actuators[0].rate is 0.21, the test has 0.2; update the site's program");
  agreed.limits[0].rate = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(check_limits_not_widened("west", asked.configure, agreed), "");
  agreed = asked.configured;
  agreed.layout[0].displacement_limit = 0.07;
  EXPECT_NE(check_limits_not_widened("west", asked.configure, agreed)
                .find("floor_w.x displacement"),
            std::string::npos);
  agreed = asked.configured;
  agreed.limits.clear();
  EXPECT_NE(check_limits_not_widened("west", asked.configure, agreed), "");
  Configure dwelling = asked.configure;
  dwelling.limits[0].tracking_error = 1e-3;
  agreed = asked.configured;
  agreed.limits[0].tracking_error = 1e-3;
  agreed.limits[0].tracking_dwell = 0.1;
  EXPECT_NE(check_limits_not_widened("west", dwelling, agreed), "");
}

TEST(ContractRefusal, KnowsTheContractThatIsArmed) {
  const std::string text = Agreement().text();
  EXPECT_EQ(check_contract_hash("arm", text, contract_hash(text)), "");
  EXPECT_EQ(check_contract_hash("arm", text, ""),
            "to arm names no contract; update the integrator's program");
  EXPECT_EQ(check_contract_hash("resume", text, std::string(64, '0')),
            "to resume names contract 000000000000, this site agreed to " +
                contract_hash(text).substr(0, 12) + "; configure the test again");
}

TEST(ContractRefusal, GoesOnWithTheContractThatTheTestBeganWithAlone) {
  const Agreement began;
  Agreement now;
  EXPECT_EQ(check_contract_unchanged(began.text(), now.text()), "");
  now.site.software = "0.6.0";
  const std::string why = check_contract_unchanged(began.text(), now.text());
  EXPECT_EQ(why.find("line "), std::string::npos) << why;
  EXPECT_NE(why.find("site.software: the journal has 0.5.0, this program has 0.6.0"),
            std::string::npos)
      << why;
  EXPECT_NE(check_contract_unchanged("", now.text()).find("holds no contract"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::session
