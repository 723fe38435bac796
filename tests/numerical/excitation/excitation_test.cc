#include "numerical/excitation/excitation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/setting_error.h"
#include "numerical/excitation/ground_motion.h"
#include "numerical/excitation/synthetic_ground_motion.h"

namespace trestle::excitation {
namespace {

/// A file that goes when the test ends.
class RecordFile {
 public:
  RecordFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("trestle_" + std::to_string(::getpid()) + "_" + name)) {
    std::ofstream(path_) << text;
  }
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;
  ~RecordFile() { std::filesystem::remove(path_); }

  GroundMotion read(double unit = 0.0, double scale = 1.0) const {
    return read_ground_motion(path_.string(), unit, scale, "excitation.record");
  }
  std::string path() const { return path_.string(); }
  /// The sentence with which the file is refused, from its line number on.
  std::string refusal() const {
    try {
      read();
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems()[0].path, "excitation.record");
      return error.problems()[0].what.substr(path_.string().size());
    }
    return "accepted";
  }

 private:
  std::filesystem::path path_;
};

TEST(GroundMotion, ReadsTwoColumnsWhateverSeparatesThem) {
  for (const char* text : {"time_s,accel\n0,1\n0.02,-2.5\n", "0 1\n0.02\t-2.5\n\n",
                           "0;1\r\n0.02;-2.5\r\n", "t a\n 0 , 1\n 0.02 , -2.5"}) {
    const GroundMotion motion = RecordFile("a.csv", text).read(0.0, 2.0);
    EXPECT_EQ(motion.time, (std::vector<double>{0.0, 0.02})) << text;
    EXPECT_EQ(motion.acceleration, (std::vector<double>{2.0, -5.0})) << text;
  }
}

TEST(GroundMotion, ReadsBothFormsOfAPeerHeader) {
  const std::string head = "PEER NGA\nImperial Valley\nACCELERATION IN UNITS OF G\n";
  for (const char* line :
       {"NPTS=   3, DT=   .0100 SEC,\n", "   3    0.0100    NPTS, DT\n"}) {
    const GroundMotion motion =
        RecordFile("b.AT2", head + line + " .1E+00  -.2E+00\n 0.05\n").read();
    EXPECT_EQ(motion.time, (std::vector<double>{0.0, 0.01, 0.02}));
    EXPECT_DOUBLE_EQ(motion.acceleration[1], -0.2 * 9.80665);
  }
}

TEST(GroundMotion, SaysLineAndReasonOfWhatItCannotUse) {
  EXPECT_EQ(RecordFile("c.csv", "t,a\n0,1\n0.1,nan\n").refusal(),
            ":3: `nan` is not finite; a record needs a number there");
  EXPECT_EQ(RecordFile("d.csv", "0,1\n0.1,2\n0.1,3\n").refusal(),
            ":3: time 0.1 does not come after the line before; times must increase");
  EXPECT_EQ(RecordFile("e.csv", "0,1\n0.1,x\n").refusal(), ":2: `x` is not a number");
  EXPECT_EQ(RecordFile("f.csv", "0,1\n").refusal(),
            ": too short: a record needs at least two samples");
  for (const std::string line : {"NPTS= 3, DT= 10 MSEC", "NPTS= 3, DT= 10 (MSEC),",
                                 "3 10 NPTS, DT (MSEC)", "NPTS=3, DT=10 MSEC."})
    EXPECT_NE(
        RecordFile("z.at2", "a\nb\nc\n" + line + "\n1 2 3\n").refusal().find("is in MSEC"),
        std::string::npos)
        << line;
  for (const std::string line : {"NPTS= 3, DT= .01 SEC", "NPTS=  3, DT=   .0100 SEC, SR",
                                 "3  0.0100  NPTS, DT", "3 0.01 NPTS, DT (SEC)"})
    EXPECT_EQ(RecordFile("z.at2", "a\nb\nc\n" + line + "\n1 2 3\n").read().time[1], 0.01)
        << line;
  EXPECT_EQ(RecordFile("g.at2", "a\nb\nc\nNPTS= 3, DT= 0.01\n1 2\n").refusal(),
            ": holds 2 samples; its header says 3");
  EXPECT_THROW(read_ground_motion("no/such/file.csv", 0.0, 1.0, "r"), SettingError);
}

