#include "gateway/operator/operator_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace trestle::operators {
namespace {

std::string refusal_of(const std::string& line) {
  const Result<OperatorRequest> request = read_request(line);
  return request ? "" : request.error().detail;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

NodeStatus status() {
  NodeStatus standing{.node = "west",
                      .test = "two-site frame",
                      .session = "4f2e",
                      .state = "HOLDING",
                      .reason = "silence",
                      .step = 411,
                      .steps = 1000,
                      .time_step = 0.0009765625,
                      .peers = {},
                      .waits = {}};
  standing.peers = {{"integrator", "tcp://a:1", "SILENT", 410, 3.25},
                    {"x", "", "", -1, -1}};
  standing.peers[0].rig = "holds";
  standing.rig = "asked to hold";
  standing.waits = {
      {"the operator", "word to resume", 1.5, std::numeric_limits<double>::infinity(), ""},
      {"integrator", "a message", 3.25, 1.75, "the session ends"}};
  return standing;
}

TEST(OperatorRequests, AreReadAsTheyAreWritten) {
  for (const OperatorVerb verb :
       {OperatorVerb::kStatus, OperatorVerb::kWhy, OperatorVerb::kArm, OperatorVerb::kHold,
        OperatorVerb::kResume, OperatorVerb::kStop, OperatorVerb::kClear}) {
    const bool reasoned = verb == OperatorVerb::kHold || verb == OperatorVerb::kStop;
    const OperatorRequest request{verb, reasoned ? "a \"crack\" at Süd" : ""};
    const std::string line = write_request(request);
    EXPECT_EQ(line.back(), '\n');
    const Result<OperatorRequest> read = read_request(line);
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(read.value().verb, verb);
    EXPECT_EQ(read.value().reason, request.reason);
  }
}

TEST(OperatorRequests, CarryANote) {
  const Note note{.step = 412,
                  .text = "a \"crack\" at Süd",
                  .file = "1f2e-crack.jpg",
                  .sha256 = std::string(64, 'a')};
  for (const std::int64_t step : {Note::kNow, std::int64_t{-1}, std::int64_t{412}}) {
    OperatorRequest request{.verb = OperatorVerb::kNote, .reason = {}, .note = note};
    request.note.step = step;
    const Result<OperatorRequest> read = read_request(write_request(request));
    ASSERT_TRUE(read);
    EXPECT_EQ(read.value().note, request.note);
  }
  EXPECT_EQ(refusal_of(R"({"verb":"note"})"), "`note` needs a text");
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"hold","text":"x"})"), "note does"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"note","text":"x","step":"1.5"})"), "whole"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"note","text":"x","step":"-2"})"), "whole"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"note","text":"x","file":"f"})"), "together"));
  EXPECT_TRUE(
      holds(refusal_of(R"({"verb":"note","text":"x","file":"f","sha256":"ab"})"), "64"));
}

TEST(OperatorRequests, CarryACommandToARigAsThePersonWroteIt) {
  using Action = RigRequest::Action;
  for (const RigRequest& rig :
       {RigRequest{.action = Action::kStatus}, RigRequest{.action = Action::kZero},
        RigRequest{.action = Action::kJog,
        .actuator = "north ram",
        .amount = "-2 mm",
        .rate = "1mm/s",
        .force = "10 kN",
        .drive = "measured"},
        RigRequest{.action = Action::kHome, .rate = "1mm/s,2mm/s", .force = "10kN"},
        RigRequest{.action = Action::kTare, .channels = "1.force,strain"},
        RigRequest{.action = Action::kUndoTare}, RigRequest{.action = Action::kRelease},
        RigRequest{.action = Action::kSetAside}, RigRequest{.action = Action::kContinue},
        RigRequest{.action = Action::kContinue, .token = "4711-1"},
        RigRequest{.action = Action::kEnd}}) {
    const Result<OperatorRequest> read = read_request(
        write_request({.verb = OperatorVerb::kRig, .reason = {}, .as = "ada", .rig = rig}));
    ASSERT_TRUE(read) << name(rig.action);
    EXPECT_EQ(read.value().rig, rig) << name(rig.action);
    EXPECT_EQ(read.value().as, "ada");
  }
}

