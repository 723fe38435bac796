#include <pwd.h>
#include <unistd.h>

#include <functional>
#include <list>

#include "tests/gateway/operator/operator_server_case.h"

namespace trestle::operators {
namespace {

TEST_F(OperatorServerTest, AnswersHowTheNodeStands) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  const Result<OperatorReply> answer =
      read_answer(ask(server, caller, R"({"verb":"status"})"));
  ASSERT_TRUE(answer);
  ASSERT_TRUE(answer.value().standing);
  EXPECT_EQ(answer.value().standing->state, "RUNNING");
  EXPECT_EQ(answer.value().standing->step, 412);
  EXPECT_EQ(answer.value().standing->peers.size(), 2u);
  EXPECT_TRUE(node_.orders.empty());
}

TEST_F(OperatorServerTest, AnswersWhy) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  node_.now.waits = {{"site east", "answer to step 413", 1.0, 9.0, "the test is stopped"}};
  const Result<OperatorReply> answer =
      read_answer(ask(server, caller, R"({"verb":"why"})"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer.value().why,
            std::vector<std::string>{"waits for site east: answer to step 413, since "
                                     "1.0 s; in 9.0 s the test is stopped"});
}

TEST_F(OperatorServerTest, PassesOnEachCommandWithTheNameOfItsCaller) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  for (const std::string verb : {"arm", "resume", "clear"})
    EXPECT_EQ(refusal(ask(server, caller, R"({"verb":")" + verb + R"("})")), "");
  for (const std::string verb : {"hold", "stop"})
    EXPECT_EQ(
        refusal(ask(server, caller, R"({"verb":")" + verb + R"(","reason":"a crack"})")),
        "");
  ASSERT_EQ(node_.orders.size(), 5u);
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const passwd* me = getpwuid(geteuid());
  ASSERT_NE(me, nullptr);
  for (const FakeOperated::Order& order : node_.orders)
    EXPECT_EQ(order.by, std::string(me->pw_name) + "@" + host.data());
  EXPECT_EQ(node_.orders[0].verb, "arm");
  EXPECT_EQ(node_.orders[1].verb, "resume");
  EXPECT_EQ(node_.orders[2].verb, "clear");
  EXPECT_EQ(node_.orders[3].verb, "hold");
  EXPECT_EQ(node_.orders[4].verb, "stop");
  EXPECT_EQ(node_.orders[4].reason, "a crack");
}

TEST_F(OperatorServerTest, NamesThePersonWhoLoggedInAndNotTheAccountAlone) {
  OperatorServer::Settings with = settings();
  // A user without a name.
  with.login = [](pid_t process) {
    EXPECT_EQ(process, getpid());
    return std::optional<uid_t>(54321);
  };
  OperatorServer server(with);
  Caller caller(folder_.path());
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"hold"})")), "");
  EXPECT_EQ(node_.orders.back().by.find("uid 54321 ("), 0U) << node_.orders.back().by;
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"hold","as":"grace"})")), "");
  EXPECT_EQ(node_.orders.back().by.find("grace ("), 0U) << node_.orders.back().by;
}

TEST_F(OperatorServerTest, LetsNobodyArmWhomNobodyKnows) {
  OperatorServer::Settings with = settings();
  with.login = [](pid_t /*process*/) -> std::optional<uid_t> {
    return std::nullopt;
  };
  OperatorServer server(with);
  Caller caller(folder_.path());
  const std::string why = refusal(ask(server, caller, R"({"verb":"arm"})"));
  EXPECT_NE(why.find("--as NAME"), std::string::npos) << why;
  EXPECT_TRUE(node_.orders.empty());
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"hold"})")), "") << "the safe side";
  EXPECT_EQ(node_.orders.back().by.find("unknown ("), 0U) << node_.orders.back().by;
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"arm","as":"grace"})")), "");
  EXPECT_EQ(node_.orders.back().by.find("grace ("), 0U) << node_.orders.back().by;
  EXPECT_NE(refusal(ask(server, caller, R"({"verb":"arm","as":"unknown"})")), "");
}

