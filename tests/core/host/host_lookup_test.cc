#include "core/host/host_lookup.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace trestle::host::host_lookup_test {
namespace {

TEST(CanonicalAddress, IsOneForEverySpellingOfThisHost) {
  for (const char* spelling :
       {"127.0.0.1:5001", "localhost:5001", "localhost:05001", "[::1]:5001",
        "tcp://127.0.0.1:5001", "\"127.0.0.1:5001\"", "[::ffff:127.0.0.1]:5001"})
    EXPECT_EQ(canonical_address(spelling), "local:5001") << spelling;
  EXPECT_EQ(canonical_address("::1"), "local");
}

TEST(CanonicalAddress, TellsOtherAddressesApart) {
  EXPECT_EQ(canonical_address("192.0.2.7:05001"), "192.0.2.7:5001");
  EXPECT_EQ(canonical_address("[2001:DB8:0:0::7]:5001"), "2001:db8::7:5001");
  EXPECT_NE(canonical_address("localhost:5001"), canonical_address("localhost:5002"));
  EXPECT_NE(canonical_address("127.0.0.2:5001"), canonical_address("127.0.0.1:5001"));
}

TEST(CanonicalAddress, LeavesWhatIsNoAddress) {
  EXPECT_EQ(canonical_address("007"), "7");
  EXPECT_EQ(canonical_address("card#2"), "card#2");
  EXPECT_EQ(canonical_address(""), "");
  const std::string here = (std::filesystem::canonical(".") / "rig").string();
  EXPECT_EQ(canonical_address("./folder/../rig"), here);
}

}  // namespace
}  // namespace trestle::host::host_lookup_test
