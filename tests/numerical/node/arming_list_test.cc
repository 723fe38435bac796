#include "numerical/node/arming_list.h"

#include <gtest/gtest.h>

namespace trestle::integrator_node::arming_list_test {
namespace {

constexpr const char* kTime = "2026-11-27T09:12:03.120Z";
constexpr const char* kCage = "nobody in the cage";
constexpr const char* kPressure = "hydraulics at pressure";

ArmingList list(bool required, int words = 1) {
  return ArmingList({.checklist = {{kCage}, {kPressure}},
                     .required = required,
                     .words = words,
                     .armed_by = {}});
}

TEST(ArmingList, DoesNotArmWhileARequiredItemIsOpen) {
  ArmingList it = list(true);
  EXPECT_EQ(it.confirm("ada@lab", kCage, kTime), "");
  EXPECT_NE(it.add_word("ada@lab").find("the checklist is open: hydraulics at pressure;"),
            std::string::npos);
  EXPECT_FALSE(it.is_armed());
  EXPECT_EQ(it.confirm("bob@lab", kPressure, kTime), "");
  EXPECT_EQ(it.add_word("ada@lab"), "");
  EXPECT_TRUE(it.is_armed());
  const std::vector<AuditEntry> entries = it.take_entries("ada@lab");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].who, "ada@lab");
  EXPECT_EQ(entries[0].what, "confirmed");
  EXPECT_EQ(entries[0].text, "nobody in the cage (2026-11-27T09:12:03.120Z)");
  EXPECT_EQ(entries[1].who, "bob@lab");
  EXPECT_TRUE(it.take_entries("ada@lab").empty()) << "each once";
}

TEST(ArmingList, ArmsAlthoughADefaultItemIsOpenAndSaysSo) {
  ArmingList nobody = list(false);
  EXPECT_TRUE(nobody.take_entries("integrator").empty()) << "simulated rigs arm themselves";

  ArmingList script = list(false);
  EXPECT_EQ(script.add_word("ada@lab"), "");
  EXPECT_TRUE(script.is_armed());
  const std::vector<AuditEntry> all = script.take_entries("ada@lab");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].what, "unconfirmed");
  EXPECT_EQ(all[0].text, "nobody in the cage; hydraulics at pressure");

  ArmingList person = list(false);
  EXPECT_EQ(person.confirm("ada@lab", kPressure, kTime), "");
  EXPECT_EQ(person.add_word("bob@lab"), "");
  const std::vector<AuditEntry> entries = person.take_entries("bob@lab");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[1].who, "bob@lab");
  EXPECT_EQ(entries[1].what, "unconfirmed");
  EXPECT_EQ(entries[1].text, "nobody in the cage");
}

TEST(ArmingList, RefusesAnotherItemAndASecondConfirmation) {
  ArmingList it = list(true);
  EXPECT_NE(it.confirm("ada@lab", "cage", kTime).find("has no item `cage`"),
            std::string::npos);
  EXPECT_EQ(it.confirm("ada@lab", kCage, kTime), "");
  EXPECT_NE(it.confirm("bob@lab", kCage, kTime).find("confirmed already by ada@lab"),
            std::string::npos);
  EXPECT_EQ(it.status().checklist[0].by, "ada@lab");
}

TEST(ArmingList, TakesAWaivedItemForClosedAndSaysWhoWaivedItAndWhy) {
  ArmingList it = list(true);
  EXPECT_EQ(it.confirm("ada@lab", kCage, kTime), "");
  EXPECT_NE(it.waive("bob@lab", kPressure, "", kTime).find("say why"), std::string::npos);
  EXPECT_NE(it.waive("bob@lab", kPressure, "  ", kTime).find("say why"), std::string::npos);
  EXPECT_NE(it.add_word("bob@lab"), "") << "without a reason it stays open";
  EXPECT_STREQ(it.status().checklist[1].state(), "open");
  EXPECT_EQ(it.waive("bob@lab", kPressure, "electric jack", kTime), "");
  EXPECT_STREQ(it.status().checklist[0].state(), "done");
  EXPECT_STREQ(it.status().checklist[1].state(), "waived");
  EXPECT_NE(it.confirm("ada@lab", kPressure, kTime).find("waived already by bob@lab"),
            std::string::npos);
  EXPECT_NE(
      it.waive("ada@lab", kCage, "nobody", kTime).find("confirmed already by ada@lab"),
      std::string::npos);
  EXPECT_NE(it.waive("ada@lab", "cage", "nobody", kTime).find("has no item `cage`"),
            std::string::npos);
  EXPECT_EQ(it.add_word("ada@lab"), "");
  const std::vector<AuditEntry> entries = it.take_entries("ada@lab");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[1].who, "bob@lab");
  EXPECT_EQ(entries[1].what, "waived");
  EXPECT_EQ(entries[1].text,
            "hydraulics at pressure (2026-11-27T09:12:03.120Z): electric jack");
}

