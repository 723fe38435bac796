#include "core/base/sha256.h"

#include <gtest/gtest.h>

namespace trestle {
namespace {

// The three examples of FIPS 180-2, appendix B, and the digest of nothing.
TEST(Sha256, AgreesWithThePublishedExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, TakesItsBytesInAnyPieces) {
  const std::string all(1000, 'x');
  Sha256 pieces;
  for (std::size_t at = 0; at < all.size(); at += 7) pieces.add(all.substr(at, 7));
  EXPECT_EQ(pieces.to_hex(), sha256(all));
  EXPECT_EQ(pieces.to_hex(), sha256(all)) << "asking changes nothing";
}

TEST(Sha256, TellsFieldsApart) {
  const auto of = [](std::string_view first, std::string_view second) {
    return Sha256().add_field(first).add_field(second).to_hex();
  };
  EXPECT_NE(of("ab", "c"), of("a", "bc"));
  EXPECT_NE(of("", "abc"), of("abc", ""));
}

}  // namespace
}  // namespace trestle
