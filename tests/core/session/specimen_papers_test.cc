#include "core/session/specimen_papers.h"

#include <gtest/gtest.h>

namespace trestle::session::specimen_papers_test {
namespace {

TEST(SpecimenPapers, AreReadBackFromAContract) {
  const SpecimenPapers papers{{{"id", "C-07"}, {"cast", "2026-08-04"}}};
  ContractEntries entries = specimen_entries(papers);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].first, "specimen.id");
  entries.insert(entries.begin(), {"safe_action", "default"});
  EXPECT_EQ(read_specimen(entries), papers);
  EXPECT_EQ(read_specimen({{"safe_action", "default"}}), SpecimenPapers{});
}

TEST(SpecimenPapers, SayWhatChanged) {
  const SpecimenPapers first{{{"id", "C-07"}, {"note", "cracked"}}};
  const SpecimenPapers second{{{"id", "C-08"}}};
  EXPECT_EQ(
      specimen_changes("west", first, second),
      (std::vector<std::string>{"west: id of the specimen is C-08, was C-07",
                                "west: note of the specimen is not stated, was cracked"}));
  EXPECT_TRUE(specimen_changes("west", first, first).empty());
}

}  // namespace
}  // namespace trestle::session::specimen_papers_test
