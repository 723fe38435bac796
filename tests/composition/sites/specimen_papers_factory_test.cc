#include "composition/sites/specimen_papers_factory.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"

namespace trestle::composition::specimen_papers_factory_test {
namespace {

config::SpecimenPapers column() {
  config::SpecimenPapers message;
  message.set_id("C-07");
  message.set_cast("2026-08-04");
  message.add_papers("mill certificate 4711");
  message.add_papers("cylinders.pdf");
  return message;
}

TEST(SpecimenPapersFactory, KeepsTheTextsInTheirOrder) {
  const session::SpecimenPapers papers = make_specimen_papers(column(), "specimen");
  EXPECT_EQ(papers.facts,
            (session::ContractEntries{{"id", "C-07"},
                                      {"cast", "2026-08-04"},
                                      {"papers", "mill certificate 4711; cylinders.pdf"}}));
  EXPECT_TRUE(make_specimen_papers({}, "specimen").facts.empty());
}

TEST(SpecimenPapersFactory, RefusesEverythingThatIsWrongAtOnce) {
  config::SpecimenPapers message = column();
  message.set_made("31.2.2026");
  message.set_note("one line\nand another");
  message.set_by(std::string(201, 'x'));
  try {
    make_specimen_papers(message, "sites[0].specimen");
    FAIL() << "taken";
  } catch (const SettingError& error) {
    std::vector<std::string> paths;
    for (const SettingIssue& problem : error.problems()) paths.push_back(problem.path);
    std::sort(paths.begin(), paths.end());
    EXPECT_EQ(paths,
              (std::vector<std::string>{"sites[0].specimen.by", "sites[0].specimen.made",
                                        "sites[0].specimen.note"}));
  }
}

}  // namespace
}  // namespace trestle::composition::specimen_papers_factory_test
