#include "core/host/host_claim.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>

namespace trestle::host::host_claim_test {
namespace {

TEST(HostClaim, IsHeldByOneAndNamesItsHolder) {
  const std::string name = "trestle-test-claim-" + std::to_string(getpid());
  auto first = std::make_unique<HostClaim>(name);
  EXPECT_FALSE(first->other());
  {
    const HostClaim second(name);
    ASSERT_TRUE(second.other());
    EXPECT_EQ(second.other()->process, getpid());
    EXPECT_EQ(second.other()->user, geteuid());
  }
  EXPECT_FALSE(HostClaim(name + "-other").other());
  first.reset();
  EXPECT_FALSE(HostClaim(name).other()) << "given back, and no file is left";
}

}  // namespace
}  // namespace trestle::host::host_claim_test
