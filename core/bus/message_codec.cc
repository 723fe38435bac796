#include "core/bus/message_codec.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/bus/session_codec.h"
#include "proto/wire/session.pb.h"
#include "proto/wire/step.pb.h"

namespace trestle::bus {
namespace {

using google::protobuf::Message;
using google::protobuf::MessageLite;
using google::protobuf::RepeatedField;
using google::protobuf::StringPiece;

/// Why a message is refused; empty if it is not.
using Problem = std::string;

constexpr std::size_t kStepBytes = 4096;  // no step message is longer
constexpr std::byte kCommandTag{(1 << 3) | 2};
constexpr std::byte kResponseTag{(2 << 3) | 2};

// --- values ---

template <typename Vector>
void put(const Vector& from, RepeatedField<double>* to) noexcept {
  const auto size = static_cast<int>(from.size());
  to->Resize(size, 0.0);
  std::copy_n(from.data(), size, to->mutable_data());
}

template <typename Vector>
bool take(const RepeatedField<double>& from, Vector& to) noexcept {
  if (from.size() > Vector::MaxRowsAtCompileTime) return false;
  to.resize(from.size());
  std::copy_n(from.data(), from.size(), to.data());
  return true;
}

std::uint64_t to_wire(TimePoint time) noexcept {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

TimePoint from_wire(std::uint64_t time) noexcept {
  return TimePoint{Duration{static_cast<std::int64_t>(time)}};
}

// --- step messages: generated Clear() would free the parts, so each is emptied by itself
// ---

void put(const InterfaceMotion& from, wire::Motion* to) noexcept {
  put(from.displacement, to->mutable_displacement());
  put(from.velocity, to->mutable_velocity());
  put(from.acceleration, to->mutable_acceleration());
}

bool take(const wire::Motion& from, InterfaceMotion& to) noexcept {
  return take(from.displacement(), to.displacement) && take(from.velocity(), to.velocity) &&
         take(from.acceleration(), to.acceleration);
}

void put(const SyncTimestamps& from, wire::SyncTimestamps* to) noexcept {
  to->set_sent_ns(to_wire(from.transmit));
  to->set_heard_sent_ns(to_wire(from.origin));
  to->set_heard_received_ns(to_wire(from.receive));
}

SyncTimestamps stamps(const wire::SyncTimestamps& from) noexcept {
  return {from_wire(from.sent_ns()), from_wire(from.heard_sent_ns()),
          from_wire(from.heard_received_ns())};
}

void put(const SiteTimestamps& from, wire::StepResponse* to) noexcept {
  to->set_received_ns(to_wire(from.received));
  to->set_started_ns(to_wire(from.started));
  to->set_driven_ns(to_wire(from.driven));
  to->set_closed_ns(to_wire(from.closed));
}

void forget_unknown(Message* message) noexcept {
  if (!message->GetReflection()->GetUnknownFields(*message).empty())
    message->GetReflection()->MutableUnknownFields(message)->Clear();
}

void empty(wire::StepCommand* message) noexcept {
  message->mutable_session()->clear();
  message->set_step(0);
  message->set_due_ns(0);
  message->mutable_target()->Clear();
  message->mutable_feedforward_target()->Clear();
  message->mutable_command_feedforward()->Clear();
  message->mutable_exchange()->Clear();
  forget_unknown(message);
}

void empty(wire::StepResponse* message) noexcept {
  message->mutable_session()->clear();
  message->set_step(0);
  message->set_measured_at_ns(0);
  message->mutable_measured()->Clear();
  message->mutable_force()->Clear();
  message->mutable_actuators()->Clear();
  message->mutable_exchange()->Clear();
  put(SiteTimestamps{}, message);
  message->set_missed(false);
  forget_unknown(message);
}

Problem read(const wire::StepCommand& from, StepCommand& to) {
  if (!read_session_id(from.session(), to.session)) return "session is not 16 bytes";
  to.step = from.step();
  to.due = from_wire(from.due_ns());
  if (!take(from.target(), to.target) ||
      !take(from.feedforward_target(), to.feedforward_target) ||
      !take(from.command_feedforward(), to.command_feedforward))
    return "more values than a site has interface DOFs";
  if (!has_consistent_sizes(to)) return "target and feed-forward differ in length";
  to.exchange = stamps(from.exchange());
  return {};
}

Problem read(const wire::StepResponse& from, StepResponse& to) {
  if (!read_session_id(from.session(), to.session)) return "session is not 16 bytes";
  to.step = from.step();
  to.measured_at = from_wire(from.measured_at_ns());
  if (!take(from.measured(), to.measured) || !take(from.force(), to.force))
    return "more values than a site has interface DOFs";
  const wire::ActuatorReport& actuators = from.actuators();
  if (!take(actuators.target(), to.actuators.target) ||
      !take(actuators.command(), to.actuators.command) ||
      !take(actuators.measured(), to.actuators.measured) ||
      !take(actuators.force(), to.actuators.force) ||
      !take(actuators.delay(), to.actuators.delay) ||
      !take(actuators.amplitude(), to.actuators.amplitude))
    return "more values than a site has actuators";
  if (!has_consistent_sizes(to))
    return "more values measured than forces, or parts that differ in length";
  to.exchange = stamps(from.exchange());
  to.stamps = {from_wire(from.received_ns()), from_wire(from.started_ns()),
               from_wire(from.driven_ns()), from_wire(from.closed_ns())};
  to.missed = from.missed();
  return {};
}

/// Length of a varint-framed message that fills `bytes` to the end, or nothing.
std::optional<std::span<const std::byte>> only_field(std::span<const std::byte> bytes) {
  std::size_t length = 0;
  std::size_t at = 1;
  for (unsigned shift = 0; at < bytes.size() && shift < 21; shift += 7) {
    const auto digit = std::to_integer<std::size_t>(bytes[at++]);
    length |= (digit & 0x7fU) << shift;
    if (digit < 0x80U) {
      if (length != bytes.size() - at) return std::nullopt;
      return bytes.subspan(at);
    }
  }
  return std::nullopt;
}

StringPiece text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <typename Message>
bool merge(std::span<const std::byte> bytes, Message& to) {
  return to.template ParseFrom<MessageLite::kMerge>(text(bytes));
}

/// Protobuf would print its errors about foreign bytes into the progress line;
/// ReceivedMessage::problem states them better.
void silence_protobuf() {
  [[maybe_unused]] static const auto previous = google::protobuf::SetLogHandler(nullptr);
}

}  // namespace

bool has_consistent_sizes(const StepCommand& message) noexcept {
  const Eigen::Index dofs = message.target.displacement.size();
  const auto absent_or_whole = [dofs](Eigen::Index size) {
    return size == 0 || size == dofs;
  };
  const InterfaceMotion& part = message.feedforward_target;
  return message.target.velocity.size() == dofs &&
         message.target.acceleration.size() == dofs &&
         absent_or_whole(part.displacement.size()) &&
         part.velocity.size() == part.displacement.size() &&
         part.acceleration.size() == part.displacement.size() &&
         absent_or_whole(message.command_feedforward.size());
}

bool has_consistent_sizes(const StepResponse& message) noexcept {
  const ActuatorReport& actuators = message.actuators;
  return message.force.size() >= message.measured.size() &&
         actuators.command.size() == actuators.target.size() &&
         actuators.measured.size() == actuators.target.size() &&
         actuators.force.size() == actuators.target.size() &&
         (actuators.delay.size() == 0 ||
          actuators.delay.size() == actuators.target.size()) &&
         actuators.amplitude.size() == actuators.delay.size();
}

/// The reused messages. Their parts are allocated once and never freed.
struct MessageCodec::Wire {
  Wire() : bytes(kStepBytes), feedforward(std::make_unique<wire::Motion>()) {
    command.mutable_target();
    command.mutable_exchange();
    response.mutable_actuators();
    response.mutable_exchange();
  }

