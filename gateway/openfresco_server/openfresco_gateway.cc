#include "gateway/openfresco_server/openfresco_gateway.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trestle::openfresco_server {

using openfresco::MessageCode;
using Kind = ClientDecoder::Event::Kind;

namespace {

// Number of unknown messages that the gateway tolerates.
constexpr int kMostOdd = 16;
constexpr std::size_t kMostNotices = 64;
// Longest silence in the lab protocol: after the open message the user builds the model.
constexpr Duration kModelBuilt = std::chrono::minutes(10);
// While a question of the client waits for the rig, the gateway looks at its port once an
// interval of this length.
constexpr Duration kBetweenLooks = std::chrono::milliseconds(1);
// Name of this end in the lab protocol, and its code for the end of a test.
constexpr double kActorTag = 1.0;
constexpr double kLabFarewell = 4.0;

ClientDecoder::Settings decoder_settings(const GatewaySettings& settings, bool datagrams) {
  return {.datagrams = datagrams,
          .dialect = settings.dialect,
          .controlled = static_cast<std::int32_t>(settings.controlled()),
          .forces = static_cast<std::int32_t>(settings.forces())};
}

Channels channels_of(const GatewaySettings& settings) {
  Channels channels{{"client.time_s", "s"}, {"client.commits", "1"}};
  for (const InterfaceLayout& site : settings.sites)
    for (const InterfaceDof& dof : site) {
      if (dof.role == DofRole::kForceOnly) continue;
      const bool turns = dof.kind == DofKind::kRotation;
      channels.push_back(
          {"client." + dof.name + (turns ? ".disp_rad" : ".disp_m"), turns ? "rad" : "m"});
    }
  return channels;
}

}  // namespace

OpenFrescoGateway::OpenFrescoGateway(const GatewaySettings& settings, ClientPort& port,
                                     const Clock& clock)
    : settings_(settings),
      port_(port),
      clock_(clock),
      decoder_(decoder_settings(settings, port.datagrams())),
      motion_(settings),
      channels_(channels_of(settings)) {}

bool OpenFrescoGateway::look() {
  if (stage_ == Stage::kNobody) {
    if (port_.look() != ClientPort::State::kClient) return false;
    stage_ = Stage::kGreeting;
    called_ = heard_ = clock_.now();
    opened_lab_ = false;
  }
  if (stage_ == Stage::kGreeting) {
    pump();
    if (stage_ == Stage::kGreeting && clock_.now() >= greeting_ends())
      lose("client " + port_.client() + " did not say its sizes in time, and was let go");
  }
  if (stage_ == Stage::kReady) return true;
  if (stage_ == Stage::kGone || stage_ == Stage::kOver) {
    note(stage_ == Stage::kOver ? "client " + port_.client() + " left before it began"
                                : why_gone_);
    disconnect();
  }
  return false;
}

bool OpenFrescoGateway::linger() {
  testing_ = false;
  announced_ = false;
  const bool there =
      stage_ == Stage::kMoving || stage_ == Stage::kReady || stage_ == Stage::kNotFinite;
  if (there) stage_ = Stage::kServing;
  // Over UDP, who silently left would have the next one's greeting turned away.
  if (stage_ == Stage::kServing && time_to_timeout() > Duration::zero()) pump();
  if (stage_ == Stage::kServing && time_to_timeout() <= Duration::zero())
    lose("client " + port_.client() + " says nothing any more");
  return stage_ == Stage::kServing || !port_.sent();
}

void OpenFrescoGateway::disconnect() {
  port_.drop();
  decoder_.reset();
  motion_.reset();
  stage_ = Stage::kNobody;
  testing_ = announced_ = unread_ = false;
  why_gone_.clear();
  commits_ = replies_ = 0;
  odd_ = 0;
}

bool OpenFrescoGateway::attend() {
  const bool serving = stage_ == Stage::kServing || stage_ == Stage::kReady;
  if (!serving && stage_ != Stage::kMoving) return stage_ != Stage::kGone;
  // It waits for the reply to its request: another poll costs three calls and a useless
  // acknowledgement.
  if (stage_ == Stage::kMoving && decoder_.begun() && clock_.now() - heard_ < kBetweenLooks)
    return true;
  read();
  if (port_.look() != ClientPort::State::kLeft || decoder_.holds_end()) return true;
  lose(who() + (stage_ == Stage::kMoving ? " went away while the rig was moving"
                                         : " went away without a word of the end"));
  return false;
}