TEST_F(OperatorServerTest, LetsNobodyCommandARigWhomNobodyKnows) {
  OperatorServer::Settings with = settings();
  with.login = [](pid_t /*process*/) -> std::optional<uid_t> {
    return std::nullopt;
  };
  OperatorServer server(with);
  Caller caller(folder_.path());
  for (const std::string action : {"zero", "jog", "home", "release", "continue"}) {
    const std::string line = R"({"verb":"rig","action":")" + action + R"("})";
    EXPECT_NE(refusal(ask(server, caller, line)).find("trestle rig ... --as NAME"),
              std::string::npos)
        << action;
  }
  EXPECT_TRUE(node_.orders.empty());
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"rig","action":"status"})")), "");
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"rig","action":"end"})")), "")
      << "the safe side";
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"rig","action":"zero","as":"grace"})")),
            "");
  EXPECT_EQ(node_.orders.back().verb, "rig zero");
  EXPECT_EQ(node_.orders.back().by.find("grace ("), 0U) << node_.orders.back().by;
}

TEST_F(OperatorServerTest, AnswersACommandToARigWhenItsOutcomeHasComeAndAWordAtOnce) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  Caller other(folder_.path());
  node_.under_way = true;
  caller.says("{\"verb\":\"rig\",\"action\":\"jog\",\"amount\":\"2mm\"}\n");
  look(server, 3);
  EXPECT_EQ(caller.hears(), "");
  EXPECT_EQ(refusal(ask(server, other, R"({"verb":"rig","action":"continue"})")), "");
  EXPECT_EQ(refusal(ask(server, other, R"({"verb":"rig","action":"end"})")), "");
  node_.outcome = "the drive in force is unknown";
  look(server, 3);
  EXPECT_EQ(refusal(caller.hears()), "the drive in force is unknown");
}

TEST_F(OperatorServerTest, SaysWhatTheNodeRefuses) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  node_.refusal = "no test is here to be armed";
  const std::string line = ask(server, caller, R"({"verb":"arm"})");
  EXPECT_EQ(line.find(R"({"ok":false,"reason":"no test is here to be armed")"), 0u) << line;
}

TEST_F(OperatorServerTest, AnswersAClearWhenItsOutcomeHasCome) {
  for (const char* const outcome : {"", "the rig is still in fault"}) {
    OperatorServer server(settings());
    Caller caller(folder_.path());
    node_.under_way = true;
    caller.says("{\"verb\":\"clear\"}\n{\"verb\":\"status\"}\n");
    caller.says_no_more();
    look(server, 3);
    EXPECT_EQ(caller.hears(), "") << "nobody knows yet what came of it";
    Caller other(folder_.path());
    look(server);
    EXPECT_EQ(refusal(ask(server, other, R"({"verb":"status"})")), "")
        << "others are answered meanwhile";
    node_.outcome = outcome;
    look(server, 3);
    const std::string lines = caller.hears();
    const std::size_t end = lines.find('\n') + 1;
    const std::string line = lines.substr(0, end);
    EXPECT_EQ(refusal(line), outcome);
    EXPECT_EQ(line.find("told to clear") != std::string::npos, *outcome == '\0') << line;
    EXPECT_EQ(refusal(lines.substr(end)), "") << "its next request is answered, too";
  }
}

// A site that is in FAULT may refuse it.
TEST_F(OperatorServerTest, AnswersAResumeWhenItsOutcomeHasComeWhereThereIsOne) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"resume"})")), "") << "at once";
  node_.under_way = true;
  caller.says("{\"verb\":\"resume\"}\n");
  look(server, 3);
  EXPECT_EQ(caller.hears(), "");
  node_.outcome = "site lab refuses";
  look(server, 3);
  EXPECT_EQ(refusal(caller.hears()), "site lab refuses");
}

TEST_F(OperatorServerTest, AnswersALineThatComesInPieces) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  for (const char letter : kStatusLine) {
    EXPECT_EQ(caller.hears(), "");
    caller.says(std::string(1, letter));
    look(server);
  }
  EXPECT_EQ(refusal(caller.hears()), "");
}

