#include "composition/processes/rig_diary_file.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "core/base/lasting_file.h"
#include "core/base/number_text.h"
#include "core/base/utc_text.h"

namespace trestle::composition {
namespace {

constexpr const char* kDiary = "/diary";
constexpr const char* kRecorded = "/diary.recorded";
constexpr const char* kHistory = "/history";
constexpr const char* kZero = "/zero";
constexpr const char* kTare = "/tare";
constexpr const char* kNoUnit = "-";
constexpr std::size_t kTime = 24;  // letters of utc_text()
// Half of what the audit of a record takes at a time.
constexpr std::size_t kMostActs = 32;

std::int64_t diary_clock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// A field of a line: neither its end nor the end of another field.
std::string field(std::string text) {
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  return text;
}

/// "2026-11-27T09:12:03.000Z\tada@lab\toperator channel\tjog of ..."
AuditEntry entry_of(const std::string& line) {
  std::istringstream fields(line);
  std::string at, who, from, text;
  std::getline(fields, at, '\t');
  std::getline(fields, who, '\t');
  std::getline(fields, from, '\t');
  std::getline(fields, text);
  return {who, from, "rig", at + " " + text};
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool is_there(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(std::filesystem::symlink_status(path, none));
}

/// Renames a file that cannot be read; nothing that was set aside before is replaced.
/// @returns its new path. @throws std::runtime_error
std::string set_unreadable_aside(const std::string& path) {
  std::string to = path + ".unreadable";
  for (int n = 2; is_there(to); ++n) to = path + ".unreadable-" + std::to_string(n);
  move_file(path, to);
  return to;
}

/// The time and the person, then a line per channel: mean, deviation, unit, name.
/// @returns nothing: there are none, or they cannot be read
std::optional<site_node::RigZero> read_zero(const std::string& path) {
  std::ifstream file(path);
  site_node::RigZero zero;
  if (!std::getline(file, zero.at)) return std::nullopt;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string mean, deviation;
    RigReading reading;
    if (!(line >> mean >> deviation >> reading.unit) ||
        !std::getline(line >> std::ws, reading.channel))
      return std::nullopt;
    const std::optional<double> value = parse_number(mean);
    const std::optional<double> spread = parse_number(deviation);
    if (!value || !spread) return std::nullopt;
    reading.mean = *value;
    reading.deviation = *spread;
    if (reading.unit == kNoUnit) reading.unit.clear();
    zero.readings.push_back(std::move(reading));
  }
  return zero;
}

/// A line per channel: offset, unit, time and person, name.
site_node::RigTare read_tare(const std::string& path) {
  site_node::RigTare tare{{}, path};
  const auto broken = [&path] {
    return std::runtime_error(path +
                              ": the tare cannot be read, and limits would judge other "
                              "values without it; set the file aside, and tare the rig "
                              "again (trestle rig tare)");
  };
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    std::istringstream fields(text);
    std::string value;
    site_node::TareOffset offset;
    std::getline(fields, value, '\t');
    std::getline(fields, offset.unit, '\t');
    std::getline(fields, offset.at, '\t');
    std::getline(fields, offset.channel);
    const std::optional<double> number = parse_number(value);
    if (!number || offset.channel.empty() || tare.find(offset.channel) != nullptr)
      throw broken();
    offset.value = *number;
    tare.offsets.push_back(std::move(offset));
  }
  // Not opened, or not read to its end: not the same as no tare.
  if (!file.eof() && is_there(path)) throw broken();
  return tare;
}

}  // namespace

RigDiaryFile::RigDiaryFile(Settings settings)
    : settings_(std::move(settings)),
      zero_(read_zero(settings_.folder + kZero)),
      tare_(read_tare(settings_.folder + kTare)) {
  if (!settings_.utc_ns) settings_.utc_ns = diary_clock;
  std::ifstream diary(settings_.folder + kDiary);
  for (std::string line; std::getline(diary, line);) lines_.push_back(std::move(line));
  if (!zero_ && is_there(settings_.folder + kZero)) give_up_zero();
}

