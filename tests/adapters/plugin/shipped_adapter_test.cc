#include "adapters/plugin/shipped_adapter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace trestle::plugin::shipped_adapter_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The comment of the schema's `name` is the one place where a person reads them.
TEST(ShippedAdapter, IsNamedInTheSchemaWhateverItsName) {
  const fs::path root(TRESTLE_SOURCE_DIR);
  const std::string schema = text_of(root / "proto/config/site.proto");
  const std::string before = "of one that came with the program: ";
  const std::size_t at = schema.find(before);
  ASSERT_NE(at, std::string::npos);
  const std::string named = schema.substr(at, schema.find('\n', at) - at);
  int shipped = 0;
  for (const fs::directory_entry& each : fs::directory_iterator(root / "adapters")) {
    if (text_of(each.path() / "CMakeLists.txt").find("trestle_plugin(") ==
        std::string::npos)
      continue;
    ++shipped;
    EXPECT_NE(named.find(" " + each.path().filename().string()), std::string::npos)
        << each.path() << " is not in: " << named;
  }
  EXPECT_GE(shipped, 3);
}

}  // namespace
}  // namespace trestle::plugin::shipped_adapter_test