TEST_F(OperatorServerTest, AnswersSeveralLinesInTheirOrder) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  caller.says("{\"verb\":\"hold\"}\n{\"verb\":\"resume\"}\n{\"verb\":\"stop\"}\n");
  caller.says_no_more();
  look(server);
  EXPECT_EQ(node_.orders.size(), 1u);  // one at a look
  look(server, 3);
  ASSERT_EQ(node_.orders.size(), 3u);
  EXPECT_EQ(node_.orders[1].verb, "resume");
  EXPECT_NE(caller.hears().find("told to stop"), std::string::npos);
  EXPECT_TRUE(caller.ended());
}

TEST_F(OperatorServerTest, RefusesGarbageAndGoesOn) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  EXPECT_NE(refusal(ask(server, caller, "\xff\x00\x01{{{")), "");
  EXPECT_NE(refusal(ask(server, caller, "")), "");
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"status"})")), "");
  EXPECT_TRUE(node_.orders.empty());
}

TEST_F(OperatorServerTest, TakesTheLongestLineAndDropsWhoSendsALongerOne) {
  OperatorServer server(settings());
  Caller fits(folder_.path());
  const std::string request = R"({"verb":"status"})";
  EXPECT_EQ(refusal(ask(server, fits,
                        request + std::string(kLongestRequest - 1 - request.size(), ' '))),
            "");
  Caller huge(folder_.path());
  EXPECT_GE(huge.says(std::string(100'000, '[')), kLongestRequest);
  look(server, 2);
  EXPECT_EQ(refusal(huge.hears()), "a request has at most 4096 bytes");
  EXPECT_TRUE(huge.ended());
  EXPECT_EQ(refusal(ask(server, fits, request)), "");
}

TEST_F(OperatorServerTest, ServesManyAtOnceAndTurnsAwayTheRest) {
  OperatorServer server(settings());
  std::list<Caller> callers;
  for (int i = 0; i < 16; ++i) {
    callers.emplace_back(folder_.path());
    ASSERT_TRUE(callers.back());
    callers.back().says(kStatusLine);
  }
  look(server, 32);
  for (Caller& caller : callers) EXPECT_EQ(refusal(caller.hears()), "");
  Caller late(folder_.path());
  look(server);
  EXPECT_EQ(refusal(late.hears()), "16 are asking already; try again later");
  EXPECT_TRUE(late.ended());
  callers.pop_front();
  look(server);
  Caller next(folder_.path());
  EXPECT_EQ(refusal(ask(server, next, R"({"verb":"status"})")), "");
}

TEST_F(OperatorServerTest, GivesEachCallerHisTurn) {
  OperatorServer server(settings());
  Caller greedy(folder_.path());
  std::string many;
  for (int i = 0; i < 100; ++i) many += kStatusLine;
  greedy.says(many);
  look(server, 10);
  Caller modest(folder_.path());
  modest.says("{\"verb\":\"stop\"}\n");
  look(server, 3);
  EXPECT_EQ(node_.orders.size(), 1u);
}

TEST_F(OperatorServerTest, SurvivesACallerWhoVanishes) {
  OperatorServer server(settings());
  for (int i = 0; i < 40; ++i) {
    Caller caller(folder_.path());
    caller.says(i % 2 == 0 ? kStatusLine : "{\"verb\":");
    if (i % 3 == 0) look(server);
  }
  look(server, 60);
  Caller caller(folder_.path());
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"status"})")), "");
}

TEST_F(OperatorServerTest, DropsWhoeverIsSilentForTooLong) {
  OperatorServer server(settings());
  Caller silent(folder_.path());
  Caller busy(folder_.path());
  look(server, 2);
  for (int i = 0; i < 3; ++i) {
    now_ += std::chrono::seconds(25);
    EXPECT_EQ(refusal(ask(server, busy, R"({"verb":"status"})")), "");
  }
  EXPECT_TRUE(silent.ended());
  EXPECT_FALSE(busy.ended());
}

/// Asks and asks, and reads nothing. @returns how many requests the server's end took
/// [bytes]
std::size_t fill(Caller& caller, const std::function<void()>& looks) {
  const std::size_t most = 4 * 1024 * 1024;
  std::size_t sent = 0;
  std::size_t last = 0;
  do {
    last = sent;
    for (int i = 0; i < 200; ++i) sent += caller.says(kStatusLine);
    looks();
  } while (sent > last && sent < most);
  EXPECT_LT(sent, most);
  return sent;
}

TEST_F(OperatorServerTest, NeitherWaitsForNorListensToWhoDoesNotRead) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  const std::size_t sent = fill(caller, [&] { look(server, 200); });
  Caller other(folder_.path());
  EXPECT_EQ(refusal(ask(server, other, R"({"verb":"status"})")), "");

  // If the caller reads at last, each answer is complete.
  std::size_t answers = 0;
  for (std::string text = caller.hears(), rest; !text.empty(); text = caller.hears()) {
    rest += text;
    for (std::size_t end = rest.find('\n'); end != std::string::npos;
         end = rest.find('\n')) {
      ASSERT_EQ(refusal(rest.substr(0, end)), "");
      rest.erase(0, end + 1);
      ++answers;
    }
    look(server, 200);
  }
  EXPECT_EQ(answers, sent / kStatusLine.size());
}

TEST_F(OperatorServerTest, BringsAnAnswerThatNoBufferHoldsPieceByPiece) {
  OperatorServer server(settings());
  node_.now.peers.resize(5000, node_.now.peers.front());
  Caller caller(folder_.path());
  caller.says(kStatusLine);
  look(server, 2);
  std::string text = caller.hears();
  EXPECT_EQ(text.find('\n'), std::string::npos);
  for (int i = 0; i < 1000 && text.back() != '\n'; ++i) {
    look(server);
    text += caller.hears();
  }
  const Result<OperatorReply> answer = read_answer(text);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer.value().standing->peers.size(), 5000u);
}

