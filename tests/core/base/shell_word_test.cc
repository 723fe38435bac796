#include "core/base/shell_word.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

namespace trestle {
namespace {

/// What a shell makes of it.
std::string echoed(const std::string& word) {
  const std::string command = "printf %s " + word;
  const auto close = [](std::FILE* pipe) {
    pclose(pipe);
  };
  const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"),
                                                         close);
  std::array<char, 200> text{};
  const std::size_t size = std::fread(text.data(), 1, text.size(), pipe.get());
  return {text.data(), size};
}

TEST(ShellWord, IsReadByAShellAsItWas) {
  for (const char* text :
       {"run", "runs/two-site_1.0", "my rig/x y", "a'b", "", "$HOME", "`id`", "a\"b", "x;y",
        "*", "Brücke 2", "#1", "~", "a\\b", "(1)"})
    EXPECT_EQ(echoed(shell_word(text)), text);
}

TEST(ShellWord, StaysAsItIsWhereNoShellMinds) {
  for (const char* text : {"run", "runs/two-site_1.0", "/srv/Brücke", "a=1,b@c:%+"})
    EXPECT_EQ(shell_word(text), text);
}

}  // namespace
}  // namespace trestle
