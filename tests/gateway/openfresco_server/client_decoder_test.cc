#include "gateway/openfresco_server/client_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/gateway/openfresco_server/openfresco_bytes.h"

namespace trestle::openfresco_server {
namespace {

using Kind = ClientDecoder::Event::Kind;
using namespace std::chrono_literals;

constexpr TimePoint kStart{1s};

ClientDecoder::Settings one_dof(bool datagrams = false) {
  return {.datagrams = datagrams, .controlled = 1, .forces = 1};
}

void give(ClientDecoder& decoder, const Bytes& bytes, TimePoint at = kStart) {
  const std::span<std::byte> room = decoder.room();
  ASSERT_GE(room.size(), bytes.size());
  std::copy(bytes.begin(), bytes.end(), room.begin());
  decoder.took(bytes.size(), at);
}

ClientDecoder::Event first(ClientDecoder& decoder, const Bytes& bytes) {
  give(decoder, bytes);
  return decoder.next(kStart);
}

TEST(ClientDecoder, ReadsTheBytesSeenOfAGenericClientWithADataSizeOfEight) {
  // The example of the interoperability notes, byte for byte.
  Bytes seen(44 + 64, std::byte{0});
  for (const int at : {0, 4, 8, 16, 32}) seen[static_cast<std::size_t>(at)] = std::byte{1};
  seen[40] = std::byte{8};
  seen[44 + 6] = std::byte{0x08};
  seen[44 + 7] = std::byte{0x40};
  ClientDecoder decoder(one_dof());
  give(decoder, seen);
  EXPECT_EQ(decoder.next(kStart).kind, Kind::kSizes);
  EXPECT_EQ(decoder.sizes().measured.force, 1);
  EXPECT_EQ(decoder.data(), 8);
  const ClientDecoder::Event trial = decoder.next(kStart);
  EXPECT_EQ(trial.kind, Kind::kVector);
  EXPECT_EQ(trial.code, 3);
  EXPECT_EQ(decoder.next(kStart).kind, Kind::kNone);
}

TEST(ClientDecoder, ReadsTheSameFromBytesThatComeOneByOne) {
  const Bytes all = site_sizes(1, 16) + reals({3, 0.25, 1, 2, 0.5}, 16) + reals({6}, 16);
  ClientDecoder decoder(one_dof());
  std::vector<int> codes;
  bool sizes = false;
  for (const std::byte byte : all) {
    give(decoder, {byte});
    for (auto event = decoder.next(kStart); event.kind != Kind::kNone;
         event = decoder.next(kStart)) {
      sizes = sizes || event.kind == Kind::kSizes;
      if (event.kind != Kind::kVector) continue;
      codes.push_back(event.code);
      if (event.code == 3) {
        EXPECT_EQ(decoder.values()[1], 0.25);
      }
    }
  }
  EXPECT_TRUE(sizes);
  EXPECT_EQ(codes, (std::vector<int>{3, 6}));
}

TEST(ClientDecoder, TellsALabClientByAnIntegerThatStaysAlone) {
  ClientDecoder decoder(one_dof());
  EXPECT_EQ(first(decoder, integers({1})).kind, Kind::kNone);
  EXPECT_EQ(decoder.due(), kStart + 100ms);
  const ClientDecoder::Event say = decoder.next(kStart + 100ms);
  ASSERT_EQ(say.kind, Kind::kReply);
  EXPECT_EQ(Bytes(say.say.begin(), say.say.end()), integers({1}));
  give(decoder, reals({1, 7, 2.8}, 256));
  EXPECT_EQ(decoder.next(kStart).code, 1);
  give(decoder,
       reals({2, 12}, 256) + integers({1, 1, 1, 0, 1}) + integers({1, 0, 0, 1, 1}));
  EXPECT_EQ(decoder.next(kStart).code, 2);
  EXPECT_EQ(decoder.next(kStart).kind, Kind::kSizes);
  EXPECT_EQ(decoder.data(), 12);
  give(decoder, reals({6}, 12));
  EXPECT_EQ(decoder.next(kStart).code, 6);
}

TEST(ClientDecoder, GreetsOverDatagramsWhereItIsGreetedOnly) {
  ClientDecoder old(one_dof(true));
  const ClientDecoder::Event say = first(old, {std::byte{'a'}});
  ASSERT_EQ(say.kind, Kind::kReply);
  EXPECT_EQ(Bytes(say.say.begin(), say.say.end()), Bytes{std::byte{'b'}});
  give(old, generic_sizes(1, 256));
  EXPECT_EQ(old.next(kStart).kind, Kind::kSizes);

  ClientDecoder newer(one_dof(true));
  EXPECT_EQ(first(newer, site_sizes(1, 256)).kind, Kind::kSizes);

  ClientDecoder shadow(one_dof(true));
  first(shadow, {std::byte{'a'}});
  give(shadow, {std::byte{1}});  // before 2.8
  EXPECT_EQ(shadow.next(kStart).kind, Kind::kReply);
  give(shadow, reals({1, 7, 2.7}, 256));
  EXPECT_EQ(shadow.next(kStart).code, 1);
}

TEST(ClientDecoder, AnswersInShortDatagramsWhereTheClientSendsThem) {
  ClientDecoder decoder(one_dof(true));
  first(decoder, site_sizes(1, 256));
  const Bytes trial = reals({3, 0.5}, 256);
  for (std::size_t at = 0; at < trial.size(); at += 512) {
    give(decoder, Bytes(trial.begin() + static_cast<std::ptrdiff_t>(at),
                        trial.begin() + static_cast<std::ptrdiff_t>(at + 512)));
  }
  EXPECT_EQ(decoder.next(kStart).code, 3);
  EXPECT_EQ(decoder.datagram(), 512U);
}

TEST(ClientDecoder, DropsDatagramsThatCannotBelongToAVector) {
  ClientDecoder decoder(one_dof(true));
  first(decoder, generic_sizes(1, 8));
  give(decoder, reals({3, 0.5}, 8));
  EXPECT_EQ(decoder.next(kStart).code, 3);
  give(decoder, Bytes(13, std::byte{0x55}));
  EXPECT_EQ(decoder.next(kStart).kind, Kind::kIgnored);
  give(decoder, reals({10}, 8));
  EXPECT_EQ(decoder.next(kStart).code, 10);
}

TEST(ClientDecoder, SkipsTheLinesOfAControllersFile) {
  ClientDecoder decoder(one_dof());
  first(decoder, site_sizes(1, 256));
  Bytes line(16385, std::byte{'x'});
  line[0] = std::byte{2};
  give(decoder, line + line + reals({3}, 256));
  EXPECT_EQ(decoder.next(kStart).kind, Kind::kLine);
  EXPECT_EQ(decoder.next(kStart).kind, Kind::kLine);
  EXPECT_EQ(decoder.next(kStart).code, 3);
}

TEST(ClientDecoder, RefusesSizesThatCannotBe) {
  const std::vector<Bytes> wrong{
      integers({2, 2, 2, 0, 1, 0, 0, 0, 2, 0, 256}),     // two DOFs
      integers({1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 256}),     // a force command
      integers({1, 1, 1, 0, 2, 0, 0, 0, 1, 0, 256}),     // two times
      integers({1, 3, 1, 0, 1, 0, 0, 0, 1, 0, 256}),     // three velocities
      integers({1, 1, 1, 0, 1, 0, 0, 0, 7, 0, 256}),     // seven forces
      integers({1, 1, 1, 0, 1, 0, 0, 0, -1, 0, 256}),    // fewer than none
      integers({1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 4}),       // too short for a trial
      integers({1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 4}),       // too short for a reply
      integers({1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0}),       // nothing at all
      integers({1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 100001}),  // too much
      integers({1, 1, 1, 0, 1, 0, 0, 0, 1, 0, -256})};
  for (const Bytes& sizes : wrong) {
    ClientDecoder decoder(one_dof());
    const ClientDecoder::Event event = first(decoder, sizes);
    EXPECT_EQ(event.kind, Kind::kInvalid);
    EXPECT_FALSE(event.problem.empty());
    give(decoder, reals({3}, 256));
    EXPECT_EQ(decoder.next(kStart).kind, Kind::kNone);  // never again
  }
}

TEST(ClientDecoder, RefusesACodeThatIsNoWholeNumber) {
  for (const double code : {3.5, -1.0, 1e9, std::nan(""), HUGE_VAL}) {
    ClientDecoder decoder(one_dof());
    first(decoder, generic_sizes(1, 8));
    EXPECT_EQ(first(decoder, reals({code}, 8)).kind, Kind::kInvalid) << code;
  }
}

TEST(ClientDecoder, FindsTheEndBehindWhatItHasNotRead) {
  ClientDecoder decoder(one_dof());
  first(decoder, generic_sizes(1, 8));
  give(decoder, reals({3, 1}, 8) + reals({5}, 8));
  EXPECT_FALSE(decoder.holds_end());
  give(decoder, reals({99}, 8));
  EXPECT_TRUE(decoder.holds_end());
}

/// Anything at all, in pieces: no crash, no endless loop, no more memory than stated.
TEST(ClientDecoder, BearsGarbage) {
  std::mt19937 random(4);
  for (int round = 0; round < 4000; ++round) {
    const bool datagrams = round % 2 == 1;
    ClientDecoder decoder(one_dof(datagrams));
    TimePoint now = kStart;
    const int pieces = 1 + static_cast<int>(random() % 12);
    for (int piece = 0; piece < pieces; ++piece) {
      Bytes bytes;
      switch (random() % 5) {
        case 0:
          bytes = generic_sizes(static_cast<std::int32_t>(random() % 3),
                                static_cast<std::int32_t>(random() % 300));
          break;
        case 1:
          bytes = reals({static_cast<double>(random() % 120), 0.1}, 8 + random() % 4 * 8);
          break;
        case 2:
          bytes = integers({static_cast<std::int32_t>(random() % 3)});
          break;
        case 3:
          bytes = {datagrams ? std::byte{'a'} : std::byte{2}};
          break;
        default:
          bytes.resize(random() % 3000);
          for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xFFU);
      }
      if (decoder.room().size() < bytes.size()) break;
      give(decoder, bytes, now);
      now += 150ms;
      int events = 0;
      while (decoder.next(now).kind != Kind::kNone) ASSERT_LT(++events, 1000);
      ASSERT_LE(decoder.values().size(), 100000U);
      decoder.holds_end();
    }
  }
}

}  // namespace
}  // namespace trestle::openfresco_server
