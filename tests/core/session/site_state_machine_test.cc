#include "core/session/site_state_machine.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "core/session/fault_text.h"

namespace trestle::session {
namespace {

using enum SessionState;

constexpr SessionState kAll[] = {kOffline, kConnected, kConfigured, kArmed,
                                 kRunning, kHolding,   kStopping,   kFault};

/// The table of docs/reference/bus-protocol.md, and the ways back where nothing has moved.
const std::map<SessionState, std::set<SessionState>> kLegal{
    {kOffline, {kConnected, kFault}},
    {kConnected, {kConfigured, kOffline, kFault}},
    {kConfigured, {kArmed, kConfigured, kConnected, kOffline, kFault}},
    {kArmed, {kRunning, kConfigured, kHolding, kFault}},
    {kRunning, {kHolding, kStopping, kFault}},
    {kHolding, {kRunning, kStopping, kFault}},
    {kStopping, {kConfigured, kHolding, kFault}},
    {kFault, {kFault}}};

/// A session in this state, brought there by legal moves.
SiteStateMachine in(SessionState state) {
  static const std::map<SessionState, std::vector<SessionState>> kWays{
      {kOffline, {}},
      {kConnected, {kConnected}},
      {kConfigured, {kConnected, kConfigured}},
      {kArmed, {kConnected, kConfigured, kArmed}},
      {kRunning, {kConnected, kConfigured, kArmed, kRunning}},
      {kHolding, {kConnected, kConfigured, kArmed, kRunning, kHolding}},
      {kStopping, {kConnected, kConfigured, kArmed, kRunning, kStopping}},
      {kFault, {kFault}}};
  SiteStateMachine session;
  for (const SessionState step : kWays.at(state)) EXPECT_TRUE(session.move(step));
  EXPECT_TRUE(session.in(state));
  return session;
}

TEST(SiteStateMachine, MakesTheLegalMovesAndNoOthers) {
  for (const SessionState from : kAll)
    for (const SessionState to : kAll) {
      SiteStateMachine session = in(from);
      const bool legal = kLegal.at(from).contains(to);
      EXPECT_EQ(session.move(to), legal) << name(from) << " to " << name(to);
      EXPECT_EQ(session.state(), legal ? to : from) << name(from) << " to " << name(to);
    }
}

TEST(SiteStateMachine, LeavesAFaultOnlyByAPerson) {
  for (const SessionState state : kAll) {
    SiteStateMachine session = in(state);
    session.clear();
    EXPECT_EQ(session.state(), state == kFault ? kConnected : state) << name(state);
  }
}

TEST(SiteStateMachine, IsActiveWhereARigMayMoveOrIsUnderLoad) {
  const std::set<SessionState> active{kArmed, kRunning, kHolding, kStopping, kFault};
  for (const SessionState state : kAll)
    EXPECT_EQ(in(state).active(), active.contains(state)) << name(state);
}

TEST(FaultSentence, SaysAxisNumberAndLimitInUnitsOfPeople) {
  const InterfaceLayout layout{{.name = "floor.x"}};
  const std::vector<ActuatorDescription> actuators{{"1", DofKind::kTranslation},
                                                   {"2", DofKind::kRotation}};
  const auto say = [&](const Fault& fault) {
    return format_fault(fault, layout, actuators);
  };
  EXPECT_EQ(say({FaultKind::kRateLimit, 0, 0.401, 0.4}),
            "rate 401 mm/s at actuator 1 is above its limit 400 mm/s");
  EXPECT_EQ(say({FaultKind::kForceLimit, 1, 2e4, 1e4}),
            "force 20 kN.m at actuator 2 is above its limit 10 kN.m");
  EXPECT_EQ(say({FaultKind::kTargetLimit, 0, 0.061, 0.06}),
            "target 61 mm at floor.x is above its limit 60 mm");
  EXPECT_EQ(say({FaultKind::kDisplacementLimit, 0, 0.0600000001, 0.06}),
            "displacement just over 60 mm at actuator 1 is above its limit 60 mm");
  EXPECT_EQ(say({FaultKind::kPeerSilent, -1, 5.1, 5.0}),
            "no valid message for 5.1 s; the watchdog allows 5 s");
}

TEST(FaultSentence, IsOfTheInterlockWhateverTheRigSaysMeanwhile) {
  const Fault fault{FaultKind::kInterlock, 2, 1.0, 0.0};
  const std::string sentence = format_fault(fault, {}, {});
  EXPECT_EQ(sentence, "interlock 3 of the site's file was active; see to the equipment");
  EXPECT_EQ(with_words_of_rig(fault, sentence, "interlock cage is open"),
            "interlock cage is open");
  EXPECT_EQ(with_words_of_rig(fault, sentence, "read() took 3 ms"), sentence)
      << "a contact that bounced is closed again when the sentence is made";
  EXPECT_EQ(with_words_of_rig(fault, sentence, ""), sentence);
}

}  // namespace
}  // namespace trestle::session