ArmingList list_with_reading() {
  ChecklistItem reading{"west.1.force within 0.2 kN"};
  reading.reading = {.site = "west", .channel = "1.force", .within = 200.0};
  return ArmingList({.checklist = {reading}, .required = true, .words = 1, .armed_by = {}});
}

std::vector<RigReading> readings(double force) {
  return {{"jack.displacement", "m", 0.0, 1e-6}, {"jack.force", "N", force, 4.0}};
}

TEST(ArmingList, ComparesAReadingThatNobodyConfirms) {
  ArmingList it = list_with_reading();
  EXPECT_NE(it.add_word("ada@lab").find("within 0.2 kN (no reading yet)"),
            std::string::npos);
  it.take_readings("west", readings(-350.0));
  EXPECT_NE(it.add_word("ada@lab").find("within 0.2 kN (reads -350 N)"), std::string::npos);
  EXPECT_NE(it.add_word("ada@lab").find("no person confirms a reading"), std::string::npos)
      << "it says what can be done";
  it.take_readings("east", readings(0.0));
  EXPECT_NE(it.add_word("ada@lab"), "") << "that is another site's";
  EXPECT_NE(it.confirm("ada@lab", "west.1.force within 0.2 kN", kTime).find("no person"),
            std::string::npos);
  it.take_readings("west", readings(-200.0));
  EXPECT_STREQ(it.status().checklist[0].state(), "done");
  EXPECT_EQ(it.status().checklist[0].reading.deviation, 4.0);
  it.take_readings("west", readings(200.1));
  EXPECT_STREQ(it.status().checklist[0].state(), "open") << "it is as it is now";
  it.take_readings("west", {});
  EXPECT_NE(it.add_word("ada@lab").find("no reading yet"), std::string::npos);
  it.take_readings("west", readings(35.0));
  EXPECT_EQ(it.add_word("ada@lab"), "");
  const std::vector<AuditEntry> entries = it.take_entries("ada@lab");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].who, "site west") << "she has armed, and confirmed no reading";
  EXPECT_EQ(entries[0].from, "bus: west");
  EXPECT_EQ(entries[0].what, "confirmed");
  EXPECT_EQ(entries[0].text, "west.1.force within 0.2 kN (reads 35 N)");
}

TEST(ArmingList, LetsAPersonWaiveAReading) {
  ArmingList it = list_with_reading();
  it.take_readings("west", readings(350.0));
  EXPECT_EQ(it.waive("ada@lab", "west.1.force within 0.2 kN", "preload", kTime), "");
  it.take_readings("west", readings(360.0));
  EXPECT_STREQ(it.status().checklist[0].state(), "waived");
  EXPECT_EQ(it.add_word("ada@lab"), "");
  EXPECT_EQ(it.take_entries("ada@lab").at(0).what, "waived");
}

TEST(ArmingList, AsksForNoReadingOfASimulatedRigAndSaysWhy) {
  ArmingList it = list_with_reading();
  it.mark_not_applicable("east", "NOT APPLICABLE: TWIN");
  EXPECT_STREQ(it.status().checklist[0].state(), "open") << "that is another site's";
  it.mark_not_applicable("west", "NOT APPLICABLE: TWIN");
  it.take_readings("west", {});
  EXPECT_STREQ(it.status().checklist[0].state(), "waived");
  EXPECT_EQ(it.status().checklist[0].waived, "NOT APPLICABLE: TWIN");
  EXPECT_EQ(it.add_word("ada@lab"), "");
  const AuditEntry entry = it.take_entries("ada@lab").at(0);
  EXPECT_EQ(entry.who, "site west");
  EXPECT_EQ(entry.what, "waived");
  EXPECT_EQ(entry.from, "bus: west") << "nobody said it to the operators' channel";
  EXPECT_EQ(entry.text, "west.1.force within 0.2 kN: NOT APPLICABLE: TWIN");
}

