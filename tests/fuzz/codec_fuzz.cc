// Any bytes through the codec: what it takes it can write, and what it writes it reads as
// the same bytes; a codec that has seen much answers as one that is new.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bus/message_codec.h"
#include "tests/fuzz/promise.h"

namespace trestle {
namespace {

using Bytes = std::vector<std::byte>;

Bytes encoded(bus::MessageCodec& codec, const ReceivedMessage& message) {
  std::span<const std::byte> bytes;
  if (message.kind == ReceivedMessage::Kind::kStepCommand) {
    fuzz::promise(bus::has_consistent_sizes(message.command),
                  "a command that was read is consistent");
    bytes = codec.encode(message.command);
  } else if (message.kind == ReceivedMessage::Kind::kStepResponse) {
    fuzz::promise(bus::has_consistent_sizes(message.response),
                  "a response that was read is consistent");
    bytes = codec.encode(message.response);
  } else {
    bytes = codec.encode(message.session);
  }
  return {bytes.begin(), bytes.end()};
}

void check(std::span<const std::byte> bytes) {
  static bus::MessageCodec old;
  bus::MessageCodec fresh;
  ReceivedMessage from_old, from_fresh;
  const bool taken = fresh.decode(bytes, from_fresh);
  fuzz::promise(old.decode(bytes, from_old) == taken,
                "an old codec takes what a new one does");
  fuzz::promise(taken == (from_fresh.kind != ReceivedMessage::Kind::kMalformed),
                "the kind says whether it was taken");
  if (!taken) return fuzz::promise(!from_fresh.problem.empty(), "a refusal says why");
  const Bytes first = encoded(fresh, from_fresh);
  fuzz::promise(first == encoded(old, from_old), "an old codec writes what a new one does");
  if (first.empty()) return;  // longer than a message may be
  ReceivedMessage again;
  fuzz::promise(fresh.decode(first, again), "what was written can be read");
  fuzz::promise(first == encoded(fresh, again), "written again it is the same");
}

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::check(std::as_bytes(std::span(data, size)));
  return 0;
}