TEST(OperatorRequests, CommandNoRigByHalfARequest) {
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig"})"),
                    "needs an action; one of status, zero, tare, undo-tare, jog, home, "
                    "exercise, release, set-aside, continue, end"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig","action":"shake"})"), "needs an action"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"stop","action":"jog"})"), "rig does"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig","action":"home","amount":"2mm"})"),
                    "jog and exercise do"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig","action":"jog","frequency":"1Hz"})"),
                    "exercise does"));
  EXPECT_TRUE(
      holds(refusal_of(R"({"verb":"rig","action":"exercise","rate":"1mm/s"})"), "no rate"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig","action":"zero","rate":"2mm/s"})"),
                    "jog, home and exercise do"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig","action":"zero","channels":"1.force"})"),
                    "tare and undo-tare do"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig","action":"end","reason":"x"})"),
                    "takes no reason"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig","action":"jog","amount":2})"),
                    "JSON object of texts"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"rig","action":"jog","amount":")" +
                               std::string(201, '1') + "\"}"),
                    "201 bytes; at most 200"));
}

TEST(OperatorAnswers, CarryTheReadingsAndTheMotionOfARig) {
  OperatorReply answer;
  answer.standing = status();
  answer.standing->commanded = RigReport{
      .action = "zero",
      .by = "ada@lab",
      .state = "over",
      .done = true,
      .outcome = "1.displacement 0.1 mm",
      .readings = {{"1.displacement", "m", 1e-4, 2e-6, 5e-5},
                   {"oil", "bar", 207.0},
                   {"1.force", "N", 0.5, 0.1, {}, 12.5, "this morning by ada@lab"}},
      .axes = {{"1", "m", 0.002, 0.0019, 1e3}},
      .exercise = {{"1", "m", 5e-4, 0.998, 0.0123, 2e-6, 1e6, "its gain is 0.9"}},
      .zero = "2026-11-27T09:12:03Z by ada@lab"};
  const Result<OperatorReply> read = read_answer(write_answer(answer));
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value().standing->commanded, answer.standing->commanded);
  answer.standing->commanded.reset();
  EXPECT_EQ(write_answer(answer).find("rig_command"), std::string::npos);
}

TEST(OperatorAnswers, CarryTheChecklistBeforeArming) {
  OperatorReply answer;
  answer.standing = NodeStatus{};
  answer.standing->arming = ArmingStatus{
      .checklist = {{"nobody in the cage", "ada@lab", "2026-11-27T09:12:03.120Z"},
                    {"oil warm", "bob@lab", "2026-11-27T09:12:04.120Z", "it is summer"},
                    {"limits read aloud"},
                    {"west.1.force within 0.2 kN",
                     "site west",
                     "",
                     "",
                     {"west", "1.force", 200.0, -12.5, 4.25, "N"}},
                    {"west.2.force within 0.2 kN",
                     "",
                     "",
                     "",
                     {.site = "west", .channel = "2.force", .within = 200.0}}},
      .required = true,
      .words = 2,
      .armed_by = {"ada@lab"},
      .sites = {{.name = "west",
                 .real_equipment = true,
                 .twin = true,
                 .clock_bound = 12e-6,
                 .actuators = {{.name = "jack",
                                .unit = "rad",
                                .displacement = 0.06,
                                .rate = 0.3,
                                .delay = 6e-3}},
                 .readings = {{"1.force", "N", -12.5, 4.25, 200.0}},
                 .expired = {"The calibration of west 1.force expired on 2001-01-01."}}}};
  const Result<OperatorReply> read = read_answer(write_answer(answer));
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value().standing->arming, answer.standing->arming);
  EXPECT_TRUE(holds(write_answer(answer), R"("state":"waived","reason":"it is summer")"));
  answer.standing->arming.reset();
  EXPECT_EQ(write_answer(answer).find("checklist"), std::string::npos);
}

TEST(OperatorAnswers, CarryWhatTheTransducersOfASiteRead) {
  OperatorReply answer;
  answer.standing = NodeStatus{};
  PeerStatus west{"west", "tcp://lab-west:7001", "CONFIGURED", -1, 0.1};
  answer.standing->peers = {west};
  EXPECT_EQ(write_answer(answer).find("readings"), std::string::npos);
  const double none = std::numeric_limits<double>::quiet_NaN();
  west.readings = {{"1.force", "N", -12.5, 4.25}, {"estop", "0/1", 1.0, none}};
  west.readings[1].stops_closed = true;
  answer.standing->peers = {west};
  const Result<OperatorReply> read = read_answer(write_answer(answer));
  ASSERT_TRUE(read);
  const std::vector<RigReading>& readings = read.value().standing->peers.at(0).readings;
  ASSERT_EQ(readings.size(), 2U);
  EXPECT_EQ(readings[0], west.readings[0]);
  EXPECT_EQ(readings[1].channel, "estop");
  EXPECT_EQ(readings[1].unit, "0/1");
  EXPECT_EQ(readings[1].mean, 1.0);
  EXPECT_TRUE(std::isnan(readings[1].deviation));
  EXPECT_TRUE(readings[1].stops_closed);
}