  /// Puts the one field that an Envelope is made of around `message`.
  template <typename Message>
  std::span<const std::byte> frame(std::byte tag, const Message& message) noexcept {
    using google::protobuf::io::CodedOutputStream;
    const std::size_t length = message.ByteSizeLong();
    assert(length + 8 <= bytes.size());
    auto* const begin = reinterpret_cast<std::uint8_t*>(bytes.data());
    begin[0] = std::to_integer<std::uint8_t>(tag);
    std::uint8_t* at = CodedOutputStream::WriteVarint32ToArray(
        static_cast<std::uint32_t>(length), begin + 1);
    at = message.SerializeWithCachedSizesToArray(at);
    return {bytes.data(), static_cast<std::size_t>(at - begin)};
  }

  Problem read_step(std::span<const std::byte> inner, bool is_command,
                    ReceivedMessage& into) {
    if (is_command) {
      empty(&heard_command);
      into.kind = ReceivedMessage::Kind::kStepCommand;
      return merge(inner, heard_command) ? read(heard_command, into.command)
                                         : "not a step command";
    }
    empty(&heard_response);
    into.kind = ReceivedMessage::Kind::kStepResponse;
    return merge(inner, heard_response) ? read(heard_response, into.response)
                                        : "not a step response";
  }

  /// Reads every message except the step message that this codec writes itself.
  Problem read_any(std::span<const std::byte> all, ReceivedMessage& into) {
    envelope.Clear();
    if (!merge(all, envelope)) return "not a message of the bus";
    if (envelope.has_step_command()) {
      into.kind = ReceivedMessage::Kind::kStepCommand;
      return read(envelope.step_command(), into.command);
    }
    if (envelope.has_step_response()) {
      into.kind = ReceivedMessage::Kind::kStepResponse;
      return read(envelope.step_response(), into.response);
    }
    into.kind = ReceivedMessage::Kind::kSession;
    return read_session(envelope, into.session);
  }

