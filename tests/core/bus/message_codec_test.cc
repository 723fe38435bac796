#include "core/bus/message_codec.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "proto/wire/session.pb.h"
#include "tests/support/sample_messages.h"

namespace trestle::bus {
namespace {

using testing::same;

std::string text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

bool decodes(const wire::Envelope& envelope, ReceivedMessage& in) {
  return MessageCodec().decode(bytes(envelope.SerializeAsString()), in);
}

wire::StepCommand command_of(int displacement, int velocity, int acceleration) {
  wire::StepCommand command;
  for (int i = 0; i < displacement; ++i) command.mutable_target()->add_displacement(i);
  for (int i = 0; i < velocity; ++i) command.mutable_target()->add_velocity(i);
  for (int i = 0; i < acceleration; ++i) command.mutable_target()->add_acceleration(i);
  return command;
}

bool accepts(const wire::StepCommand& command, ReceivedMessage& in) {
  wire::Envelope envelope;
  *envelope.mutable_step_command() = command;
  return decodes(envelope, in);
}

TEST(MessageCodec, WritesWhatAnyReaderOfTheSchemaReads) {
  MessageCodec codec;
  wire::Envelope envelope;
  const StepCommand command = testing::sample_command(2, false);
  ASSERT_TRUE(envelope.ParseFromString(text(codec.encode(command))));
  ASSERT_TRUE(envelope.has_step_command());
  EXPECT_EQ(envelope.step_command().step(), command.step);
  EXPECT_EQ(envelope.step_command().target().displacement(0), 0.012);
  EXPECT_FALSE(envelope.step_command().has_feedforward_target());
  EXPECT_EQ(envelope.SerializeAsString(), text(codec.encode(command)));

  const StepResponse response = testing::sample_response(2, 3);
  ASSERT_TRUE(envelope.ParseFromString(text(codec.encode(response))));
  EXPECT_EQ(envelope.step_response().step(), -1);
  EXPECT_EQ(envelope.step_response().actuators().force_size(), 3);
  EXPECT_EQ(envelope.SerializeAsString(), text(codec.encode(response)));
}

TEST(MessageCodec, SaysThatTheFeedForwardIsAbsentEvenAfterOneThatHadIt) {
  MessageCodec codec;
  wire::Envelope envelope;
  for (const bool present : {true, false, true, false}) {
    ASSERT_TRUE(
        envelope.ParseFromString(text(codec.encode(testing::sample_command(3, present)))));
    EXPECT_EQ(envelope.step_command().has_feedforward_target(), present);
  }
}

TEST(MessageCodec, ReadsStepMessagesFromWritersThatDoItTheirWay) {
  MessageCodec codec;
  ReceivedMessage in;
  const StepCommand sent = testing::sample_command(2, true);
  const std::string plain = text(codec.encode(sent));
  const std::string unknown("\xfa\x07\x03new", 6);  // field 127, 3 bytes: a later version's

  ASSERT_TRUE(codec.decode(bytes(unknown + plain), in)) << in.problem;
  EXPECT_TRUE(same(in.command, sent));
  ASSERT_TRUE(codec.decode(bytes(plain + unknown), in)) << in.problem;
  EXPECT_TRUE(same(in.command, sent));

  // Doubles that are not packed: each with its own tag, of wire type 1.
  const std::string one("\0\0\0\0\0\0\xf0\x3f", 8);
  const std::string motion = "\x09" + one + "\x11" + one + "\x19" + one;
  ASSERT_TRUE(codec.decode(bytes("\x0a\x1d\x22\x1b" + motion), in)) << in.problem;
  EXPECT_EQ(in.command.target.acceleration[0], 1.0);
}

TEST(MessageCodec, WritesNothingOfWhatItHasRead) {
  MessageCodec codec, fresh;
  ReceivedMessage in;
  wire::Envelope envelope;
  // More unknown fields than a step message has room for: a node must neither pass them on
  // nor end over them. Found by fuzzing.
  const StepCommand command = testing::sample_command(1, false);
  envelope.ParseFromString(text(fresh.encode(command)));
  wire::StepCommand& step = *envelope.mutable_step_command();
  step.GetReflection()->MutableUnknownFields(&step)->AddLengthDelimited(
      900, std::string(100'000, 'x'));
  ASSERT_TRUE(codec.decode(bytes(envelope.SerializeAsString()), in)) << in.problem;
  EXPECT_EQ(text(codec.encode(command)), text(fresh.encode(command)));

  const StepResponse response = testing::sample_response(1, 1);
  envelope.ParseFromString(text(fresh.encode(response)));
  wire::ActuatorReport& report = *envelope.mutable_step_response()->mutable_actuators();
  report.GetReflection()->MutableUnknownFields(&report)->AddLengthDelimited(
      900, std::string(100'000, 'x'));
  ASSERT_TRUE(codec.decode(bytes(envelope.SerializeAsString()), in)) << in.problem;
  EXPECT_EQ(text(codec.encode(response)), text(fresh.encode(response)));
}

TEST(MessageCodec, ForgetsTheMessageBefore) {
  MessageCodec codec;
  ReceivedMessage in;
  ASSERT_TRUE(codec.decode(
      bytes(text(MessageCodec().encode(testing::sample_command(24, true)))), in));
  ASSERT_TRUE(codec.decode(bytes(std::string("\x0a\x00", 2)), in));
  EXPECT_TRUE(same(in.command, StepCommand{}));
}

TEST(MessageCodec, TakesVectorsUpToTheLargestInterfaceOnly) {
  ReceivedMessage in;
  EXPECT_TRUE(
      accepts(command_of(kMaxInterfaceDofs, kMaxInterfaceDofs, kMaxInterfaceDofs), in));
  EXPECT_FALSE(accepts(command_of(25, 25, 25), in));
  EXPECT_EQ(in.kind, ReceivedMessage::Kind::kMalformed);
  EXPECT_EQ(in.problem, "more values than a site has interface DOFs");
}

TEST(MessageCodec, RefusesVectorsThatDoNotBelongTogether) {
  ReceivedMessage in;
  EXPECT_FALSE(accepts(command_of(2, 2, 1), in));
  EXPECT_FALSE(accepts(command_of(0, 2, 2), in));
  wire::StepCommand command = command_of(2, 2, 2);
  command.add_command_feedforward(1.0);
  EXPECT_FALSE(accepts(command, in));
  command = command_of(2, 2, 2);
  *command.mutable_feedforward_target() = command_of(1, 1, 1).target();
  EXPECT_FALSE(accepts(command, in));

  wire::Envelope envelope;
  envelope.mutable_step_response()->add_measured(1.0);
  EXPECT_FALSE(decodes(envelope, in));
  envelope.mutable_step_response()->add_force(1.0);
  EXPECT_TRUE(decodes(envelope, in));
  for (int i = 0; i < 3; ++i)
    envelope.mutable_step_response()->mutable_actuators()->add_force(1.0);
  EXPECT_FALSE(decodes(envelope, in));
}

TEST(MessageCodec, RefusesASessionOfAnyLengthButSixteenOrNone) {
  ReceivedMessage in;
  wire::Envelope envelope;
  for (const std::size_t length : {1U, 15U, 17U, 1000U}) {
    envelope.mutable_step_command()->set_session(std::string(length, 's'));
    EXPECT_FALSE(decodes(envelope, in)) << length;
    envelope.mutable_start()->set_session(std::string(length, 's'));
    EXPECT_FALSE(decodes(envelope, in)) << length;
  }
  envelope.mutable_start()->clear_session();
  EXPECT_TRUE(decodes(envelope, in));
  EXPECT_EQ(std::get<Start>(in.session).session, SessionId{});
}

TEST(MessageCodec, RefusesAChecklistThatNobodyCouldAnswer) {
  ReceivedMessage in;
  wire::Envelope envelope;
  wire::ChecklistItem& item = *envelope.mutable_configured()->add_checklist();
  EXPECT_FALSE(decodes(envelope, in)) << "without a word";
  item.set_ask(std::string(201, 'x'));
  EXPECT_FALSE(decodes(envelope, in));
  item.set_ask("1.force within 0.2 kN");
  EXPECT_TRUE(decodes(envelope, in)) << in.problem;
  item.set_read("1.force");
  EXPECT_FALSE(decodes(envelope, in)) << "a bound of zero";
  item.set_within(std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(decodes(envelope, in));
  item.set_within(200.0);
  EXPECT_TRUE(decodes(envelope, in)) << in.problem;
  for (int i = 0; i < 64; ++i)
    envelope.mutable_configured()->add_checklist()->set_ask("item");
  EXPECT_FALSE(decodes(envelope, in)) << "65 items";
}

TEST(MessageCodec, RefusesKindsThatItDoesNotKnow) {
  ReceivedMessage in;
  wire::Envelope envelope;
  envelope.mutable_halt()->set_fault(static_cast<std::uint32_t>(FaultKind::kInterlock) + 1);
  EXPECT_FALSE(decodes(envelope, in));
  envelope.mutable_configured()->add_layout()->set_kind(static_cast<wire::Kind>(2));
  EXPECT_FALSE(decodes(envelope, in));
  envelope.mutable_configure()->set_ticks_per_step(0x8000'0000U);
  EXPECT_FALSE(decodes(envelope, in));
  envelope.Clear();
  EXPECT_FALSE(decodes(envelope, in)) << "no message at all";
  EXPECT_FALSE(MessageCodec().decode(bytes(std::string("\xfa\x07\x03new", 6)), in));
  EXPECT_EQ(in.problem, "a kind of message that this version does not know");
}

TEST(MessageCodec, NamesBothVersionsWhereTheMajorDiffers) {
  ReceivedMessage in;
  wire::Envelope envelope;
  wire::Hello& hello = *envelope.mutable_hello();
  hello.mutable_protocol()->set_major(9);
  hello.mutable_protocol()->set_minor(4);
  hello.set_site("west");
  hello.set_software("7.0.0");
  hello.set_interface_dofs(1000);  // nothing of a later major is judged by our rules
  hello.set_last_session("sixty-four");
  ASSERT_TRUE(decodes(envelope, in)) << in.problem;
  const Hello& read = std::get<Hello>(in.session);
  EXPECT_EQ(read.protocol, (Version{9, 4}));
  EXPECT_EQ(read.site.name, "west");
  EXPECT_EQ(read.site.software, "7.0.0");
}

TEST(MessageCodec, IgnoresAMinorAndItsNewFields) {
  ReceivedMessage in;
  wire::Envelope envelope;
  envelope.mutable_hello()->mutable_protocol()->set_major(kProtocolVersion.major);
  envelope.mutable_hello()->mutable_protocol()->set_minor(99);
  wire::Hello* const hello = envelope.mutable_hello();
  hello->GetReflection()->MutableUnknownFields(hello)->AddVarint(500, 1);
  ASSERT_TRUE(decodes(envelope, in)) << in.problem;
  EXPECT_EQ(std::get<Hello>(in.session).protocol.minor, 99U);
}

TEST(MessageCodec, CarriesAHaltWhateverItsSentenceIsMadeOf) {
  ReceivedMessage in;
  MessageCodec codec;
  Halt halt;
  halt.reason =
      "Dr\xfc"
      "ck 3 µm, \xed\xa0\x80 \xf0\x9f\x94\xa9 \xe2\x82";
  ASSERT_TRUE(codec.decode(codec.encode(halt), in)) << in.problem;
  EXPECT_EQ(std::get<Halt>(in.session).reason, "Dr?ck 3 µm, ??? \xf0\x9f\x94\xa9 ??");
}

TEST(MessageCodec, CarriesWhichHoldOfAPersonIsMeant) {
  ReceivedMessage in;
  MessageCodec codec;
  Halt halt;
  Resume resume;
  Stop stop;
  halt.hold = resume.hold = stop.hold = 1'790'000'000'000'000'001;
  ASSERT_TRUE(codec.decode(codec.encode(halt), in)) << in.problem;
  EXPECT_EQ(std::get<Halt>(in.session).hold, halt.hold);
  ASSERT_TRUE(codec.decode(codec.encode(resume), in)) << in.problem;
  EXPECT_EQ(std::get<Resume>(in.session).hold, resume.hold);
  ASSERT_TRUE(codec.decode(codec.encode(stop), in)) << in.problem;
  EXPECT_EQ(std::get<Stop>(in.session).hold, stop.hold);
}

TEST(MessageCodec, RefusesEmptyAndOverlongBytes) {
  ReceivedMessage in;
  EXPECT_FALSE(MessageCodec().decode({}, in));
  EXPECT_FALSE(MessageCodec().decode(bytes(std::string(kMaxMessageBytes + 1, '\x0a')), in));
  EXPECT_EQ(in.problem, "longer than 1 MiB");
}

/// P9: whatever the bytes, a message within all bounds comes out, or a reason why not.
void expect_sound(bool read, const ReceivedMessage& in) {
  if (!read) {
    ASSERT_EQ(in.kind, ReceivedMessage::Kind::kMalformed);
    ASSERT_FALSE(in.problem.empty());
  } else if (in.kind == ReceivedMessage::Kind::kStepCommand) {
    ASSERT_TRUE(has_consistent_sizes(in.command));
    ASSERT_LE(in.command.target.displacement.size(), kMaxInterfaceDofs);
  } else if (in.kind == ReceivedMessage::Kind::kStepResponse) {
    ASSERT_TRUE(has_consistent_sizes(in.response));
    ASSERT_LE(in.response.actuators.force.size(), kMaxActuators);
  }
}

TEST(MessageCodec, SurvivesAHundredThousandMutations) {
  MessageCodec codec;
  std::vector<std::string> seeds{text(codec.encode(testing::sample_command(2, true))),
                                 text(codec.encode(testing::sample_command(24, false))),
                                 text(codec.encode(testing::sample_response(2, 2)))};
  for (const SessionMessage& message : testing::sample_session_messages())
    seeds.push_back(text(codec.encode(message)));
  std::mt19937 random(7);
  const auto below = [&random](std::size_t bound) {
    return random() % bound;
  };
  ReceivedMessage in;
  int read = 0;
  for (int n = 0; n < 100'000; ++n) {
    std::string mutated = seeds[below(seeds.size())];
    for (std::size_t changes = 1 + below(4); changes > 0 && !mutated.empty(); --changes) {
      const std::size_t at = below(mutated.size());
      switch (below(4)) {
        case 0:
          mutated[at] = static_cast<char>(random());
          break;
        case 1:
          mutated[at] = static_cast<char>(mutated[at] ^ (1 << below(8)));
          break;
        case 2:
          mutated.resize(at);
          break;
        default:
          mutated.insert(at, seeds[below(seeds.size())], 0, below(40));
      }
    }
    const bool good = codec.decode(bytes(mutated), in);
    expect_sound(good, in);
    read += good ? 1 : 0;
  }
  EXPECT_GT(read, 1000) << "mutations too wild to reach the validation";
  EXPECT_LT(read, 99'000);
  const StepCommand sound = testing::sample_command(2, true);
  ASSERT_TRUE(codec.decode(bytes(text(MessageCodec().encode(sound))), in)) << "lives on";
  EXPECT_TRUE(same(in.command, sound));
}

TEST(MessageCodec, TakesMoreForcesThanMotionsAndNeverFewer) {
  MessageCodec codec;
  StepResponse response = testing::sample_response(2, 3);
  response.force = InterfaceVector{{1.0, 2.0, 3.0}};
  ReceivedMessage in;
  const std::string whole = text(codec.encode(response));
  ASSERT_TRUE(codec.decode(bytes(whole), in)) << in.problem;
  EXPECT_EQ(in.response.force, response.force);
  EXPECT_EQ(in.response.measured, response.measured);
  wire::Envelope envelope;
  ASSERT_TRUE(envelope.ParseFromString(whole));
  envelope.mutable_step_response()->mutable_force()->Truncate(1);
  EXPECT_FALSE(decodes(envelope, in));
}

}  // namespace
}  // namespace trestle::bus
