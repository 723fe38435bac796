#include "numerical/excitation/ground_motion.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/base/column_reader.h"
#include "core/base/header_units.h"
#include "numerical/excitation/sampling_gaps.h"

namespace trestle::excitation {
namespace {

constexpr double kStandardGravity = 9.80665;  // [m/s²]

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

void check_columns(const ColumnReader& reader, std::string_view line,
                   const std::vector<std::string_view>& row) {
  if (has_decimal_comma(line))
    reader.fail("a decimal comma; write numbers with a decimal point");
  if (row.size() < 2) reader.fail("one column; a record has two, time and acceleration");
  if (row.size() > 2)
    reader.fail(
        std::to_string(row.size()) +
        " columns; a record has two, time and acceleration. Keep one direction, and "
        "write numbers with a decimal point");
}

/// [m/s²]
std::optional<double> unit_of_acceleration(std::string unit) {
  std::erase_if(unit, [](char letter) {
    return letter == ' ' || letter == '^' || letter == '_' || letter == '/' ||
           letter == '*';
  });
  // cm/sec/sec, cm/s/s and cmps2 are cm/s2.
  for (const std::string_view second : {"sec2", "secsec", "ss", "ps2"})
    if (unit.ends_with(second)) {
      unit.replace(unit.size() - second.size(), second.size(), "s2");
      break;
    }
  if (unit == "ms2" || unit == "ms-2" || unit == "m.s-2" || unit == "ms²") return 1.0;
  if (unit == "g") return kStandardGravity;
  if (unit == "mg") return 1e-3 * kStandardGravity;
  if (unit == "gal" || unit == "cms2" || unit == "cms-2" || unit == "cms²") return 0.01;
  if (unit == "mms2" || unit == "mms-2" || unit == "mms²") return 0.001;
  return std::nullopt;
}

constexpr const char* kKnownUnits =
    "`, which is none of m/s2, g, mg, cm/s2, gal and mm/s2; give `unit:` in the test file";

/// Whether a header may state this unit of the times.
void check_unit_of_times(const ColumnReader& reader, const FileHeader& header) {
  const std::vector<std::string>& units = header.units();
  if (units.size() > 1 && !units[0].empty() && units[0] != "s" && units[0] != "sec" &&
      units[0] != "seconds")
    reader.fail_at(header.line(), "the header states the unit `" + units[0] +
                                      "` of the times; they must be in s");
}

/// The unit of the second column, as far as a header states it.
std::string unit_of_values(const FileHeader& header) {
  const std::vector<std::string>& units = header.units();
  return units.empty() ? std::string() : units[units.size() > 1 ? 1 : 0];
}

/// The unit of acceleration [m/s²] that a header states; nothing if it states none.
/// @param given  the test file states the unit: an unknown one here may stay
std::optional<double> stated_unit(const ColumnReader& reader, const FileHeader& header,
                                  bool given) {
  check_unit_of_times(reader, header);
  const std::string of_values = unit_of_values(header);
  if (of_values.empty()) return std::nullopt;
  const std::optional<double> unit = unit_of_acceleration(of_values);
  // `accel_in` may be the input.
  if (!unit && given && is_known_unit(of_values) && of_values != "in")
    reader.fail_at(header.line(), "the header states the unit `" + of_values +
                                      "`, which is none of acceleration, and the test "
                                      "file another one; correct the wrong one");
  if (!unit && !given)
    reader.fail_at(header.line(), "the header states the unit `" + of_values + kKnownUnits);
  return unit;
}

/// A record and the unit that the file itself states [m/s²].
struct ReadMotion {
  GroundMotion motion;
  std::optional<double> unit;
};

/// @param check  takes the header; returns the unit of the values
template <typename Check>
ReadMotion read_columns(ColumnReader& reader, const Check& check) {
  ReadMotion read;
  GroundMotion& motion = read.motion;
  std::vector<int> lines;
  std::string line;
  FileHeader header(2);
  while (reader.next(line)) {
    const std::vector<std::string_view> row = words_of(line);
    if (row.empty()) continue;
    if (header.takes(line, reader.line())) continue;
    if (motion.time.empty()) read.unit = check(header);
    check_columns(reader, line, row);
    lines.push_back(reader.line());
    const double time = reader.number(row[0]);
    if (!motion.time.empty() && time <= motion.time.back())
      reader.fail("time " + std::string(row[0]) +
                  " does not come after the line before; times must increase");
    motion.time.push_back(time);
    motion.acceleration.push_back(reader.number(row[1]));
  }
  check_gaps(reader, motion.time, lines);
  return read;
}

/// Value after a key such as `DT=` in upper-case words: `NPTS=  5372, DT=  .0100 SEC`.
std::optional<double> value_after(const std::vector<std::string>& row,
                                  std::string_view key) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!row[i].starts_with(key)) continue;
    std::string_view rest = std::string_view(row[i]).substr(key.size());
    std::size_t next = i + 1;
    if (rest.starts_with('=')) rest.remove_prefix(1);
    if (rest.empty() && next < row.size() && row[next] == "=") ++next;
    if (rest.empty() && next < row.size()) rest = row[next];
    if (rest.starts_with('=')) rest.remove_prefix(1);
    if (const auto value = number_of(rest)) return value;
  }
  return std::nullopt;
}