  std::vector<std::byte> bytes;
  wire::StepCommand command;
  wire::StepResponse response;
  // Read and written messages are separate: unknown fields of a peer are not passed on.
  wire::StepCommand heard_command;
  wire::StepResponse heard_response;
  std::unique_ptr<wire::Motion> feedforward;  // while the command has none
  wire::Envelope envelope;
};

MessageCodec::MessageCodec() : wire_(std::make_unique<Wire>()) {
  silence_protobuf();
}
MessageCodec::~MessageCodec() = default;
MessageCodec::MessageCodec(MessageCodec&&) noexcept = default;
MessageCodec& MessageCodec::operator=(MessageCodec&&) noexcept = default;

std::span<const std::byte> MessageCodec::encode(const StepCommand& message) noexcept {
  assert(has_consistent_sizes(message));
  wire::StepCommand& to = wire_->command;
  write_session_id(message.session, to.mutable_session());
  to.set_step(message.step);
  to.set_due_ns(to_wire(message.due));
  put(message.target, to.mutable_target());
  const bool present = message.feedforward_target.displacement.size() > 0;
  if (present && !to.has_feedforward_target())
    to.set_allocated_feedforward_target(wire_->feedforward.release());
  if (!present && to.has_feedforward_target())
    wire_->feedforward.reset(to.release_feedforward_target());
  if (present) put(message.feedforward_target, to.mutable_feedforward_target());
  put(message.command_feedforward, to.mutable_command_feedforward());
  put(message.exchange, to.mutable_exchange());
  return wire_->frame(kCommandTag, to);
}

std::span<const std::byte> MessageCodec::encode(const StepResponse& message) noexcept {
  assert(has_consistent_sizes(message));
  wire::StepResponse& to = wire_->response;
  write_session_id(message.session, to.mutable_session());
  to.set_step(message.step);
  to.set_measured_at_ns(to_wire(message.measured_at));
  put(message.measured, to.mutable_measured());
  put(message.force, to.mutable_force());
  wire::ActuatorReport& actuators = *to.mutable_actuators();
  put(message.actuators.target, actuators.mutable_target());
  put(message.actuators.command, actuators.mutable_command());
  put(message.actuators.measured, actuators.mutable_measured());
  put(message.actuators.force, actuators.mutable_force());
  put(message.actuators.delay, actuators.mutable_delay());
  put(message.actuators.amplitude, actuators.mutable_amplitude());
  put(message.exchange, to.mutable_exchange());
  put(message.stamps, &to);
  to.set_missed(message.missed);
  return wire_->frame(kResponseTag, to);
}

std::span<const std::byte> MessageCodec::encode(const SessionMessage& message) {
  wire_->envelope.Clear();
  if (!write_session(message, wire_->envelope)) return {};
  const std::size_t length = wire_->envelope.ByteSizeLong();
  if (length > kMaxMessageBytes) return {};
  if (length > wire_->bytes.size()) wire_->bytes.resize(length);
  wire_->envelope.SerializeWithCachedSizesToArray(
      reinterpret_cast<std::uint8_t*>(wire_->bytes.data()));
  return {wire_->bytes.data(), length};
}

bool MessageCodec::decode(std::span<const std::byte> bytes, ReceivedMessage& into) {
  Problem problem;
  if (bytes.empty()) {
    problem = "empty message";
  } else if (bytes.size() > kMaxMessageBytes) {
    problem = "longer than 1 MiB";
  } else if (bytes[0] == kCommandTag || bytes[0] == kResponseTag) {
    const auto inner = only_field(bytes);
    problem = inner ? wire_->read_step(*inner, bytes[0] == kCommandTag, into)
                    : wire_->read_any(bytes, into);
  } else {
    problem = wire_->read_any(bytes, into);
  }
  if (problem.empty()) return true;
  into.kind = ReceivedMessage::Kind::kMalformed;
  into.problem = std::move(problem);
  return false;
}

}  // namespace trestle::bus
