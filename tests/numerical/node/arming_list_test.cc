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

TEST(ArmingList, ArmsAlthoughADefaultItemIsOpenAndSaysSoBesideOthers) {
  ArmingList script = list(false);
  EXPECT_EQ(script.add_word("ada@lab"), "");
  EXPECT_TRUE(script.is_armed());
  EXPECT_TRUE(script.take_entries("ada@lab").empty()) << "as before there was a list";

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
