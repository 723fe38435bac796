#include "numerical/excitation/ground_motion.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/types/setting_error.h"

namespace trestle {
namespace {

constexpr double kStandardGravity = 9.80665;  // [m/s²]

/// Reads a file line by line and knows where it is when something is wrong.
class RecordReader {
 public:
  RecordReader(std::string file, std::string path)
      : file_(std::move(file)), path_(std::move(path)), stream_(file_) {
    if (!std::filesystem::exists(file_)) fail_whole("there is no such file");
    if (!stream_) fail_whole("cannot be opened");
  }

  bool next(std::string& line) {
    if (!std::getline(stream_, line)) return false;
    ++line_;
    return true;
  }
  int line() const { return line_; }

  [[noreturn]] void fail(const std::string& what) const {
    throw SettingError(path_, file_ + ":" + std::to_string(line_) + ": " + what);
  }
  [[noreturn]] void fail_whole(const std::string& what) const {
    throw SettingError(path_, file_ + ": " + what);
  }

 private:
  std::string file_;
  std::string path_;
  std::ifstream stream_;
  int line_ = 0;
};

std::vector<std::string_view> words(std::string_view line) {
  constexpr std::string_view kBetween = ",; \t\r";
  std::vector<std::string_view> found;
  std::size_t at = line.find_first_not_of(kBetween);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    found.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBetween, end);
  }
  return found;
}

std::optional<double> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range) return 0.0;  // such as 1e-400
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

double sample(const RecordReader& reader, std::string_view word) {
  const std::optional<double> value = number(word);
  if (!value) reader.fail("`" + std::string(word) + "` is not a number");
  if (!std::isfinite(*value))
    reader.fail("`" + std::string(word) + "` is not finite; a record needs a number there");
  return *value;
}

GroundMotion read_columns(RecordReader& reader) {
  GroundMotion motion;
  std::string line;
  bool header_allowed = true;
  while (reader.next(line)) {
    const std::vector<std::string_view> row = words(line);
    if (row.empty()) continue;
    const bool header = header_allowed && !number(row.front());
    header_allowed = false;
    if (header) continue;
    if (row.size() < 2) reader.fail("one column; a record has two, time and acceleration");
    const double time = sample(reader, row[0]);
    if (!motion.time.empty() && time <= motion.time.back())
      reader.fail("time " + std::string(row[0]) +
                  " does not come after the line before; times must increase");
    motion.time.push_back(time);
    motion.acceleration.push_back(sample(reader, row[1]));
  }
  return motion;
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
    if (const auto value = number(rest)) return value;
  }
  return std::nullopt;
}

struct Sampling {
  double count = 0.0;
  double interval = 0.0;
};

/// The fourth line: `NPTS=  5372, DT=   .0100 SEC` as today, or `5372  0.0100  NPTS, DT`.
Sampling sampling(const RecordReader& reader, const std::string& line) {
  std::vector<std::string> row;
  for (const std::string_view word : words(line)) {
    row.emplace_back(word);
    for (char& c : row.back())
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  const auto keyed_count = value_after(row, "NPTS");
  const auto keyed_interval = value_after(row, "DT");
  Sampling found;
  if (keyed_count && keyed_interval) {
    found = {*keyed_count, *keyed_interval};
  } else if (row.size() >= 2 && number(row[0]) && number(row[1])) {
    found = {*number(row[0]), *number(row[1])};
  } else {
    reader.fail(
        "neither `NPTS= ..., DT= ...` nor the two numbers; so this is no PEER .AT2");
  }
  if (!(found.interval > 0.0) || !std::isfinite(found.interval))
    reader.fail("DT is " + std::to_string(found.interval) + "; must be positive");
  return found;
}

GroundMotion read_at2(RecordReader& reader) {
  std::string line;
  for (int i = 0; i < 4; ++i)
    if (!reader.next(line))
      reader.fail_whole("too short: a PEER .AT2 has four header lines");
  const Sampling header = sampling(reader, line);
  GroundMotion motion;
  while (reader.next(line))
    for (const std::string_view word : words(line))
      motion.acceleration.push_back(sample(reader, word));
  const std::size_t count = motion.acceleration.size();
  if (static_cast<double>(count) != header.count)
    reader.fail_whole("holds " + std::to_string(count) + " samples; its header says " +
                      std::to_string(std::llround(header.count)));
  motion.time.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    motion.time[i] = static_cast<double>(i) * header.interval;
  return motion;
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
  RecordReader reader(file, path);
  const bool at2 = is_at2(file);
  GroundMotion motion = at2 ? read_at2(reader) : read_columns(reader);
  if (motion.time.size() < 2)
    reader.fail_whole("too short: a record needs at least two samples");
  if (motion.time.front() < 0.0)
    reader.fail_whole("starts before time zero; shift its times");
  const double own = at2 ? kStandardGravity : 1.0;
  const double factor = (unit > 0.0 ? unit : own) * scale;
  for (double& a : motion.acceleration) a *= factor;
  return motion;
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

}  // namespace trestle
