#include "core/yaml/yaml_writer.h"

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/core/yaml/config_files.h"

namespace {

using google::protobuf::util::MessageDifferencer;
using trestle::yaml::write_yaml;
using trestle::yaml::test::problems_of;
using trestle::yaml::test::text_of;
namespace config = trestle::config;
using Lines = std::vector<std::string>;

template <typename Message>
void expect_round_trip(const Message& message) {
  const std::string text = write_yaml(message);
  Message again;
  ASSERT_EQ(problems_of(text, again), Lines{}) << text;
  EXPECT_TRUE(MessageDifferencer::Equals(message, again)) << text << text_of(message);
  EXPECT_EQ(message.SerializeAsString(), again.SerializeAsString()) << text;
}

TEST(YamlWriter, WritesTheExampleSoThatItReadsTheSame) {
  config::Test test;
  ASSERT_EQ(problems_of(trestle::yaml::test::kTwoSiteFrame, test), Lines{});
  expect_round_trip(test);
  const std::string text = write_yaml(test);
  EXPECT_NE(text.find("time_step: 0.0009765625\n"), std::string::npos) << text;
  EXPECT_NE(text.find("integrator: explicit-newmark\n"), std::string::npos) << text;
  EXPECT_NE(text.find("compensator: {kind: ats, expected_delay: [0.012]}\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("nodes: {floor_w: [0, 3], floor_e: [6, 3]"), std::string::npos)
      << text;
  EXPECT_NE(text.find("interface: {x: 0.06, rz: 0.02}"), std::string::npos) << text;
}

TEST(YamlWriter, KeepsEveryBitOfANumber) {
  for (const double number :
       {1.0 / 3, 0.1 + 0.2, 5e-324, 2.2250738585072014e-308,
        std::numeric_limits<double>::max(), -0.0, 1e22, 123456789.0}) {
    config::Excitation excitation;
    excitation.set_scale(number);  // the only kind of number without a largest value
    expect_round_trip(excitation);
    if (number > 1e30) continue;
    config::Node node;
    node.set_name("a");
    node.set_x(number);
    expect_round_trip(node);
    config::Frame frame;
    *frame.add_nodes() = node;
    expect_round_trip(frame);
  }
  config::Test test;
  problems_of("{test: t, time_step: 1, excitation: , numerical: }", test);
  test.set_seed(std::numeric_limits<std::uint64_t>::max());
  expect_round_trip(test);
}

TEST(YamlWriter, QuotesWhatYamlWouldReadOtherwise) {
  for (const char* text : {"null",
                           "~",
                           "",
                           "a: b",
                           "[x]",
                           "# no",
                           "-",
                           "---",
                           "...",
                           "- a",
                           "true",
                           " a ",
                           "a\nb\t\x01\x7f",
                           "\"",
                           "\\",
                           "'",
                           "µ €",
                           "%",
                           "@",
                           "*a",
                           "&a",
                           "!a",
                           "a #b",
                           "a,b",
                           "{",
                           "?",
                           "..",
                           "1.5",
                           "0x1",
                           "\xc2\x85",
                           "\xe2\x80\xa8",
                           "\xef\xbb\xbf"}) {
    config::Member member;
    member.set_from(std::string("x") + text);
    member.set_to("b");
    member.set_section("c");
    expect_round_trip(member);
    if (*text == '\0') continue;
    member.set_from(text);
    expect_round_trip(member);
    config::Frame frame;
    frame.add_nodes()->set_name(text);
    expect_round_trip(frame);
  }
}

TEST(YamlWriter, TellsAbsentFromZero) {
  config::Deadlines deadlines;
  expect_round_trip(deadlines);
  config::SecondOrder model;
  model.set_frequency(1);
  model.set_damping(1);
  expect_round_trip(model);
  model.set_gain(0);
  expect_round_trip(model);
}

TEST(YamlWriter, WritesMatricesKindsAndComplexNumbers) {
  config::Rig rig;
  ASSERT_EQ(
      problems_of(
          "transfer_matrix: {kind: zpk, entries: [{to: 1, from: 2, poles: [-1, [-1, 3], "
          "[0, 0]], gain: 0}]}\n"
          "specimen: {kind: springs, laws: [{kind: linear, stiffness: 2 kN/mm}]}\n",
          rig),
      Lines{});
  expect_round_trip(rig);
  config::Matrices matrices;
  ASSERT_EQ(
      problems_of("{dofs: [a.x], mass: m.csv, stiffness: {rows: [[1, 2]]}, damping_matrix: "
                  "{entries: [[1, 1, 0]]}}",
                  matrices),
      Lines{});
  expect_round_trip(matrices);
  config::LoadingFrame frame;
  ASSERT_EQ(problems_of("{kind: matrix, actuator_from_interface: [[1]]}", frame), Lines{});
  expect_round_trip(frame);
}

TEST(YamlWriter, BreaksLongLinesIntoBlocks) {
  config::LinearSpecimen specimen;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      if (j == 0) specimen.add_stiffness();
      specimen.mutable_stiffness(i)->add_values(1.0 / (1 + i + j));
    }
  expect_round_trip(specimen);
  EXPECT_NE(write_yaml(specimen).find("\n  -\n    - 1\n"), std::string::npos)
      << write_yaml(specimen);
}

}  // namespace