TEST(GroundMotion, TakesTheUnitFromItsHeader) {
  for (const auto& [header, unit] :
       {std::pair{"time_s,accel_g", 9.80665}, std::pair{"time [s],acc [g]", 9.80665},
        std::pair{"Time (s); Acceleration (cm/s2)", 0.01}, std::pair{"t a", 1.0},
        std::pair{"time_s,accel_m_s2", 1.0}, std::pair{"t,acc_gal", 0.01}}) {
    const GroundMotion motion =
        RecordFile("u.csv", std::string(header) + "\n0 0\n0.01 2\n").read();
    EXPECT_EQ(motion.acceleration[1], 2.0 * unit) << header;
  }
  const std::string text = "time [s],acc [g]\n0,0\n0.01,2\n";
  EXPECT_EQ(RecordFile("v.csv", text).read(9.80665).acceleration[1], 2.0 * 9.80665);
  EXPECT_THROW(RecordFile("w.csv", text).read(1.0), SettingError);
  EXPECT_EQ(RecordFile("x.csv", "time [ms],acc [g]\n0,0\n10,2\n").refusal(),
            ":1: the header states the unit `ms` of the times; they must be in s");
  EXPECT_NE(
      RecordFile("y.csv", "time [s],acc [volt]\n0,0\n10,2\n").refusal().find("`volt`"),
      std::string::npos);
}

TEST(GroundMotion, TakesNoFirstSampleForAHeader) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::vector<double> all{3.0, 2.0, 1.0};
  EXPECT_EQ(RecordFile("a.csv", mark + "0,3\n1,2\n2,1\n").read().acceleration, all);
  EXPECT_EQ(RecordFile("b.csv", mark + "t,a\n0,3\n1,2\n2,1\n").read().acceleration, all);
  EXPECT_EQ(RecordFile("c.csv", "O.00,3\n1,2\n2,1\n").refusal(),
            ":1: `O.00` is not a number");
  EXPECT_EQ(RecordFile("d.csv", "# 1940\n0,3\n1,2\n2,1\n").read().acceleration, all);
  // A blank at the end of a line separates nothing.
  EXPECT_EQ(RecordFile("e.csv", "0,3 \n1,2 \n2,1\t\n").read().acceleration, all);
}

TEST(GroundMotion, TakesTheUnitFromThePeerHeader) {
  const auto of = [](const std::string& third) {
    return "PEER NGA\nImperial Valley\n" + third + "\nNPTS= 2, DT= .01 SEC\n1 2\n";
  };
  for (const auto& [third, unit] : std::vector<std::pair<std::string, double>>{
           {"ACCELERATION TIME HISTORY IN UNITS OF G", 9.80665},
           {"ACCELERATION IN UNITS OF CM/S/S.", 0.01},
           {"ACCELERATION IN UNITS OF CM/SEC**2", 0.01},
           {"ACCELERATION IN UNITS OF M/S2, FILTERED", 1.0},
           {"no unit", 9.80665}})
    EXPECT_EQ(RecordFile("u.AT2", of(third)).read().acceleration.front(), unit) << third;
  EXPECT_EQ(RecordFile("v.AT2", of("VELOCITY TIME HISTORY IN UNITS OF CM/S")).refusal(),
            ":3: a record of velocity; a record of the ground's acceleration is wanted");
  EXPECT_THROW(RecordFile("w.AT2", of("ACCELERATION IN UNITS OF LB")).read(), SettingError);
  EXPECT_THROW(RecordFile("x.AT2", of("ACCELERATION IN UNITS OF G")).read(1.0),
               SettingError);
  EXPECT_EQ(
      RecordFile("y.AT2", of("ACCELERATION IN UNITS OF LB")).read(2.0).acceleration.front(),
      2.0);
}

TEST(GroundMotion, TakesNoUnknownUnitOfAColumnForOneOfTheStandard) {
  for (const auto& [column, unit] : std::vector<std::pair<std::string, double>>{
           {"accel_mg", 9.80665e-3}, {"accel_cms2", 0.01}, {"accel_mps2", 1.0}})
    EXPECT_EQ(RecordFile("c.csv", "time_s," + column + "\n0,1\n1,2\n")
                  .read()
                  .acceleration.front(),
              unit)
        << column;
  EXPECT_THROW(RecordFile("d.csv", "time_s,vel_mps\n0,1\n1,2\n").read(), SettingError);
}

