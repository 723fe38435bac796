// Fields that keep any YAML as text: what a plug-in asks for.
#include <gtest/gtest.h>

#include "core/yaml/yaml_reader.h"
#include "core/yaml/yaml_writer.h"
#include "proto/config/site_file.pb.h"
#include "tests/core/yaml/config_files.h"

namespace {

using trestle::yaml::test::ConfigFiles;
using trestle::yaml::test::problems_in;
using trestle::yaml::test::problems_of;
namespace config = trestle::config;
using Lines = std::vector<std::string>;

const std::string kSite =
    "site: lab\nadapter:\n  kind: plugin\n  name: spring\n  settings:\n"
    "    gain: 3 kN/mm\n    send:\n      - {field: drive, type: f32}\n      - {field: "
    "crc}\n";

TEST(TextOfTree, IsALineForEachValue) {
  config::SiteFile site;
  ASSERT_EQ(problems_of(kSite, site), Lines{});
  EXPECT_EQ(site.adapter().plugin().settings(),
            "gain: 3 kN/mm\nsend[0].field: drive\nsend[0].type: f32\nsend[1].field: crc\n");
}

TEST(TextOfTree, RemembersWhereEachValueStood) {
  const ConfigFiles files;
  const std::string file = files.write("site.yaml", kSite);
  config::SiteFile site;
  trestle::yaml::SourceMap where;
  trestle::yaml::read_yaml(file, {}, site, where);
  EXPECT_EQ(where.location("adapter.plugin.settings.send[0].type"), file + ":8:30");
  EXPECT_EQ(where.location("adapter.settings.gain"), file + ":6:11");
}

TEST(TextOfTree, TakesOverridesBelowIt) {
  config::SiteFile site;
  ASSERT_EQ(problems_of(kSite, site,
                        {"adapter.settings.gain=4", "adapter.settings.send[1].field=x",
                         "adapter.settings.more.yet=5"}),
            Lines{});
  EXPECT_EQ(site.adapter().plugin().settings(),
            "gain: 4\nsend[0].field: drive\nsend[0].type: f32\nsend[1].field: x\n"
            "more.yet: 5\n");
  EXPECT_EQ(problems_of(kSite, site, {"adapter.settings.send[2].field=x"}).size(), 1U);
}

TEST(TextOfTree, ComesBackFromWhatIsWritten) {
  config::SiteFile site;
  ASSERT_EQ(problems_of(kSite, site), Lines{});
  config::SiteFile again;
  ASSERT_EQ(problems_of(trestle::yaml::write_yaml(site), again), Lines{});
  EXPECT_EQ(again.adapter().plugin().settings(), site.adapter().plugin().settings());
}

TEST(TextOfTree, RefusesWhatDoesNotFitALine) {
  config::SiteFile site;
  const std::string head = "site: lab\nadapter: {kind: plugin, name: s, settings: ";
  EXPECT_EQ(problems_of(head + "{\"a.b\": 1}}\n", site).size(), 1U);
  EXPECT_EQ(problems_of(head + "{a: \"1\\n2\"}}\n", site).size(), 1U);
  EXPECT_EQ(problems_of(head + "{a: 1}, file: x.so}\n", site).size(), 1U);
}

}  // namespace