bool OpenFrescoGateway::overhears() {
  if (stage_ != Stage::kServing) return false;
  read();
  return std::exchange(unread_, false);
}

ExternalTargetSource::State OpenFrescoGateway::next() noexcept {
  if (stage_ == Stage::kMoving) {
    attend();
  } else if (stage_ == Stage::kServing) {
    pump();
  }
  if (announced_) return State::kTargetReady;
  if (stage_ == Stage::kOver) return State::kCompleted;
  if (stage_ == Stage::kNotFinite) return State::kInvalidTarget;
  return stage_ == Stage::kGone ? State::kDisconnected : State::kPending;
}

std::string OpenFrescoGateway::who() const {
  return "client " + (port_.client().empty() ? std::string("(none)") : port_.client());
}

void OpenFrescoGateway::prepare() {
  testing_ = true;
  stage_ = Stage::kServing;
}

void OpenFrescoGateway::predict(std::int64_t /*step*/,
                                std::span<SiteTarget> requests) noexcept {
  announced_ = false;
  motion_.command(requests);
}

bool OpenFrescoGateway::correct(std::int64_t /*step*/,
                                std::span<const SiteResponse> answers) noexcept {
  motion_.measured(answers);
  if (stage_ == Stage::kMoving) {
    stage_ = Stage::kServing;
    unread_ = decoder_.begun();  // what came meanwhile
  }
  return true;
}

void OpenFrescoGateway::record(std::span<double> row) const noexcept {
  row[0] = motion_.time();
  row[1] = static_cast<double>(commits_);
  for (std::size_t i = 2; i < row.size(); ++i)
    row[i] = motion_.to_si(i - 2, motion_.displacement()[i - 2]);
}

std::vector<std::string> OpenFrescoGateway::take_notices() {
  for (const std::string& each : port_.take_notices()) note(each);
  return std::exchange(notices_, {});
}

void OpenFrescoGateway::note(const std::string& what) {
  if (notices_.size() < kMostNotices) notices_.push_back(what);
}

void OpenFrescoGateway::lose(const std::string& why) {
  stage_ = Stage::kGone;
  why_gone_ = why;
  port_.release();
}

/// Counted from its first message, so that a slow sender does not block others. A client of
/// the lab protocol that has sent open may wait for its model.
TimePoint OpenFrescoGateway::greeting_ends() const noexcept {
  if (opened_lab_ && !decoder_.begun())
    return heard_ + std::min(settings_.patience, kModelBuilt);
  return (opened_lab_ ? heard_ : called_) + settings_.handshake;
}

/// @returns whether more may have come already
bool OpenFrescoGateway::read() {
  const std::span<std::byte> room = decoder_.room();
  const std::size_t bytes = port_.receive(room);
  if (bytes == 0) return false;
  heard_ = clock_.now();
  decoder_.took(bytes, heard_);
  unread_ = true;
  return port_.datagrams() || bytes == room.size();
}

/// Everything that can be answered without the integrator.
void OpenFrescoGateway::pump() {
  unread_ = false;
  if (!port_.sent()) return;
  bool more = true;
  while (stage_ == Stage::kGreeting || stage_ == Stage::kServing) {
    const ClientDecoder::Event event = decoder_.next(clock_.now());
    if (event.kind != Kind::kNone) {
      handle(event);
      if (!port_.sent()) return;
      continue;
    }
    if (!more) break;
    more = read();  // what came is looked at, whether there is more or not
  }
  unread_ = false;
  if ((stage_ == Stage::kGreeting || stage_ == Stage::kServing) &&
      port_.look() == ClientPort::State::kLeft)
    lose("client " + port_.client() + " went away without a word of the end");
}

void OpenFrescoGateway::handle(const ClientDecoder::Event& event) {
  switch (event.kind) {
    case Kind::kReply:
      return port_.send(event.say, decoder_.datagram());
    case Kind::kSizes:
      reply_.assign(static_cast<std::size_t>(decoder_.data()), 0.0);
      bytes_.assign(reply_.size() * openfresco::kRealBytes, std::byte{});
      port_.engage();
      if (stage_ == Stage::kGreeting) stage_ = Stage::kReady;
      return;
    case Kind::kVector:
      return vector(event.code);
    case Kind::kInvalid:
      return lose("client " + port_.client() + " sent " + event.problem);
    case Kind::kIgnored:
      if (!decoder_.greeted() && stage_ == Stage::kGreeting)
        lose("a datagram from " + port_.client() + " that is nothing we know");
      return;
    case Kind::kLine:
    case Kind::kNone:
      return;
  }
}