TEST(OperatorRequests, ConfirmNamesItsItem) {
  const OperatorRequest request{.verb = OperatorVerb::kConfirm,
                                .reason = "nobody in the cage"};
  const Result<OperatorRequest> read = read_request(write_request(request));
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value().verb, OperatorVerb::kConfirm);
  EXPECT_EQ(read.value().reason, "nobody in the cage");
  EXPECT_TRUE(holds(refusal_of("{\"verb\":\"confirm\"}"), "needs the item"));
}

TEST(OperatorRequests, WaiveNamesItsItemAndItsReason) {
  const Result<OperatorRequest> read =
      read_request(write_request({.verb = OperatorVerb::kWaive,
                                  .reason = "it is summer",
                                  .as = "ada",
                                  .item = "oil warm"}));
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ(read.value().verb, OperatorVerb::kWaive);
  EXPECT_EQ(read.value().item, "oil warm");
  EXPECT_EQ(read.value().reason, "it is summer");
  EXPECT_EQ(read.value().as, "ada");
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"waive","text":"oil warm"})"), "and a reason"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"waive","text":"oil warm","reason":"  "})"),
                    "and a reason"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"waive","reason":"summer"})"), "needs the item"));
  for (const char* const name : {" ", "Unknown", "INTEGRATOR", "-"})
    EXPECT_TRUE(holds(refusal_of(std::string(R"({"verb":"arm","as":")") + name + "\"}"),
                      "must be a person's name"))
        << name;
  EXPECT_TRUE(
      holds(refusal_of(R"({"verb":"waive","text":"a","reason":"b","step":"3"})"), "step"));
}

TEST(OperatorRequests, CarryAPersonsMessageToAll) {
  const Result<OperatorRequest> read =
      read_request(write_request({.verb = OperatorVerb::kSay,
                                  .reason = {},
                                  .as = "ada",
                                  .note = {.text = "back in ten minutes"}}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value().verb, OperatorVerb::kSay);
  EXPECT_EQ(read.value().note.text, "back in ten minutes");
  EXPECT_TRUE(read.value().note.to_all);
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"say"})"), "it takes 1 to 300"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"say","text":")" + std::string(301, 'x') + "\"}"),
                    "301 bytes"));
  EXPECT_TRUE(holds(refusal_of(R"({"verb":"say","text":"x","step":"3"})"), "note does"));
  OperatorReply answer;
  answer.standing = status();
  answer.standing->said = {1'795'000'000'000'000'001, "ada@lab", "back in ten minutes"};
  const Result<OperatorReply> reply = read_answer(write_answer(answer));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply.value().standing->said, answer.standing->said);
}

TEST(OperatorAnswers, CarryTheSitesWhoseTwinsStandForThem) {
  OperatorReply answer;
  answer.standing = status();
  EXPECT_EQ(write_answer(answer).find("twins"), std::string::npos);
  answer.standing->twins = {"west", "east"};
  const Result<OperatorReply> read = read_answer(write_answer(answer));
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value().standing->twins, answer.standing->twins);
}

TEST(OperatorAnswers, CarryThePeopleOfATest) {
  OperatorReply answer;
  answer.standing = status();
  EXPECT_EQ(write_answer(answer).find("participants"), std::string::npos);
  answer.standing->participants = {
      {"Ada", "Trondheim", "+47 73 59 40 00", "operator of site east"}, {.name = "Bob"}};
  const Result<OperatorReply> read = read_answer(write_answer(answer));
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value().standing->participants, answer.standing->participants);
}

TEST(Participants, AreAFactOfARecordLineByLine) {
  const std::vector<Participant> people{{"Ada", "Trondheim", "", "operator"},
                                        {"Bob", "", "+1 2", ""}};
  EXPECT_EQ(participants_fact(people), "Ada\tTrondheim\t\toperator\nBob\t\t+1 2\t\n");
  EXPECT_EQ(read_participants(participants_fact(people)), people);
  EXPECT_EQ(participants_fact({{"A\nB", "", "", ""}}), "A B\t\t\t\n");
  EXPECT_TRUE(read_participants("").empty());
}

