#include "composition/hybrid_test/checklist_factory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/base/setting_error.h"
#include "core/yaml/yaml_reader.h"
#include "core/yaml/yaml_writer.h"
#include "proto/config/site.pb.h"
#include "proto/config/site_file.pb.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::composition::checklist_factory_test {
namespace {

config::ChecklistEntry ask(const std::string& text) {
  config::ChecklistEntry entry;
  entry.set_ask(text);
  return entry;
}

config::ChecklistEntry read(const std::string& channel, const std::string& within) {
  config::ChecklistEntry entry;
  entry.set_read(channel);
  entry.set_within(within);
  return entry;
}

ChecklistEntries entries(const std::vector<config::ChecklistEntry>& list) {
  ChecklistEntries all;
  for (const config::ChecklistEntry& each : list) *all.Add() = each;
  return all;
}

/// West's second actuator turns; nothing is known of east's.
std::vector<ChecklistRig> rigs() {
  return {{.site = "west",
           .actuators = 2,
           .kinds = {DofKind::kTranslation, DofKind::kRotation},
           .further = false},
          {.site = "east"}};
}

/// "checklist[0].read: sentence" for each problem.
std::vector<std::string> problems(const std::vector<config::ChecklistEntry>& list) {
  try {
    make_checklist(entries(list), rigs(), "checklist");
  } catch (const SettingError& error) {
    std::vector<std::string> lines;
    for (const SettingIssue& each : error.problems())
      lines.push_back(each.path + ": " + each.what);
    return lines;
  }
  return {};
}

config::SiteFile read_file(const std::string& text) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.file("site.yaml")) << text;
  config::SiteFile file;
  yaml::SourceMap where;
  yaml::read_yaml(folder.file("site.yaml"), {}, file, where);
  return file;
}

TEST(ChecklistFactory, KeepsTextsAndTakesBoundsInTheUnitOfTheReading) {
  const std::vector<ChecklistItem> items = make_checklist(
      entries({ask("grips closed"), read("west.1.force", "0.2 kN"),
               read("west.2.force", "50 N.m"), read("west.1.displacement", "0.5 mm"),
               read("east.7.force", "200"), read("east.oil", "60")}),
      rigs(), "checklist");
  ASSERT_EQ(items.size(), 6U);
  EXPECT_EQ(items[0], ChecklistItem{"grips closed"});
  EXPECT_EQ(items[1].text, "west.1.force within 0.2 kN");
  EXPECT_EQ(items[1].reading.site, "west");
  EXPECT_EQ(items[1].reading.channel, "1.force");
  EXPECT_DOUBLE_EQ(items[1].reading.within, 200.0);
  EXPECT_DOUBLE_EQ(items[2].reading.within, 50.0);
  EXPECT_DOUBLE_EQ(items[3].reading.within, 5e-4);
  EXPECT_DOUBLE_EQ(items[4].reading.within, 200.0);
  EXPECT_DOUBLE_EQ(items[5].reading.within, 60.0);
}

TEST(ChecklistFactory, RefusesEverythingThatIsWrongAtOnce) {
  config::ChecklistEntry both = read("west.1.force", "1 kN");
  both.set_ask("force");
  config::ChecklistEntry bound = ask("warm");
  bound.set_within("1 kN");
  const std::vector<std::string> lines =
      problems({read("wast.1.force", "1 kN"), read("west.3.force", "1 kN"),
                read("west.1.force", "1 mm"), read("west.2.displacement", "1 mm"),
                read("west.2.force", ""), read("west.1.displacement", "-1 mm"), both, bound,
                ask(""), ask("once"), ask("once"), read("west.oil", "3")});
  const auto says = [&lines](const std::string& start, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.starts_with(start) && line.find(part) != std::string::npos;
    });
  };
  EXPECT_TRUE(says("checklist[0].read: ", "`wast.1.force` names no site of this test"));
  EXPECT_TRUE(says("checklist[1].read: ", "site west has no transducer `3.force`"));
  EXPECT_TRUE(says("checklist[2].within: ", "must be a force or moment"));
  EXPECT_TRUE(says("checklist[3].within: ", "is of a rotation"));
  EXPECT_TRUE(says("checklist[4].within: ", "a reading needs a bound"));
  EXPECT_TRUE(says("checklist[5].within: ", "must be above zero"));
  EXPECT_TRUE(says("checklist[6]: ", "make two items of it"));
  EXPECT_TRUE(says("checklist[7].within: ", "leave it out"));
  EXPECT_TRUE(says("checklist[8]: ", "must be 1 to 200"));
  EXPECT_TRUE(says("checklist[10]: ", "there twice"));
  EXPECT_TRUE(says("checklist[11].read: ", "site west has no transducer `oil`"));
}

TEST(ChecklistFactory, OfASitesFileNamesItsOwnTransducers) {
  const std::vector<RequiredItem> items =
      make_site_checklist(entries({ask("grips closed"), read("1.force", "0.2 kN"),
                                   read("west.2.force", "1 kN")}),
                          {.site = "west", .actuators = 2}, "checklist");
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0], (RequiredItem{"grips closed", "", 0.0}));
  EXPECT_EQ(items[1].ask, "1.force within 0.2 kN");
  EXPECT_EQ(items[1].read, "1.force");
  EXPECT_EQ(items[2].read, "2.force");
  EXPECT_THROW(make_site_checklist(entries({read("3.force", "1 kN")}),
                                   {.site = "west", .actuators = 2}, "checklist"),
               SettingError);
}

TEST(ChecklistFactory, ReadsAListOfTextsAsEverAndWritesItBackAsShort) {
  const config::SiteFile file = read_file(
      "site: west\nchecklist: [nobody in the cage, {ask: grips closed}, {read: 1.force, "
      "within: 0.2 kN}]\n");
  ASSERT_EQ(file.checklist_size(), 3);
  EXPECT_EQ(file.checklist(0).ask(), "nobody in the cage");
  EXPECT_EQ(file.checklist(1).ask(), "grips closed");
  EXPECT_EQ(file.checklist(2).within(), "0.2 kN");
  const std::string written = yaml::write_yaml(file);
  EXPECT_EQ(written.find("ask:"), std::string::npos) << written;
  EXPECT_EQ(read_file(written).SerializeAsString(), file.SerializeAsString());
}

}  // namespace
}  // namespace trestle::composition::checklist_factory_test
