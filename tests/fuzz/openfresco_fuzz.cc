// Any bytes, in any pieces, from a client of OpenSees or OpenFresco: the decoder comes to
// an end with each piece, asks for no more memory than the sizes allow, and gives only
// codes that are whole numbers. Sent as one stream or byte by byte it reads the same
// messages.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gateway/openfresco_server/client_decoder.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/promise.h"

namespace trestle {
namespace {

using Kind = openfresco_server::ClientDecoder::Event::Kind;
using Bytes = std::span<const std::uint8_t>;

constexpr int kMostEvents = 100000;

openfresco_server::ClientDecoder::Settings settings_of(std::uint8_t choice) {
  const std::int32_t dofs = 1 + choice % 3;
  const openfresco_server::ClientDialect dialects[] = {
      openfresco_server::ClientDialect::kAny, openfresco_server::ClientDialect::kSizes,
      openfresco_server::ClientDialect::kLab};
  return {.datagrams = (choice & 64U) != 0,
          .dialect = dialects[choice / 3 % 3],
          .controlled = dofs,
          .forces = dofs + choice / 9 % 2};
}

/// What it told, in order, as text.
void drain(openfresco_server::ClientDecoder& decoder, TimePoint now, std::string& told) {
  int events = 0;
  for (;;) {
    const openfresco_server::ClientDecoder::Event event = decoder.next(now);
    if (event.kind == Kind::kNone) break;
    fuzz::promise(++events < kMostEvents, "it comes to an end");
    if (event.kind == Kind::kVector) {
      fuzz::promise(event.code >= 0 && event.code < 1000, "a code is a small whole number");
      fuzz::promise(decoder.values()[0] == event.code, "and stands in the first place");
    }
    if (event.kind == Kind::kSizes)
      fuzz::promise(openfresco::problem_of(decoder.sizes(), 3, 4).empty() ||
                        decoder.sizes().control.displacement < 3,
                    "sizes that are agreed fit the sites");
    if (event.kind == Kind::kInvalid) fuzz::promise(!event.problem.empty(), "it says why");
    told += std::to_string(static_cast<int>(event.kind)) + ":" +
            std::to_string(event.code) + " ";
  }
  fuzz::promise(decoder.values().size() <= 100000, "no vector is longer than agreed");
  decoder.holds_end();
}

bool give(openfresco_server::ClientDecoder& decoder, Bytes bytes, TimePoint now) {
  const std::span<std::byte> room = decoder.room();
  if (room.size() < bytes.size()) return false;
  std::copy_n(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), room.data());
  decoder.took(bytes.size(), now);
  return true;
}

void check(Bytes data) {
  if (data.empty()) return;
  const openfresco_server::ClientDecoder::Settings settings = settings_of(data[0]);
  fuzz::Choices choices(data.data() + 1, data.size() - 1);
  openfresco_server::ClientDecoder in_pieces(settings);
  std::vector<std::uint8_t> all;
  std::string told;
  TimePoint now{};
  while (choices.any()) {
    const Bytes piece = choices.bytes(1 + 9U * choices.byte());
    all.insert(all.end(), piece.begin(), piece.end());
    if (!give(in_pieces, piece, now)) return;
    drain(in_pieces, now, told);
  }
  if (settings.datagrams) return;
  openfresco_server::ClientDecoder one_by_one(settings);
  std::string again;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!give(one_by_one, Bytes(all).subspan(i, 1), now)) return;
    drain(one_by_one, now, again);
  }
  fuzz::promise(told == again, "a stream means the same however it is cut");
}

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::check({data, size});
  return 0;
}
