// Each schema of a stream: its columns, and that a row gives back what was packed.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/record/closing_columns.h"
#include "core/record/drive_columns.h"
#include "core/record/ledger_columns.h"
#include "core/record/site_step_columns.h"
#include "core/record/target_columns.h"
#include "core/record/tick_columns.h"
#include "core/record/used_response_columns.h"

namespace trestle::record::record_columns_test {
namespace {

constexpr double kUntouched = -77.0;
// Columns of other sites before those of the one under test.
constexpr std::size_t kFirst = 3;

const InterfaceLayout kLayout{
    {.name = "a.x"},
    {.name = "a.rz", .kind = DofKind::kRotation},
    {.name = "b.rz", .kind = DofKind::kRotation, .role = DofRole::kForceOnly}};
const std::vector<ActuatorDescription> kActuators{{"1", DofKind::kTranslation},
                                                  {"2", DofKind::kRotation}};

std::vector<std::string> names(const Channels& channels) {
  std::vector<std::string> names;
  for (const Channel& channel : channels)
    names.push_back(channel.name + " " + channel.unit);
  return names;
}
using Names = std::vector<std::string>;

/// Different numbers, none of which repeats.
class Numbers {
 public:
  template <typename Vector>
  Vector vector(Eigen::Index size) {
    Vector values(size);
    for (double& value : values) value = next();
    return values;
  }
  double next() { return 0.1 * static_cast<double>(++count_); }