/// A site without zero readings shows no drift; that is no reason not to serve.
void RigDiaryFile::give_up_zero() {
  const std::string path = settings_.folder + kZero;
  notice_ = path +
            ": the zero readings cannot be read, and none are in force; the file is " +
            set_unreadable_aside(path) + " now; take them again (trestle rig zero)";
  try {
    keep({"trestle", "start", "rig", notice_});
  } catch (const std::exception& error) {
    notice_ += "; " + std::string(error.what());
  }
}

std::string RigDiaryFile::now() const {
  return utc_text(settings_.utc_ns());
}

void RigDiaryFile::keep(const AuditEntry& act) {
  std::vector<std::string> lines = lines_;
  lines.push_back(now() + "\t" + field(act.who) + "\t" + field(act.from) + "\t" +
                  field(act.text));
  keep_file(settings_.folder + kDiary, joined(lines));
  lines_ = std::move(lines);
}

void RigDiaryFile::begin_motion() {
  if (settings_.on_motion) settings_.on_motion();
}

std::vector<AuditEntry> RigDiaryFile::acts() const {
  std::vector<AuditEntry> acts;
  const std::size_t from = lines_.size() > kMostActs ? lines_.size() - kMostActs : 0;
  if (from > 0) {
    AuditEntry earlier = entry_of(lines_[from - 1]);
    earlier.text = std::to_string(from) + " acts up to " + earlier.text.substr(0, kTime) +
                   " are in " + settings_.folder + kHistory;
    acts.push_back(std::move(earlier));
  }
  for (std::size_t i = from; i < lines_.size(); ++i) acts.push_back(entry_of(lines_[i]));
  return acts;
}

/// The history first: an act that is there twice is better than one that is nowhere.
void RigDiaryFile::hand_over() {
  if (lines_.empty()) return;
  const std::string history = settings_.folder + kHistory;
  std::ifstream before(history);
  std::string text((std::istreambuf_iterator<char>(before)), {});
  for (const std::string& line : lines_) {
    const AuditEntry act = entry_of(line);
    text += act.text + " (" + act.who + ")\n";
  }
  keep_file(history, text);
  move_file(settings_.folder + kDiary, settings_.folder + kRecorded);
  lines_.clear();
}

void RigDiaryFile::keep_zero(const std::string& by,
                             const std::vector<RigReading>& readings) {
  site_node::RigZero zero{now() + " by " + field(by), readings};
  std::string text = zero.at + "\n";
  for (RigReading& each : zero.readings) {
    each.drift.reset();
    text += format_number(each.mean) + " " + format_number(each.deviation) + " " +
            (each.unit.empty() ? kNoUnit : each.unit) + " " + field(each.channel) + "\n";
  }
  keep_file(settings_.folder + kZero, text);
  zero_ = std::move(zero);
}

void RigDiaryFile::keep_tare(const std::string& by,
                             const std::vector<site_node::TareOffset>& offsets) {
  site_node::RigTare tare{offsets, settings_.folder + kTare};
  std::string text;
  for (site_node::TareOffset& each : tare.offsets) {
    if (each.at.empty()) each.at = now() + " by " + field(by);
    // Exactly: a tare in another unit, or of another channel, ends the next start.
    text += format_number(each.value) + "\t" + field(each.unit) + "\t" + each.at + "\t" +
            field(each.channel) + "\n";
  }
  keep_file(tare.file, text);
  tare_ = std::move(tare);
}

std::vector<AuditEntry> acts_in_diary(const std::string& folder) {
  const std::string path = folder + kDiary;
  std::vector<AuditEntry> acts;
  if (!is_there(path)) return acts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) acts.push_back(entry_of(line));
  // Not opened, or not read to its end; a record may have taken it over meanwhile.
  if (!file.eof() && is_there(path))
    throw std::runtime_error(path + ": cannot be read; see to its permissions");
  return acts;
}

}  // namespace trestle::composition