/// The unit of DT, where it is none of s: `DT= 10 MSEC`, `NPTS, DT (MSEC)`.
std::string unit_behind_interval(const std::vector<std::string>& row) {
  bool behind = false;
  for (const std::string& word : row) {
    const bool key = word.starts_with("DT");
    behind = behind || key;
    if (!behind || key || word == "=" || number_of(word)) continue;
    std::string unit = word;
    std::erase_if(unit,
                  [](char c) { return c == '(' || c == ')' || c == '.' || c == '='; });
    if (unit.empty() || number_of(word.starts_with('=') ? word.substr(1) : word)) continue;
    const bool seconds = unit == "S" || unit == "SEC" || unit == "SECS" ||
                         unit == "SECOND" || unit == "SECONDS";
    return seconds ? std::string() : unit;
  }
  return {};
}

struct Sampling {
  double count = 0.0;
  double interval = 0.0;
};

/// The fourth line: `NPTS=  5372, DT=   .0100 SEC` as today, or `5372  0.0100  NPTS, DT`.
Sampling sampling(const ColumnReader& reader, const std::string& line) {
  std::vector<std::string> row;
  for (const std::string_view word : words_of(line)) {
    row.emplace_back(word);
    for (char& c : row.back())
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  const auto keyed_count = value_after(row, "NPTS");
  const auto keyed_interval = value_after(row, "DT");
  Sampling found;
  if (keyed_count && keyed_interval) {
    found = {*keyed_count, *keyed_interval};
  } else if (row.size() >= 2 && number_of(row[0]) && number_of(row[1])) {
    found = {*number_of(row[0]), *number_of(row[1])};
  } else {
    reader.fail(
        "neither `NPTS= ..., DT= ...` nor the two numbers; so this is no PEER .AT2");
  }
  if (const std::string unit = unit_behind_interval(row); !unit.empty())
    reader.fail("DT is in " + unit + "; a PEER .AT2 states it in SEC");
  if (!(found.interval > 0.0) || !std::isfinite(found.interval))
    reader.fail("DT is " + std::to_string(found.interval) + "; must be positive");
  return found;
}

/// The unit in the third line, `ACCELERATION TIME HISTORY IN UNITS OF G`; nothing if it
/// states none.
std::optional<double> unit_of_at2(const ColumnReader& reader, std::string line,
                                  bool given) {
  line = in_small_letters(line);
  if (line.find("accel") == std::string::npos)
    for (const std::string_view other : {"velocity", "displacement"})
      if (line.find(other) != std::string::npos)
        reader.fail("a record of " + std::string(other) +
                    "; a record of the ground's acceleration is wanted");
  constexpr std::string_view kKey = "units of ";
  const std::size_t key = line.find(kKey);
  if (key == std::string::npos) return std::nullopt;
  const std::vector<std::string_view> rest =
      words_of(std::string_view(line).substr(key + kKey.size()));
  if (rest.empty()) return std::nullopt;
  std::string stated(rest.front());
  while (stated.ends_with('.')) stated.pop_back();
  const std::optional<double> unit = unit_of_acceleration(stated);
  if (!unit && !given) reader.fail("the header states the unit `" + stated + kKnownUnits);
  return unit;
}

ReadMotion read_at2(ColumnReader& reader, bool unit_given) {
  std::string line;
  std::optional<double> unit;
  for (int i = 0; i < 4; ++i) {
    if (!reader.next(line))
      reader.fail_whole("too short: a PEER .AT2 has four header lines");
    if (i == 2) unit = unit_of_at2(reader, line, unit_given);
  }
  const Sampling header = sampling(reader, line);
  GroundMotion motion;
  while (reader.next(line))
    for (const std::string_view word : words_of(line))
      motion.acceleration.push_back(reader.number(word));
  const std::size_t count = motion.acceleration.size();
  if (static_cast<double>(count) != header.count)
    reader.fail_whole("holds " + std::to_string(count) + " samples; its header says " +
                      std::to_string(std::llround(header.count)));
  motion.time.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    motion.time[i] = static_cast<double>(i) * header.interval;
  return {std::move(motion), unit};
}

void check_times(const ColumnReader& reader, const std::vector<double>& times) {
  if (times.size() < 2) reader.fail_whole("too short: a record needs at least two samples");
  if (times.front() < 0.0) reader.fail_whole("starts before time zero; shift its times");
}

bool is_at2(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".at2";
}

}  // namespace