 private:
  int count_ = 0;
};

StepResponse response() {
  Numbers numbers;
  StepResponse response;
  response.measured = numbers.vector<InterfaceVector>(2);
  response.force = numbers.vector<InterfaceVector>(3);
  ActuatorReport& report = response.actuators;
  for (ActuatorVector* values :
       {&report.target, &report.command, &report.measured, &report.force})
    *values = numbers.vector<ActuatorVector>(2);
  return response;
}

std::vector<double> row_of(std::size_t columns) {
  return std::vector<double>(columns, kUntouched);
}

TEST(TargetColumns, GivesBackTheTargetOfEachControlledDof) {
  const TargetColumns columns("west", kLayout, kFirst);
  EXPECT_EQ(names(columns.channels()),
            (Names{"west.a.x.target_m m", "west.a.rz.target_rad rad"}));
  std::vector<double> row = row_of(columns.end() + 1);
  const InterfaceVector target = Numbers().vector<InterfaceVector>(2);
  columns.pack(target, row);
  EXPECT_EQ(row, (std::vector<double>{kUntouched, kUntouched, kUntouched, target[0],
                                      target[1], kUntouched}));
  InterfaceVector read;
  columns.unpack(row, read);
  EXPECT_EQ(read, target);
}

TEST(TargetColumns, ComparesATargetWithARowToTheBit) {
  const TargetColumns columns("west", kLayout);
  InterfaceVector target{{0.0, 2.0}};
  std::vector<double> row = row_of(2);
  columns.pack(target, row);
  EXPECT_TRUE(columns.holds(row, target));
  target[0] = -0.0;
  EXPECT_FALSE(columns.holds(row, target));
  columns.pack(target, row);
  EXPECT_TRUE(columns.holds(row, target));
  target[1] = std::nextafter(2.0, 3.0);
  EXPECT_FALSE(columns.holds(row, target));
  EXPECT_FALSE(columns.holds({row.data(), 1}, target)) << "the row ends too early";
  EXPECT_FALSE(columns.holds(row, InterfaceVector::Zero(1)));
}

TEST(SiteStepColumns, GivesBackTargetAndResponse) {
  const SiteStepColumns columns("west", kLayout, kActuators, kFirst);
  EXPECT_EQ(names(columns.channels()),
            (Names{"west.a.x.target_m m", "west.a.x.measured_m m", "west.a.x.force_N N",
                   "west.a.rz.target_rad rad", "west.a.rz.measured_rad rad",
                   "west.a.rz.force_Nm N.m", "west.b.rz.force_Nm N.m", "west.1.target_m m",
                   "west.1.command_m m", "west.1.measured_m m", "west.1.force_N N",
                   "west.2.target_rad rad", "west.2.command_rad rad",
                   "west.2.measured_rad rad", "west.2.force_Nm N.m"}));
  const StepResponse whole = response();
  const InterfaceVector target{{7.0, 8.0}};
  std::vector<double> row = row_of(columns.end());
  columns.pack_target(target, row);
  columns.pack_response(whole, row);
  for (std::size_t i = 0; i < row.size(); ++i)
    EXPECT_EQ(row[i] == kUntouched, i < kFirst) << i;
  InterfaceVector read_target;
  StepResponse read;
  read.step = 5;
  columns.unpack_target(row, read_target);
  columns.unpack_response(row, read);
  EXPECT_EQ(read_target, target);
  EXPECT_EQ(read.measured, whole.measured);
  EXPECT_EQ(read.force, whole.force);
  EXPECT_EQ(read.actuators.target, whole.actuators.target);
  EXPECT_EQ(read.actuators.command, whole.actuators.command);
  EXPECT_EQ(read.actuators.measured, whole.actuators.measured);
  EXPECT_EQ(read.actuators.force, whole.actuators.force);
  EXPECT_EQ(read.step, 5) << "has no column";
}

TEST(SiteStepColumns, FitOneEntryPerActuatorEverywhere) {
  const SiteStepColumns columns("west", kLayout, kActuators);
  StepResponse other = response();
  EXPECT_TRUE(columns.fits(other.actuators));
  other.actuators.command.resize(1);
  EXPECT_FALSE(columns.fits(other.actuators));
}

TEST(UsedResponseColumns, GiveBackWhatWasUsed) {
  const UsedResponseColumns columns("west", kLayout, kFirst);
  EXPECT_EQ(
      names(columns.channels()),
      (Names{"west.a.x.measured_m m", "west.a.x.force_N N", "west.a.rz.measured_rad rad",
             "west.a.rz.force_Nm N.m", "west.b.rz.force_Nm N.m"}));
  const StepResponse whole = response();
  std::vector<double> row = row_of(columns.end());
  columns.pack({whole.measured, whole.force}, row);
  SiteResponse read{InterfaceVector::Zero(2), InterfaceVector::Zero(3)};
  columns.unpack(row, read);
  EXPECT_EQ(read.measured, whole.measured);
  EXPECT_EQ(read.force, whole.force);
}

TEST(ClosingColumns, GiveBackWhatAResponseHoldsBesides) {
  const ClosingColumns columns("west", kActuators);
  EXPECT_EQ(
      names(columns.channels()),
      (Names{"west.measured_at_ns ns", "west.ticks ", "west.estimated ", "west.1.delay_s s",
             "west.1.amplitude ", "west.2.delay_s s", "west.2.amplitude "}));
  const ClosingRow closing{TimePoint{Duration{-123456789}}, 42, true,
                           ActuatorVector{{0.01, 0.02}}, ActuatorVector{{1.1, 1.2}}};
  std::vector<double> row = row_of(columns.channels().size());
  columns.pack(closing, row);
  EXPECT_EQ(row, (std::vector<double>{-123456789.0, 42.0, 1.0, 0.01, 1.1, 0.02, 1.2}));
  ClosingRow read;
  columns.unpack(row, read);
  EXPECT_EQ(read.measured_at, closing.measured_at);
  EXPECT_EQ(read.ticks, closing.ticks);
  EXPECT_EQ(read.delay, closing.delay);
  EXPECT_EQ(read.amplitude, closing.amplitude);
}

TEST(ClosingColumns, LeaveTheLastEstimatesInTheRowWhereThereAreNone) {
  const ClosingColumns columns("west", kActuators);
  std::vector<double> row{0.0, 0.0, 1.0, 0.01, 1.1, 0.02, 1.2};
  columns.pack({TimePoint{}, 43, false, {}, {}}, row);
  EXPECT_EQ(row, (std::vector<double>{0.0, 43.0, 0.0, 0.01, 1.1, 0.02, 1.2}));
  ClosingRow read;
  columns.unpack(row, read);
  EXPECT_FALSE(read.estimated);
  EXPECT_EQ(read.delay.size(), 0);
  EXPECT_EQ(read.amplitude.size(), 0);
}

TEST(TickColumns, GiveBackATick) {
  const TickColumns columns("west", kActuators, {{"oil_degC", "degC"}, {"door", ""}});
  EXPECT_EQ(names(columns.channels()),
            (Names{"west.1.target_m m", "west.1.command_m m", "west.1.measured_m m",
                   "west.1.force_N N", "west.2.target_rad rad", "west.2.command_rad rad",
                   "west.2.measured_rad rad", "west.2.force_Nm N.m", "west.oil_degC degC",
                   "west.door "}));
  EXPECT_EQ(TickColumns("", kActuators).channels()[0].name, "1.target_m");
  Numbers numbers;
  const auto target = numbers.vector<ActuatorVector>(2);
  const auto command = numbers.vector<ActuatorVector>(2);
  const Measurement measurement{numbers.vector<ActuatorVector>(2),
                                numbers.vector<ActuatorVector>(2)};
  const std::vector<double> extra{61.5};
  std::vector<double> row = row_of(columns.channels().size());
  columns.pack_command(target, command, row);
  columns.pack_measurement(measurement, extra, row);
  EXPECT_EQ(row[8], 61.5);
  EXPECT_EQ(row[9], kUntouched) << "the rig did not say it";
  ActuatorVector read_target, read_command;
  Measurement read;
  columns.unpack(row, read_target, read_command, read);
  EXPECT_EQ(read_target, target);
  EXPECT_EQ(read_command, command);
  EXPECT_EQ(read.displacement, measurement.displacement);
  EXPECT_EQ(read.force, measurement.force);
}

TEST(DriveColumns, GiveBackADrive) {
  const DriveColumns columns("west", kActuators);
  EXPECT_EQ(names(columns.channels()),
            (Names{"west.1.target_m m", "west.1.command_m m", "west.1.drive_m m",
                   "west.1.measured_m m", "west.2.target_rad rad", "west.2.command_rad rad",
                   "west.2.drive_rad rad", "west.2.measured_rad rad"}));
  EXPECT_EQ(columns.channels().size(), DriveColumns::kPerActuator * kActuators.size());
  Numbers numbers;
  DriveInForce drive;
  for (ActuatorVector* values :
       {&drive.stroke, &drive.command, &drive.drive, &drive.measured})
    *values = numbers.vector<ActuatorVector>(2);
  std::vector<double> row = row_of(columns.channels().size());
  columns.pack(drive, row);
  DriveInForce read;
  columns.unpack(row, read);
  EXPECT_EQ(read.stroke, drive.stroke);
  EXPECT_EQ(read.command, drive.command);
  EXPECT_EQ(read.drive, drive.drive);
  EXPECT_EQ(read.measured, drive.measured);
}

LedgerTimestamps stamps(bool in) {
  std::int64_t at = 1'000'000'000'000;
  const auto next = [&at] {
    return TimePoint{Duration{at += 1'000'001}};
  };
  LedgerTimestamps stamps;
  for (TimePoint* time : {&stamps.begun, &stamps.ready, &stamps.recorded, &stamps.sent})
    *time = next();
  if (in)
    for (TimePoint* time : {&stamps.received, &stamps.started, &stamps.driven,
                            &stamps.closed, &stamps.replied, &stamps.answered})
      *time = next();
  stamps.joined = next();
  stamps.used = next();
  stamps.in = in;
  if (in) stamps.clock_bound = Duration{250};
  return stamps;
}

TEST(LedgerColumns, GiveBackTheTimestampsOfAStep) {
  const LedgerColumns columns("west", kFirst);
  EXPECT_EQ(names(columns.channels()),
            (Names{"west.i0_ns ns", "west.i1_ns ns", "west.ir_ns ns", "west.i2_ns ns",
                   "west.s1_ns ns", "west.s2_ns ns", "west.s3_ns ns", "west.s4_ns ns",
                   "west.s5_ns ns", "west.i3_ns ns", "west.ij_ns ns", "west.i4_ns ns",
                   "west.clock_bound_ns ns"}));
  EXPECT_STREQ(LedgerColumns::names()[LedgerColumns::kRecorded], "ir_ns");
  const TimePoint zero{Duration{999'999'999'999}};
  for (const bool in : {true, false}) {
    const LedgerTimestamps whole = stamps(in);
    std::vector<double> row = row_of(columns.end());
    columns.pack(whole, zero, row);
    EXPECT_EQ(row[kFirst], 1'000'002.0);
    LedgerTimestamps read;
    columns.unpack(row, zero, read);
    EXPECT_EQ(std::memcmp(&read, &whole, offsetof(LedgerTimestamps, in)), 0) << in;
    EXPECT_EQ(read.in, in);
  }
}

TEST(LedgerColumns, HoldNoNumberWhereASiteWasMissed) {
  const LedgerColumns columns("west");
  std::vector<double> row = row_of(columns.end());
  columns.pack(stamps(false), TimePoint{}, row);
  for (std::size_t i = 0; i < row.size(); ++i)
    EXPECT_EQ(std::isnan(row[i]), (i >= 4 && i <= 9) || i == 12) << i;
}

TEST(LedgerColumns, SayWhenTheStepOfARowWasOver) {
  const LedgerColumns columns("west");
  std::vector<double> row = row_of(columns.end());
  const LedgerTimestamps whole = stamps(true);
  columns.pack(whole, TimePoint{}, row);
  EXPECT_EQ(LedgerColumns::end_of(row), whole.used.time_since_epoch());
  EXPECT_EQ(LedgerColumns::end_of({}), Duration::zero()) << "of a ledger without rows";
}

}  // namespace
}  // namespace trestle::record::record_columns_test