TEST_F(OperatorServerTest, DropsWhoDoesNotRead) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  fill(caller, [&] { look(server, 200); });
  now_ += std::chrono::seconds(61);
  look(server, 2);
  EXPECT_TRUE(caller.ended());
}

TEST_F(OperatorServerTest, HasRoomAgainWhenACallerWithUnreadAnswersVanishes) {
  OperatorServer::Settings one = settings();
  one.callers = 1;
  OperatorServer server(one);
  {
    Caller caller(folder_.path());
    fill(caller, [&] { look(server, 200); });
  }
  look(server, 2);
  Caller next(folder_.path());
  EXPECT_EQ(refusal(ask(server, next, R"({"verb":"status"})")), "");
}

TEST_F(OperatorServerTest, LooksOnlyEverySoOften) {
  OperatorServer server(settings());
  Caller caller(folder_.path());
  look(server);
  caller.says("{\"verb\":\"stop\"}\n");
  for (int i = 0; i < 10; ++i) server.poll(node_);
  EXPECT_TRUE(node_.orders.empty());
  look(server);
  EXPECT_EQ(node_.orders.size(), 1u);
}

/// A node with a bug.
class Broken final : public OperatorInterface {
 public:
  NodeStatus status() const override { throw std::runtime_error("no standing"); }
  std::string arm(const std::string&) override { return {}; }
  std::string hold(const std::string&, const std::string&) override { return {}; }
  std::string resume(const std::string&) override { return {}; }
  std::string stop(const std::string&, const std::string&) override { return {}; }
  std::string clear(const std::string&) override { return {}; }
};

TEST_F(OperatorServerTest, LetsNothingOutThatANodeThrows) {
  OperatorServer server(settings());
  Broken broken;
  Caller caller(folder_.path());
  caller.says(kStatusLine);
  now_ += kLook;
  server.poll(broken);
  EXPECT_EQ(refusal(caller.hears()), "the program failed at this (no standing)");
}

}  // namespace
}  // namespace trestle::operators
