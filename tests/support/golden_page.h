#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace trestle::testing {

/// Compares a page or picture with a file below tests/, byte for byte. With
/// TRESTLE_WRITE_GOLDEN set the file is written; look at it before it is committed.
inline void expect_golden(const std::string& page, const std::string& file) {
  const std::string path = std::string(TRESTLE_SOURCE_DIR) + "/tests/" + file;
  if (std::getenv("TRESTLE_WRITE_GOLDEN") != nullptr)  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(path, std::ios::binary) << page;
  std::ifstream stream(path, std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(stream), {}};
  std::size_t same = 0;
  while (same < page.size() && same < golden.size() && page[same] == golden[same]) ++same;
  EXPECT_TRUE(page == golden) << path << " differs from what is written now, from here: "
                              << page.substr(same, 200);
}

}  // namespace trestle::testing
