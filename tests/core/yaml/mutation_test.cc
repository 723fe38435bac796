#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string_view>

#include "core/yaml/yaml_reader.h"
#include "core/yaml/yaml_writer.h"
#include "tests/core/yaml/config_files.h"

namespace {

using trestle::yaml::ConfigError;
using trestle::yaml::SourceMap;
using trestle::yaml::test::ConfigFiles;
namespace config = trestle::config;

/// A few random edits of a text: other bytes, lost bytes, doubled pieces, YAML's own signs.
std::string edited(std::string text, std::mt19937& random) {
  static constexpr std::array<std::string_view, 24> kPieces = {
      "\n",  "  ", ":", "{", "}",  "[",  "]",  ",",   "- ",   "#",  "&a ", "*a",
      "!x ", "|",  ">", "'", "\"", "\t", "? ", "---", "kind", "1e", "(",   "like: west"};
  const auto below = [&](std::size_t end) {
    return random() % end;
  };
  for (std::size_t i = 0; i <= below(4); ++i) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, below(20));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(60)));
        break;
      case 3:
        text.insert(at, kPieces[below(kPieces.size())]);
        break;
      default:
        text[at] = text[below(text.size())];
        break;
    }
  }
  return text;
}

TEST(AnyBytes, EitherReadOrThrowConfigErrorAndNothingElse) {
  const ConfigFiles files;
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same texts every time
  int accepted = 0;
  for (int i = 0; i < 150; ++i) {
    const std::string text = edited(trestle::yaml::test::kTwoSiteFrame, random);
    const std::string file = files.write("test.yaml", text);
    config::Test test;
    SourceMap where;
    try {
      trestle::yaml::read_yaml(file, {}, test, where);
    } catch (const ConfigError& error) {
      EXPECT_FALSE(error.lines().empty());
      continue;
    }
    ++accepted;
    // What was read can be written and read again.
    config::Test again;
    trestle::yaml::read_yaml(files.write("again.yaml", trestle::yaml::write_yaml(test)), {},
                             again, where);
    EXPECT_EQ(test.SerializeAsString(), again.SerializeAsString()) << text;
  }
  EXPECT_GT(accepted, 5);
}

TEST(AnyBytes, InAnOverrideEitherReadOrThrowConfigErrorAndNothingElse) {
  const ConfigFiles files;
  const std::string file = files.write("test.yaml", trestle::yaml::test::kTwoSiteFrame);
  std::mt19937 random(11);  // NOLINT(cert-msc51-cpp): the same texts every time
  for (int i = 0; i < 100; ++i) {
    const std::string text =
        edited("sites.west.rig.actuators[0]={kind: delay, delay: 3 ms}", random);
    config::Test test;
    SourceMap where;
    try {
      trestle::yaml::read_yaml(file, {text}, test, where);
    } catch (const ConfigError& error) {
      EXPECT_FALSE(error.lines().empty());
    }
  }
}

}  // namespace
