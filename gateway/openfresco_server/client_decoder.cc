#include "gateway/openfresco_server/client_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace trestle::openfresco_server {

using namespace openfresco;

namespace {

// More than a client sends before it waits, whatever its sizes.
constexpr std::size_t kLeastBuffer = std::size_t{128} * 1024;
// Messages before a client waits for an answer: a trial, a commit, and what asks.
constexpr std::size_t kMessagesHeld = 6;
constexpr int kCodesEnd = 1000;
// Clients that cut their datagrams at 512 bytes read no longer ones.
constexpr std::size_t kShortDatagram = 512;
constexpr std::byte kInitLine{2};
constexpr std::byte kOne{1};
constexpr std::byte kIntegerOne[] = {kOne, std::byte{0}, std::byte{0}, std::byte{0}};

bool begins_with_one(std::span<const std::byte> bytes) noexcept {
  return read_integer(bytes.first<kIntegerBytes>()) == 1;
}

std::size_t bytes_of(std::int32_t data) noexcept {
  return static_cast<std::size_t>(data) * kRealBytes;
}

}  // namespace

ClientDecoder::ClientDecoder(const Settings& settings) : settings_(settings) {
  reset();
}

void ClientDecoder::reset() {
  state_ = State::kFresh;
  dialect_ = settings_.dialect;
  begin_ = end_ = 0;
  sizes_ = {};
  datagram_ = kDatagramBytes;
  ready_ = greeted_ = stray_ = false;
  first_ = true;
  use(kDefaultDataSize);
}

void ClientDecoder::use(std::int32_t data) {
  data_ = data;
  values_.assign(static_cast<std::size_t>(data), 0.0);
  const std::size_t most = std::max(kLeastBuffer, kMessagesHeld * bytes_of(data));
  if (buffer_.size() < most) buffer_.resize(most);
}

std::span<const std::byte> ClientDecoder::held() const noexcept {
  return {buffer_.data() + begin_, end_ - begin_};
}

std::span<std::byte> ClientDecoder::room() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  return {buffer_.data() + end_, buffer_.size() - end_};
}

void ClientDecoder::took(std::size_t bytes, TimePoint now) {
  if (begin_ == end_) since_ = now;
  const std::span<const std::byte> came{buffer_.data() + end_, bytes};
  if (settings_.datagrams && !keeps_datagram(came)) {
    stray_ = true;
    return;
  }
  if (settings_.datagrams && first_ && state_ != State::kFresh && bytes == kShortDatagram &&
      bytes_of(data_) > kShortDatagram)
    datagram_ = kShortDatagram;
  end_ += bytes;
}

/// Vectors consist of whole reals. Other datagrams belong to no message and would shift all
/// others.
bool ClientDecoder::keeps_datagram(std::span<const std::byte> bytes) const noexcept {
  if (state_ != State::kVectors || bytes.size() % kRealBytes == 0) return true;
  return first_ && dialect_ == ClientDialect::kSizes;  // lines of a file
}

TimePoint ClientDecoder::due() const noexcept {
  const bool undecided = state_ == State::kFresh && !settings_.datagrams &&
                         dialect_ == ClientDialect::kAny && end_ - begin_ == kIntegerBytes;
  return undecided ? since_ + settings_.lab_patience : TimePoint::max();
}

ClientDecoder::Event ClientDecoder::next(TimePoint now) {
  if (std::exchange(stray_, false)) return {.kind = Event::Kind::kIgnored};
  switch (state_) {
    case State::kFresh:
      return settings_.datagrams ? fresh_datagram() : fresh_stream(now);
    case State::kVectors:
      return vector();
    case State::kLabSizes: {
      if (held().size() < 2 * kResponsesBytes) return {};
      const Sizes sizes{read_responses(held()),
                        read_responses(held().subspan(kResponsesBytes)), data_to_come_};
      drop(2 * kResponsesBytes);
      return take_sizes(sizes);
    }
    case State::kBroken:
      break;
  }
  begin_ = end_ = 0;
  return {};
}