TEST(OperatorRequests, AreRefusedWithAReasonWhereTheyAreSomethingElse) {
  for (const char* line :
       {"", " ", "status", "\"status\"", "[]", "{}", "{\"verb\":1}", "{\"verb\":null}",
        "{\"verb\":[\"stop\"]}", "{\"verb\":{\"verb\":\"stop\"}}", "{\"verb\":\"stop\"",
        "{\"verb\":\"stop\"} {\"verb\":\"stop\"}", "{\"verb\":true}", "{\"verb\":1e999}",
        "{\"verb\":\"\xff\xfe\"}", "{\"reason\":\"so\"}", "\xef\xbb\xbf", "nul\0l"})
    EXPECT_TRUE(holds(refusal_of(line), "JSON object of texts")) << line;
  EXPECT_EQ(
      refusal_of("{\"verb\":\"shake\"}"),
      "unknown verb `shake`; must be one of status, why, arm, hold, resume, stop, clear, "
      "note, rig, confirm, say, waive");
  EXPECT_TRUE(holds(refusal_of("{\"verb\":\"stop\",\"now\":\"x\"}"), "unknown key `now`"));
  EXPECT_TRUE(
      holds(refusal_of("{\"verb\":\"hold\",\"verb\":\"stop\"}"), "`verb` is there twice"));
  EXPECT_TRUE(holds(refusal_of("{\"verb\":\"arm\",\"reason\":\"x\"}"), "takes no reason"));
  EXPECT_TRUE(holds(refusal_of("{\"verb\":\"stop\",\"reason\":\"" +
                               std::string(kLongestReason + 1, 'x') + "\"}"),
                    "401 bytes; at most 400"));
}

TEST(OperatorRequests, MayNotBeNestedHoweverDeeply) {
  for (const std::string open : {"[", "{\"verb\":", "{\"verb\":["}) {
    std::string line;
    while (line.size() + open.size() < kLongestRequest) line += open;
    EXPECT_NE(refusal_of(line), "");
  }
  EXPECT_NE(refusal_of(std::string(kLongestRequest + 1, '[')), "");
}

TEST(OperatorRequests, CarryNothingThatATerminalObeys) {
  const Result<OperatorRequest> request =
      read_request("{\"verb\":\"stop\",\"reason\":\"a\\n\\u001b[2J\\u009bb\\u007f\"}");
  ASSERT_TRUE(request);
  EXPECT_EQ(request.value().reason, "a  [2J  b ");
}

TEST(OperatorRequests, ThrowNothingWhateverTheBytesAre) {
  std::mt19937 random(5);
  const std::string start = write_request({OperatorVerb::kHold, "a reason of some length"});
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string line = start;
    for (unsigned flips = 1 + random() % 4; flips > 0; --flips)
      line[random() % line.size()] = static_cast<char>(random() % 256);
    line.resize(random() % (line.size() + 1));
    EXPECT_NO_THROW(refused += read_request(line) ? 0 : 1);
  }
  EXPECT_GT(refused, 10'000);
}

TEST(OperatorAnswers, AreReadAsTheyAreWritten) {
  OperatorReply answer;
  answer.said = "west was told to hold";
  answer.why = {"one", "two"};
  answer.standing = status();
  const std::string line = write_answer(answer);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const Result<OperatorReply> read = read_answer(line);
  ASSERT_TRUE(read) << line;
  EXPECT_EQ(read.value().refusal, "");
  EXPECT_EQ(read.value().said, answer.said);
  EXPECT_EQ(read.value().why, answer.why);
  EXPECT_EQ(write_answer(read.value()), line);
  EXPECT_TRUE(holds(line, R"("rig":"asked to hold")")) << line;
  EXPECT_TRUE(holds(line, R"("rig":"holds")")) << line;
}

TEST(OperatorAnswers, SayNullWhereThereIsNoNumber) {
  OperatorReply answer;
  answer.standing = status();
  answer.standing->step = -1;
  const std::string line = write_answer(answer);
  EXPECT_TRUE(holds(line, R"("step":null,"steps":1000)")) << line;
  EXPECT_TRUE(holds(line, R"("step":null,"heard_ago_s":null)")) << line;
  EXPECT_TRUE(holds(line, R"("since_s":1.5,"until_s":null)")) << line;
}

TEST(OperatorAnswers, SurviveTextsThatAreNoUtf8) {
  OperatorReply answer;
  answer.refusal = "\xff\xfe broken \x1b[2J";
  const std::string line = write_answer(answer);
  EXPECT_TRUE(read_answer(line)) << line;
  EXPECT_FALSE(holds(line, "\x1b"));
}

TEST(OperatorAnswers, AreRefusedWhereTheyAreSomethingElse) {
  for (const char* line :
       {"", "[]", "{}", "{\"ok\":1}", "{\"ok\":true,\"state\":3}",
        "{\"ok\":true,\"state\":\"RUNNING\"}", "{\"ok\":true,\"why\":1}"})
    EXPECT_FALSE(read_answer(line)) << line;
}

}  // namespace
}  // namespace trestle::operators
