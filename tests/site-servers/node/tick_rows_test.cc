#include "site-servers/node/tick_rows.h"

#include <gtest/gtest.h>

#include "tests/site-servers/node/row_keeper.h"

namespace trestle::site_node::tick_record_test {
namespace {

const ActuatorVector kTarget = ActuatorVector::Constant(1, 0.1);
const ActuatorVector kCommand = ActuatorVector::Constant(1, 0.2);
const Measurement kSensed{ActuatorVector::Constant(1, 0.3),
                          ActuatorVector::Constant(1, 4.0)};

TEST(TickRows, WritesARowInTheOrderOfItsColumns) {
  testing::RowKeeper keeper;
  TickRows record(1, 1, &keeper);
  record.open(5, kTarget, kCommand);
  EXPECT_TRUE(record.close(kSensed));
  EXPECT_TRUE(record.close(kSensed)) << "nothing is open: nothing to lose";
  ASSERT_EQ(keeper.rows.size(), 1U);
  EXPECT_EQ(keeper.rows[0].first, 5);
  EXPECT_EQ(keeper.rows[0].second, (std::vector<double>{0.1, 0.2, 0.3, 4.0}));
}

TEST(TickRows, KeepsTheLastOfEveryFewTicks) {
  testing::RowKeeper keeper;
  TickRows record(1, 4, &keeper);
  for (int n = 0; n < 12; ++n) {
    record.open(n, kTarget, kCommand);
    record.close(kSensed);
  }
  ASSERT_EQ(keeper.rows.size(), 3U);
  EXPECT_EQ(keeper.rows[0].first, 3);
  EXPECT_EQ(keeper.rows[2].first, 11);
}

TEST(TickRows, KeepsTheCoefficientsOfTheTickBehindWhatTheRigMeasures) {
  testing::RowKeeper keeper;
  TickRows record(1, 2, &keeper, 1, 2);
  record.open(0, kTarget, kCommand);
  EXPECT_TRUE(record.coefficients().empty()) << "this tick is not kept";
  record.open(1, kTarget, kCommand);
  ASSERT_EQ(record.coefficients().size(), 2U);
  record.coefficients()[0] = 7.0;
  record.coefficients()[1] = 8.0;
  const double extra[2] = {5.0, 6.0};  // one more than there is room for
  record.close(kSensed, extra);
  EXPECT_TRUE(record.coefficients().empty()) << "it is closed";
  EXPECT_EQ(keeper.rows[0].second,
            (std::vector<double>{0.1, 0.2, 0.3, 4.0, 5.0, 7.0, 8.0}));
}

TEST(TickRows, SaysThatARowWasLost) {
  testing::RowKeeper keeper;
  keeper.full = true;
  TickRows record(1, 1, &keeper);
  record.open(0, kTarget, kCommand);
  EXPECT_FALSE(record.close(kSensed));
}

TEST(TickRows, GoesOnFromASnapshotWithItsOpenRow) {
  testing::RowKeeper keeper;
  TickRows kept(1, 1, &keeper);
  kept.open(5, kTarget, kCommand);
  SnapshotWriter writer;
  kept.save(writer);
  TickRows twin(1, 1, &keeper);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  twin.close(kSensed);
  ASSERT_EQ(keeper.rows.size(), 1U);
  EXPECT_EQ(keeper.rows[0].second, (std::vector<double>{0.1, 0.2, 0.3, 4.0}));
}

}  // namespace
}  // namespace trestle::site_node::tick_record_test