ClientDecoder::Event ClientDecoder::fresh_stream(TimePoint now) {
  const std::span<const std::byte> bytes = held();
  if (bytes.size() < kIntegerBytes) return {};
  if (dialect_ == ClientDialect::kAny) {
    if (bytes.size() > kIntegerBytes || !begins_with_one(bytes))
      dialect_ = ClientDialect::kSizes;
    else if (now < due())
      return {};
    else
      dialect_ = ClientDialect::kLab;
  }
  if (dialect_ == ClientDialect::kLab) {
    if (!begins_with_one(bytes))
      return broken("the lab protocol begins with the integer 1");
    drop(kIntegerBytes);
    speak_lab();
    return {.kind = Event::Kind::kReply, .say = kIntegerOne};
  }
  if (bytes.size() < kSizesBytes) return {};
  const Sizes sizes = read_sizes(bytes);
  drop(kSizesBytes);
  return take_sizes(sizes);
}

ClientDecoder::Event ClientDecoder::fresh_datagram() {
  const std::span<const std::byte> bytes = held();
  if (bytes.empty()) return {};
  if (bytes.size() == 1 && bytes[0] == kGreeting) {
    drop(1);
    greeted_ = true;
    return {.kind = Event::Kind::kReply, .say = {&kGreetingAnswer, 1}};
  }
  if (bytes.size() == 1 && bytes[0] == kOne && greeted_) {  // ShadowSite before 2.8
    drop(1);
    return {.kind = Event::Kind::kReply, .say = {&kOne, 1}};
  }
  if (bytes.size() == kSizesBytes && dialect_ != ClientDialect::kLab) {
    dialect_ = ClientDialect::kSizes;
    const Sizes sizes = read_sizes(bytes);
    drop(kSizesBytes);
    return take_sizes(sizes);
  }
  const bool opens =
      bytes.size() >= kShortDatagram && greeted_ &&
      read_real(bytes.first<kRealBytes>()) == static_cast<double>(MessageCode::kOpen);
  if (opens && dialect_ != ClientDialect::kSizes) {
    speak_lab();
    if (bytes.size() == kShortDatagram) datagram_ = kShortDatagram;
    return vector();
  }
  begin_ = end_ = 0;
  return {.kind = Event::Kind::kIgnored};
}

void ClientDecoder::speak_lab() {
  dialect_ = ClientDialect::kLab;
  state_ = State::kVectors;
}

ClientDecoder::Event ClientDecoder::vector() {
  const std::span<const std::byte> bytes = held();
  if (bytes.empty()) return {};
  if (first_ && dialect_ == ClientDialect::kSizes && bytes[0] == kInitLine) {
    if (bytes.size() < kInitLineBytes) return {};
    drop(kInitLineBytes);
    return {.kind = Event::Kind::kLine};
  }
  if (bytes.size() < bytes_of(data_)) return {};
  read_reals(bytes, values_);
  drop(bytes_of(data_));
  first_ = false;
  const double code = values_[0];
  if (!(code >= 0.0 && code < kCodesEnd) || code != std::trunc(code))
    return broken("a message whose code is " + std::to_string(code) +
                  "; the client and we no longer agree where messages begin");
  const int whole = static_cast<int>(code);
  if (dialect_ == ClientDialect::kLab && whole == static_cast<int>(MessageCode::kSetup)) {
    const double data = values_[1];
    if (!(data >= 2.0 && data <= kLargestData))
      return broken("a setup with messages of " + std::to_string(data) + " reals");
    data_to_come_ = static_cast<std::int32_t>(data);
    state_ = State::kLabSizes;
  }
  return {.kind = Event::Kind::kVector, .code = whole};
}

ClientDecoder::Event ClientDecoder::take_sizes(const Sizes& sizes) {
  std::string problem = problem_of(sizes, settings_.controlled, settings_.forces);
  if (!problem.empty()) return broken(std::move(problem));
  sizes_ = sizes;
  use(sizes.data);
  ready_ = true;
  state_ = State::kVectors;
  return {.kind = Event::Kind::kSizes};
}

ClientDecoder::Event ClientDecoder::broken(std::string problem) {
  state_ = State::kBroken;
  begin_ = end_ = 0;
  return {.kind = Event::Kind::kInvalid, .problem = std::move(problem)};
}

bool ClientDecoder::holds_end() const noexcept {
  if (state_ != State::kVectors) return false;
  for (std::span<const std::byte> left = held(); left.size() >= bytes_of(data_);
       left = left.subspan(bytes_of(data_)))
    if (read_real(left.first<kRealBytes>()) == static_cast<double>(MessageCode::kEnd))
      return true;
  return false;
}

}  // namespace trestle::openfresco_server
