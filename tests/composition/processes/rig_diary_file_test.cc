// What people did to a rig between two tests outlives the process.
#include "composition/processes/rig_diary_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "composition/processes/pending_acts.h"

namespace trestle::composition {
namespace {

constexpr std::int64_t kMorning = 1'795'770'723'000'000'000;  // 2026-11-27T09:12:03Z

class RigDiaryFileTest : public ::testing::Test {
 protected:
  RigDiaryFileTest() {
    std::string name = (std::filesystem::temp_directory_path() / "diary-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~RigDiaryFileTest() override {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  RigDiaryFile diary() {
    return RigDiaryFile({.folder = folder_,
                         .on_motion = [this] { ++motions_; },
                         .utc_ns =
                             [this] {
                               return utc_ns_;
                             }});
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string folder_;
  int motions_ = 0;
  std::int64_t utc_ns_ = kMorning;
};

TEST_F(RigDiaryFileTest, KeepsEachActWithItsTimeForTheNextProcess) {
  diary().keep({"ada@lab", "operator channel", "rig", "jog by 2 mm: commanded"});
  utc_ns_ += 1'000'000'000;
  RigDiaryFile second = diary();
  second.keep({"ada@lab", "operator channel", "rig", "jog by 2 mm:\tmoved\nas told"});
  const std::vector<AuditEntry> acts = diary().acts();
  ASSERT_EQ(acts.size(), 2U);
  EXPECT_EQ(acts[0].who, "ada@lab");
  EXPECT_EQ(acts[0].from, "operator channel");
  EXPECT_EQ(acts[0].what, "rig");
  EXPECT_EQ(acts[0].text, "2026-11-27T09:12:03.000Z jog by 2 mm: commanded");
  EXPECT_EQ(acts[1].text, "2026-11-27T09:12:04.000Z jog by 2 mm: moved as told");
}

TEST_F(RigDiaryFileTest, MovesTheActsToTheHistoryWhenARecordHasThem) {
  RigDiaryFile first = diary();
  first.keep({"ada@lab", "operator channel", "rig", "jog by 2 mm: commanded"});
  first.hand_over();
  EXPECT_TRUE(first.acts().empty());
  EXPECT_TRUE(diary().acts().empty());
  first.hand_over();  // no act: nothing is added
  EXPECT_EQ(text("history"), "2026-11-27T09:12:03.000Z jog by 2 mm: commanded (ada@lab)\n");
  first.keep({"bob@lab", "operator channel", "rig", "release: commanded"});
  EXPECT_EQ(diary().acts().size(), 1U);
}

TEST_F(RigDiaryFileTest, ShowsWhatNoRecordHasWithoutTakingTheRig) {
  EXPECT_TRUE(pending_acts(folder_).empty());
  RigDiaryFile first = diary();
  first.keep({"ada@lab", "operator channel", "rig", "return home: commanded"});
  utc_ns_ += 1'000'000'000;
  first.keep({"bob@lab", "operator channel", "rig", "release: commanded"});
  const std::vector<PendingAct> acts = pending_acts(folder_);
  ASSERT_EQ(acts.size(), 2U);
  EXPECT_EQ(acts[0].rig, folder_);
  EXPECT_EQ(acts[0].utc, "2026-11-27T09:12:03.000Z");
  EXPECT_EQ(acts[0].entry,
            (AuditEntry{"ada@lab", "operator channel", "rig", "return home: commanded"}));
  EXPECT_EQ(acts[1].utc, "2026-11-27T09:12:04.000Z");
  EXPECT_EQ(acts[1].entry.who, "bob@lab");
  EXPECT_EQ(diary().acts().size(), 2U);  // nothing is taken over
  first.hand_over();
  EXPECT_TRUE(pending_acts(folder_).empty());
}

TEST_F(RigDiaryFileTest, SaysWhereTheEarlierOnesOfVeryManyActsAre) {
  RigDiaryFile many = diary();
  for (int n = 0; n < 40; ++n)
    many.keep({"ada@lab", "operator channel", "rig", "jog " + std::to_string(n)});
  const std::vector<AuditEntry> acts = many.acts();
  ASSERT_EQ(acts.size(), 33U);
  EXPECT_EQ(acts.front().text,
            "8 acts up to 2026-11-27T09:12:03.000Z are in " + folder_ + "/history");
  EXPECT_EQ(acts[1].text, "2026-11-27T09:12:03.000Z jog 8");
  EXPECT_EQ(acts.back().text, "2026-11-27T09:12:03.000Z jog 39");
  many.hand_over();
  EXPECT_NE(text("history").find("jog 0 (ada@lab)"), std::string::npos);
}

TEST_F(RigDiaryFileTest, KeepsZeroReadingsToTheLastBit) {
  EXPECT_FALSE(diary().zero());
  const std::vector<RigReading> readings{{"1.displacement", "m", 0.1, 1.0 / 3.0, 7.0},
                                         {"load cell 1", "N", -1e-300, 0.0},
                                         {"door", "", 1.0, 0.0}};
  diary().keep_zero("ada@lab", readings);
  const std::optional<site_node::RigZero> zero = diary().zero();
  ASSERT_TRUE(zero);
  EXPECT_EQ(zero->at, "2026-11-27T09:12:03.000Z by ada@lab");
  ASSERT_EQ(zero->readings.size(), 3U);
  EXPECT_EQ(zero->readings[0].channel, "1.displacement");
  EXPECT_EQ(zero->readings[0].mean, 0.1);
  EXPECT_EQ(zero->readings[0].deviation, 1.0 / 3.0);
  EXPECT_FALSE(zero->readings[0].drift);
  EXPECT_EQ(zero->readings[1].channel, "load cell 1");
  EXPECT_EQ(zero->readings[1].mean, -1e-300);
  EXPECT_EQ(zero->readings[2].unit, "");
}

TEST_F(RigDiaryFileTest, SetsAZeroFileThatCannotBeReadAsideAndSaysSo) {
  EXPECT_EQ(diary().notice(), "");
  int n = 0;
  for (const char* broken : {"", "at by ada\n0.1 0.2\n", "at by ada\nx 0.2 m 1\n"}) {
    std::ofstream(folder_ + "/zero") << broken;
    RigDiaryFile begun = diary();
    EXPECT_FALSE(begun.zero());
    const std::string aside =
        ++n == 1 ? "/zero.unreadable" : "/zero.unreadable-" + std::to_string(n);
    EXPECT_EQ(begun.notice(), folder_ +
                                  "/zero: the zero readings cannot be read, and none are "
                                  "in force; the file is " +
                                  folder_ + aside +
                                  " now; take them again (trestle rig zero)");
    EXPECT_EQ(text(aside.substr(1)), broken);
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/zero"));
    ASSERT_EQ(begun.acts().size(), static_cast<std::size_t>(n));
    EXPECT_EQ(begun.acts().back().text, "2026-11-27T09:12:03.000Z " + begun.notice());
    EXPECT_EQ(diary().notice(), "");  // once
    begun.keep_zero("ada@lab", {{"1.force", "N", 1.0}});
    EXPECT_TRUE(diary().zero());
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/zero.unreadable"));
}

TEST_F(RigDiaryFileTest, KeepsATareToTheLastBitAndWhoSaidItFirst) {
  EXPECT_TRUE(diary().tare().offsets.empty());
  diary().keep_tare(
      "ada@lab",
      {{"1.force", "N", 1.0 / 3.0}, {"load cell 1", "", -1e-300}, {"strain", "-", 0.5}});
  utc_ns_ += 60'000'000'000;
  site_node::RigTare tare = diary().tare();
  ASSERT_EQ(tare.offsets.size(), 3U);
  EXPECT_EQ(tare.offsets[2].unit, "-") << "as the rig says it: its own, not none";
  EXPECT_EQ(tare.file, folder_ + "/tare");
  EXPECT_EQ(tare.offsets[0],
            (site_node::TareOffset{"1.force", "N", 1.0 / 3.0,
                                   "2026-11-27T09:12:03.000Z by ada@lab"}));
  EXPECT_EQ(tare.offsets[1].channel, "load cell 1");
  EXPECT_EQ(tare.offsets[1].unit, "");
  EXPECT_EQ(tare.offsets[1].value, -1e-300);
  diary().keep_tare("bob@lab", {tare.offsets[0], {"2.force", "N", 5.0}});
  tare = diary().tare();
  ASSERT_EQ(tare.offsets.size(), 2U);
  EXPECT_EQ(tare.offsets[0].at, "2026-11-27T09:12:03.000Z by ada@lab");
  EXPECT_EQ(tare.offsets[1].at, "2026-11-27T09:13:03.000Z by bob@lab");
  diary().keep_tare("bob@lab", {});
  EXPECT_TRUE(diary().tare().offsets.empty());
}

TEST_F(RigDiaryFileTest, NamesATareFileThatCannotBeRead) {
  // What is there and cannot be read is not the same as no tare.
  std::filesystem::create_directory(folder_ + "/tare");
  EXPECT_THROW(diary(), std::runtime_error);
  std::filesystem::remove(folder_ + "/tare");
  for (const char* broken : {"\n", "x\tN\ttoday\t1.force\n", "1\tN\ttoday\t\n",
                             "1\tN\ttoday\t1.force\n2\tN\ttoday\t1.force\n"}) {
    std::ofstream(folder_ + "/tare") << broken;
    try {
      diary();
      ADD_FAILURE() << broken;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("/tare: the tare cannot be read"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST_F(RigDiaryFileTest, TellsThatTheRigIsAboutToMove) {
  diary().begin_motion();
  EXPECT_EQ(motions_, 1);
}

TEST_F(RigDiaryFileTest, ThrowsWhereAnActCannotBeKept) {
  RigDiaryFile lost = diary();
  std::filesystem::remove_all(folder_);
  EXPECT_THROW(lost.keep({"ada@lab", "operator channel", "rig", "jog"}),
               std::runtime_error);
  EXPECT_TRUE(lost.acts().empty());
}

}  // namespace
}  // namespace trestle::composition