/// The unit of a column stands in that column, and the times are in s.
TEST(GroundMotion, ReadsTheUnitOfEachColumn) {
  EXPECT_EQ(RecordFile("q.csv", "t [s],acc\n0,1\n1,2\n").read().acceleration.front(), 1.0);
  EXPECT_EQ(
      RecordFile("r.csv", "# time [s], a (East) [mg]\n# El Centro, comp N\n0,1\n1,2\n")
          .read()
          .acceleration.front(),
      9.80665e-3);
  for (const std::string header : {"# time, a [cm/sec2]", "# time, a (cm/sec/sec)",
                                   "# time, a (Gal)", "# time, a (cm s-2)"})
    EXPECT_EQ(RecordFile("w.csv", header + "\n0,1\n1,2\n").read().acceleration.front(),
              0.01)
        << header;
  EXPECT_THROW(RecordFile("x.csv", "# time, a [foo]\n0,1\n1,2\n").read(), SettingError);
  EXPECT_THROW(RecordFile("y.csv", "# time, a (mGal)\n0,1\n1,2\n").read(), SettingError);
  EXPECT_EQ(RecordFile("u.csv", "time,accel_N\n0,1\n1,2\n").read(2.0).acceleration.front(),
            2.0);
  EXPECT_THROW(RecordFile("v.csv", "time_s,v [m/s]\n0,1\n1,2\n").read(2.0), SettingError);
  for (const std::string header : {"time_ms,acceleration", "t [ms],acc", "# t (ms) a"})
    EXPECT_NE(RecordFile("s.csv", header + "\n0,1\n10,2\n").refusal().find("of the times"),
              std::string::npos)
        << header;
}