GroundMotion read_ground_motion(const std::string& file, double unit, double scale,
                                const std::string& path) {
  ColumnReader reader(file, path);
  const bool at2 = is_at2(file);
  ReadMotion read = at2 ? read_at2(reader, unit > 0.0)
                        : read_columns(reader, [&](const FileHeader& header) {
                            return stated_unit(reader, header, unit > 0.0);
                          });
  GroundMotion& motion = read.motion;
  check_times(reader, motion.time);
  if (unit > 0.0 && read.unit && std::abs(*read.unit - unit) > 1e-6 * unit)
    reader.fail_whole("its header states a unit of " + short_text(*read.unit) +
                      " m/s2, and `unit:` one of " + short_text(unit) +
                      " m/s2; correct the wrong one");
  const double factor =
      (unit > 0.0 ? unit : read.unit.value_or(at2 ? kStandardGravity : 1.0)) * scale;
  for (double& a : motion.acceleration) a *= factor;
  for (const double a : motion.acceleration)
    if (!(std::abs(a) <= kLargestAcceleration))
      reader.fail_whole("an acceleration of " + short_text(a) + " m/s2, unit and scale " +
                        "included; must be at most " + short_text(kLargestAcceleration) +
                        " m/s2. Is the unit right?");
  return std::move(motion);
}

GroundMotion read_plain_columns(const std::string& file, std::string_view unit,
                                const std::string& path) {
  ColumnReader reader(file, path);
  if (is_at2(file))
    reader.fail_whole("a PEER .AT2 holds accelerations; give a file of two columns");
  ReadMotion read = read_columns(reader, [&](const FileHeader& header) {
    check_unit_of_times(reader, header);
    std::string stated = unit_of_values(header);
    std::ranges::replace(stated, '_', '/');
    if (stated == "mps") stated = "m/s";
    if (stated != unit && is_known_unit(stated))
      reader.fail_at(
          header.line(),
          "the header states the unit `" + stated +
              (unit.empty() ? "`; the values here are factors without a unit"
                            : "`; the values here must be in " + std::string(unit)) +
              ". Convert them");
    return std::optional<double>();
  });
  check_times(reader, read.motion.time);
  return std::move(read.motion);
}

std::vector<double> GroundMotion::resample(double time_step, std::int64_t count) const {
  constexpr double kSame = 1e-9;
  std::vector<double> result(static_cast<std::size_t>(count), 0.0);
  std::size_t after = 1;
  for (std::int64_t k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) * time_step;
    while (after + 1 < time.size() && t >= time[after]) ++after;
    const double begin = time[after - 1];
    const double share = (t - begin) / (time[after] - begin);
    double& value = result[static_cast<std::size_t>(k)];
    if (share < -kSame || share > 1.0 + kSame) continue;  // outside the record
    if (share <= kSame)
      value = acceleration[after - 1];
    else if (share >= 1.0 - kSame)
      value = acceleration[after];
    else
      value =
          acceleration[after - 1] + share * (acceleration[after] - acceleration[after - 1]);
  }
  return result;
}

}  // namespace trestle::excitation