void OpenFrescoGateway::vector(int code) {
  if (stage_ == Stage::kGreeting && code != static_cast<int>(MessageCode::kOpen) &&
      code != static_cast<int>(MessageCode::kSetup) &&
      code != static_cast<int>(MessageCode::kEnd))
    return lose("client " + port_.client() + " sent code " + std::to_string(code) +
                " before its setup");
  const auto from_here = decoder_.values().subspan(1);
  switch (static_cast<MessageCode>(code)) {
    case MessageCode::kTrial:
      return trial();
    case MessageCode::kCommit:
      ++commits_;
      motion_.take_time(decoder_.sizes().control, from_here);
      return;
    case MessageCode::kMeasured:
    case MessageCode::kDisplacement:
    case MessageCode::kVelocity:
    case MessageCode::kAcceleration:
    case MessageCode::kForce:
    case MessageCode::kTime:
      motion_.fill(decoder_.sizes().measured, reply_);
      return send_reply();
    case MessageCode::kInitialStiffness:
      return answer_matrix(settings_.initial_stiffness);
    case MessageCode::kTangentStiffness:
      return answer_matrix(settings_.tangent_stiffness);
    case MessageCode::kDamping:
      return answer_matrix(settings_.damping);
    case MessageCode::kMass:
      return answer_matrix(settings_.mass);
    case MessageCode::kOpen:
      return open_lab();
    case MessageCode::kSetup:
      if (decoder_.dialect() == ClientDialect::kLab) return;
      break;
    case MessageCode::kEnd:
      return end();
    case MessageCode::kExecute:
      break;
  }
  // The client awaits no reply to these.
  if (++odd_ == 1)
    note("client " + port_.client() + " sent code " + std::to_string(code) +
         ", which has no meaning here");
  if (odd_ > kMostOdd)
    lose("client " + port_.client() + " sends messages of no meaning, the last of code " +
         std::to_string(code));
}

void OpenFrescoGateway::trial() {
  if (!motion_.set_trial(decoder_.sizes().control, decoder_.values().subspan(1))) {
    if (!testing_) return;
    stage_ = Stage::kNotFinite;
    why_gone_ = who() + " sent a trial with a number that is not finite";
    return;
  }
  if (!testing_ || !motion_.moves(settings_.move_on_time)) return;
  announced_ = true;
  stage_ = Stage::kMoving;
}

void OpenFrescoGateway::answer_matrix(const std::vector<double>& matrix) {
  std::fill(reply_.begin(), reply_.end(), 0.0);
  if (matrix.size() <= reply_.size())
    std::copy(matrix.begin(), matrix.end(), reply_.begin());
  else if (++odd_ == 1)
    note("client " + port_.client() + " asks for a matrix of " +
         std::to_string(matrix.size()) + " values in messages of " +
         std::to_string(reply_.size()) + "; it gets zeros");
  send_reply();
}

/// Replies with the client's version: both ends of that protocol require the same one.
void OpenFrescoGateway::open_lab() {
  if (decoder_.dialect() != ClientDialect::kLab) return;
  opened_lab_ = true;
  reply_.assign(static_cast<std::size_t>(decoder_.data()), 0.0);
  bytes_.assign(reply_.size() * openfresco::kRealBytes, std::byte{});
  reply_[1] = kActorTag;
  if (reply_.size() > 2 && decoder_.values().size() > 2) reply_[2] = decoder_.values()[2];
  send_reply();
}

void OpenFrescoGateway::end() {
  if (decoder_.dialect() == ClientDialect::kLab) {
    reply_.assign(static_cast<std::size_t>(decoder_.data()), 0.0);
    bytes_.assign(reply_.size() * openfresco::kRealBytes, std::byte{});
    reply_[0] = kLabFarewell;
    reply_[1] = kActorTag;
    send_reply();
  }
  stage_ = Stage::kOver;
  port_.release();
}

void OpenFrescoGateway::send_reply() {
  openfresco::write_reals(reply_, bytes_);
  port_.send(bytes_, decoder_.datagram());
  ++replies_;
}

}  // namespace trestle::openfresco_server