TEST(ArmingList, AsksForTheReadingsOfARealRigInPlaceOfASimulatedOne) {
  ArmingList it = list_with_reading();
  it.mark_not_applicable("west", "NOT APPLICABLE: site west is SIMULATED");
  EXPECT_EQ(it.take_entries("ada@lab").size(), 1U);
  it.forget_readings("east");
  EXPECT_STREQ(it.status().checklist[0].state(), "waived") << "that is another site's";
  it.forget_readings("west");
  EXPECT_STREQ(it.status().checklist[0].state(), "open");
  EXPECT_NE(it.add_word("ada@lab"), "");
  it.take_readings("west", readings(35.0));
  EXPECT_EQ(it.add_word("ada@lab"), "");
  const std::vector<AuditEntry> entries = it.take_entries("ada@lab");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].text, "west.1.force within 0.2 kN (reads 35 N)");
  EXPECT_EQ(it.waive("ada@lab", "west.1.force within 0.2 kN", "preload", kTime), "");
  it.forget_readings("west");
  EXPECT_STREQ(it.status().checklist[0].state(), "waived") << "a person's word stays";
}

TEST(ArmingList, RequiresWhatASiteAddsFromItsOwnFile) {
  ArmingList it({.checklist = {}, .required = false, .words = 1, .armed_by = {}});
  it.add_items("west",
               {{"grips closed", "", 0.0}, {"1.force within 0.2 kN", "1.force", 200.0}});
  it.add_items("west", {{"grips closed", "", 0.0}});  // it agreed again
  ASSERT_EQ(it.status().checklist.size(), 2U);
  EXPECT_NE(it.add_word("ada@lab").find(
                "open: west: grips closed; west.1.force within 0.2 kN (no reading"),
            std::string::npos);
  EXPECT_EQ(it.confirm("ada@lab", "west: grips closed", kTime), "");
  it.take_readings("west", readings(0.0));
  EXPECT_EQ(it.add_word("ada@lab"), "");
}

TEST(ArmingList, NamesTheCommandThatItPrecedes) {
  ArmingList it({.checklist = {{kCage}}, .required = true, .words = 2, .armed_by = {}},
                ArmingList::Command::kResume);
  EXPECT_EQ(it.add_word("ada@lab"),
            "not resumed: the checklist is open: nobody in the cage; confirm each item: "
            "trestle resume, at a terminal or with --tick");
  EXPECT_NE(it.confirm("ada@lab", "x", kTime).find("`trestle resume RUN --checklist`"),
            std::string::npos);
  EXPECT_EQ(it.confirm("ada@lab", kCage, kTime), "");
  EXPECT_EQ(it.add_word("ada@lab"), "");
  EXPECT_NE(it.add_word("ada@lab").find("ada@lab has resumed already"), std::string::npos);
  EXPECT_EQ(it.persons(), "ada@lab");
  EXPECT_EQ(it.add_word("bob@lab"), "");
  EXPECT_EQ(it.persons(), "ada@lab and bob@lab");
}

TEST(ArmingList, NeedsTwoDifferentPersons) {
  ArmingList it = list(false, 2);
  EXPECT_EQ(it.add_word("ada@lab"), "");
  EXPECT_FALSE(it.is_armed());
  EXPECT_NE(it.add_word("ada@lab").find("ada@lab has armed already"), std::string::npos);
  EXPECT_FALSE(it.is_armed());
  EXPECT_EQ(it.add_word("bob@lab"), "");
  EXPECT_TRUE(it.is_armed());
  it.forget_words();
  EXPECT_FALSE(it.is_armed());
}

}  // namespace
}  // namespace trestle::integrator_node::arming_list_test