TEST(PlainColumns, RefuseAnotherUnitThanTheirQuantity) {
  const auto refusal = [](const std::string& header, const char* unit) {
    const RecordFile file("t.csv", header + "\n0,1\n1,2\n");
    try {
      return std::to_string(
          read_plain_columns(file.path(), unit, "record").acceleration.front());
    } catch (const SettingError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refusal("time_s,disp_m", "m"), "1.000000");
  EXPECT_EQ(refusal("time_s,v_m/s", "m/s"), "1.000000");
  EXPECT_EQ(refusal("time_s,factor", ""), "1.000000");
  for (const char* header : {"time [s], factor [-]", "t, f [1]", "t, factor (dead load)"})
    EXPECT_EQ(refusal(header, ""), "1.000000") << header;
  EXPECT_EQ(refusal("t, v", "m/s"), "1.000000");
  EXPECT_EQ(refusal("t, F [Newton]", "n"), "1.000000");
  for (const auto& [header, unit] :
       std::vector<std::pair<std::string, const char*>>{{"time_s,disp_mm", "m"},
                                                        {"time_s,force_kN", "m"},
                                                        {"time_s,force_N", "m"},
                                                        {"t,u [um]", "m"},
                                                        {"t,F [tf]", "n"},
                                                        {"time_s,force_kN", "n"},
                                                        {"time_s,f [%]", ""}})
    EXPECT_NE(refusal(header, unit).find("Convert them"), std::string::npos) << header;
  EXPECT_NE(refusal("time_ms,factor", "").find("of the times"), std::string::npos);
}

TEST(GroundMotion, RefusesWhatWasNotMeant) {
  EXPECT_EQ(RecordFile("h.csv", "t,a\n0,0\n0.01,1\n0.02,2\n5.0,3\n5.01,0\n").refusal(),
            ":5: a gap: 4.98 s after the line before, where the others are 0.01 s apart. "
            "Write the missing samples");
  EXPECT_NE(RecordFile("i.csv", "t,a,b\n0,0,1\n").refusal().find("3 columns"),
            std::string::npos);
  EXPECT_EQ(RecordFile("j.csv", "t;a\n0;0\n0,01;1,5\n").refusal(),
            ":3: a decimal comma; write numbers with a decimal point");
  EXPECT_NE(RecordFile("k.csv", "0,01,1,5\n0,02,1,5\n").refusal().find("4 columns"),
            std::string::npos);
  EXPECT_NE(RecordFile("l.csv", "0,0\n0.01,1e308\n").refusal().find("1e+308 m/s2"),
            std::string::npos);
  EXPECT_EQ(RecordFile("m.csv", "0,0\n0.01,1e309\n").refusal(),
            ":2: `1e309` is not finite; a record needs a number there");
  EXPECT_EQ(RecordFile("n.csv", "0,0\n0.01,1e-400\n").read().acceleration[1], 0.0);
  EXPECT_NE(RecordFile("o.csv", "time_s,disp_mm\n0,0\n0.01,1\n").refusal().find("`mm`"),
            std::string::npos);
  EXPECT_EQ(RecordFile("p.csv", std::string("\x7f"
                                            "ELF\0\1\n0,1\n",
                                            11))
                .refusal(),
            ":1: a byte that is no text; a record is a text file of numbers");
  EXPECT_THROW(read_ground_motion("/", 0.0, 1.0, "r"), SettingError);
  EXPECT_THROW(read_ground_motion("/dev/zero", 0.0, 1.0, "r"), SettingError);
}

TEST(GroundMotion, KeepsItsSamplesBitForBitAndDrawsStraightLinesBetween) {
  GroundMotion motion;
  for (int i = 0; i <= 100; ++i) {
    motion.time.push_back(0.02 * i);
    motion.acceleration.push_back(std::sin(0.3 * i));
  }
  const std::vector<double> fine = motion.resample(0.005, 420);
  for (std::size_t k = 0; k <= 400; ++k) {
    const std::size_t i = k / 4;
    const double share = static_cast<double>(k % 4) / 4.0;
    if (k % 4 == 0) {
      EXPECT_EQ(fine[k], motion.acceleration[i]);
    } else {
      const double line =
          motion.acceleration[i] * (1.0 - share) + motion.acceleration[i + 1] * share;
      EXPECT_NEAR(fine[k], line, 1e-13);
    }
  }
  EXPECT_EQ(fine[401], 0.0);
}

TEST(StepCount, OfElCentroAt1024HertzIs42169) {
  EXPECT_EQ(step_count(41.18, 1.0 / 1024.0), 42'169);
  EXPECT_EQ(step_count(20.0, 0.001), 20'001);
  EXPECT_EQ(step_count(0.3, 0.1), 4);
}

TEST(SyntheticRecord, IsAFunctionOfItsSeedAndReachesItsPeak) {
  const GroundMotion one = synthetic_record({.seed = 7});
  EXPECT_EQ(one.acceleration, synthetic_record({.seed = 7}).acceleration);
  EXPECT_NE(one.acceleration, synthetic_record({.seed = 8}).acceleration);
  EXPECT_EQ(one.acceleration.size(), 4001u);
  double peak = 0.0;
  for (const double a : one.acceleration) peak = std::max(peak, std::abs(a));
  EXPECT_NEAR(peak, 3.5, 1e-14);
  EXPECT_EQ(one.acceleration.front(), 0.0);
  EXPECT_EQ(one.acceleration.back(), 0.0);
}

// Journals and papers name a seed and expect its motion: a change here changes old tests.
TEST(SyntheticRecord, OfSeedSevenKeepsItsBits) {
  const std::vector<double> a = synthetic_record({.seed = 7}).acceleration;
  EXPECT_EQ(a[1], -2.5558938531752133e-07);
  EXPECT_EQ(a[100], -0.025597615810245087);
  EXPECT_EQ(a[777], -0.079495326112151987);
  EXPECT_EQ(a[2000], 1.3236281813185224);
  EXPECT_EQ(a[3999], 3.1212331633003392e-07);
}

TEST(MovingLoad, SharesItsForceLikeAClampedBeamsReactions) {
  // Work-equivalent loads are the clamped reactions with opposite sign: P·b²(3a+b)/L³,
  // P·a·b²/L², for a force P at distance a from the start, b from the end.
  structure::LoadedMember segment{
      .start_x = 0.0, .start_y = 0.0, .end_x = 4.0, .end_y = 0.0};
  for (int i = 0; i < 6; ++i) segment.motions[static_cast<std::size_t>(i)] = {{i, 1.0}};
  const MovingLoad load({segment}, {.force = 10.0, .speed = 2.0, .start = 1.0});
  EXPECT_DOUBLE_EQ(load.leaves(), 3.0);
  Eigen::VectorXd p = Eigen::VectorXd::Zero(6);
  load.add(1.5, p);  // a = 1, b = 3
  EXPECT_NEAR(p[1], -10.0 * 9.0 * 6.0 / 64.0, 1e-12);
  EXPECT_NEAR(p[2], -10.0 * 1.0 * 9.0 / 16.0, 1e-12);
  EXPECT_NEAR(p[1] + p[4], -10.0, 1e-12);
  EXPECT_NEAR(p[5], 10.0 * 1.0 * 3.0 / 16.0, 1e-12);
  p.setZero();
  load.add(0.5, p);
  load.add(3.5, p);
  EXPECT_EQ(p.norm(), 0.0);
}

}  // namespace
}  // namespace trestle::excitation
