// Rules about the description of a plug-in, and how it opens and closes.
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "adapters/plugin/conformance/rule_checks.h"

namespace trestle::conformance {
namespace {

constexpr int kReopenings = 30;
constexpr std::size_t kSettled = 10;        // what a library keeps after its first use
constexpr std::size_t kGrowthAllowed = 64;  // [byte] for each opening

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

/// Returns the description of each channel, in order.
std::vector<trestle_channel> all_channels(const trestle_adapter_v1& table,
                                          const RigUnderTest& rig) {
  std::vector<trestle_channel> channels;
  const auto add = [&](std::uint32_t what, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      trestle_channel said{};
      said.size = sizeof(said);
      table.describe_channel(rig.handle(), what, i, &said);
      channels.push_back(said);
    }
  };
  add(TRESTLE_ACTUATOR, rig.is().actuators);
  add(TRESTLE_REACTION, rig.is().reactions);
  add(TRESTLE_AUXILIARY, rig.is().auxiliary_channels);
  return channels;
}

/// Of actuators whose drives are reported: all, or the site takes none of them.
void check_reported_drives(RuleChecks& checks, const RigUnderTest& rig,
                           const std::vector<trestle_channel>& channels) {
  std::string reported;
  std::string missing;
  for (std::uint32_t i = 1; i <= TRESTLE_MOST_ACTUATORS; ++i) {
    const std::string name = "drive_" + std::to_string(i);
    const bool there =
        std::any_of(channels.end() - rig.is().auxiliary_channels, channels.end(),
                    [&](const trestle_channel& channel) { return name == channel.name; });
    if (there && reported.empty()) reported = name;
    if (!there && i <= rig.is().actuators && missing.empty()) missing = name;
  }
  if (reported.empty()) return;
  checks.add("", "reports the drive in force of each actuator",
             missing.empty() ? ""
                             : "it has " + reported + " but no " + missing +
                                   ": the site then takes none of them");
}

/// Refuses a setting with little space for the sentence.
std::string refusal_beyond_its_room(const RuleChecks& checks, const std::string& settings) {
  constexpr char kUntouched = '\x7f';
  for (const std::uint32_t room : {1U, 8U}) {
    std::array<char, 512> why{};
    why.fill(kUntouched);
    void* const rig = checks.table.open(settings.c_str(), why.data(), room);
    if (rig != nullptr) checks.table.close(rig);
    const auto end = why.begin() + static_cast<std::ptrdiff_t>(room);
    if (std::any_of(end, why.end(), [](char c) { return c != kUntouched; }))
      return "its sentence goes beyond the " + std::to_string(room) + " bytes of `why`";
  }
  return {};
}

}  // namespace

void check_description(RuleChecks& checks) {
  const char* const what = "says the same of its rig at every call";
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  trestle_rig_capabilities first = rig.is();
  const std::string unready = rig.prepare(checks.tick, 1);
  checks.add("R4", "is ready for a run after describe",
             unready.empty() ? "" : "prepare: " + unready);
  trestle_rig_capabilities again{};
  again.size = sizeof(again);
  const std::vector<trestle_channel> channels = all_channels(checks.table, rig);
  rig.read(0);
  checks.table.describe(rig.handle(), &again);
  std::string broken;
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): without gaps, and zero before
  if (std::memcmp(&first, &again, sizeof(first)) != 0)
    broken = "it says something else after prepare";
  const std::vector<trestle_channel> later = all_channels(checks.table, rig);
  if (std::memcmp(channels.data(), later.data(),
                  channels.size() * sizeof(trestle_channel)) != 0)
    broken = "it says something else of a channel after a read";
  for (const trestle_channel& channel : channels)
    if (channel.rotates > 1 || channel.size != sizeof(channel) ||
        std::any_of(std::begin(channel.reserved), std::end(channel.reserved),
                    [](std::uint8_t byte) { return byte != 0; }))
      broken =
          "of a channel: `rotates` is neither 0 nor 1, or `size` or the reserved "
          "bytes were changed";
  for (const std::uint8_t byte : first.reserved)
    if (byte != 0) broken = "reserved bytes are not zero";
  checks.add("R5", what, broken,
             std::to_string(first.actuators) + " actuators, " +
                 std::to_string(first.auxiliary_channels) + " auxiliary channels, " +
                 (first.real_equipment != 0 ? "real equipment" : "simulated") +
                 (first.hardware_watchdog != 0 ? ", hardware watchdog" : ""));
  check_reported_drives(checks, rig, channels);
}

void check_refusal(RuleChecks& checks) {
  const std::string settings = checks.settings.settings + "no_setting_of_yours: 1\n";
  const RigUnderTest rig(checks.table, settings, checks.clock);
  std::string broken;
  if (rig.opened())
    broken = "it opened with the setting no_setting_of_yours: 1";
  else if (rig.why().empty())
    broken = "it refused an unknown setting without a word";
  else if (!rig.why().starts_with("no_setting_of_yours: "))
    broken =
        "its sentence does not begin with the setting, `no_setting_of_yours: `, but: " +
        rig.why();
  else
    broken = refusal_beyond_its_room(checks, settings);
  checks.add("R8", "refuses settings that it does not know, and says so", broken,
             rig.why());
}

void check_reopening(RuleChecks& checks) {
  const auto once = [&] {
    const RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
    return rig.opened();
  };
  std::size_t files = 0;
  std::size_t bytes = 0;
  std::string broken;
  for (std::size_t i = 0; i < kReopenings && broken.empty(); ++i) {
    if (i == kSettled) {
      files = open_files();
      bytes = mallinfo2().uordblks;
    }
    if (!once()) broken = "it did not open again, the time number " + std::to_string(i + 2);
  }
  const std::size_t more = mallinfo2().uordblks - bytes;
  constexpr std::size_t kCounted = kReopenings - kSettled;
  if (broken.empty() && open_files() > files) broken = "each opening leaves a file open";
  if (broken.empty() && mallinfo2().uordblks > bytes && more > kGrowthAllowed * kCounted)
    broken = "each opening leaves " + std::to_string(more / kCounted) + " bytes behind";
  checks.add("R9", "opens and closes again and again, and leaves nothing behind", broken);
}

void check_second_rig(RuleChecks& checks) {
  const char* const what = "two rigs do not know of each other";
  RigUnderTest first(checks.table, checks.settings.settings, checks.clock);
  RigUnderTest second(checks.table, checks.settings.settings, checks.clock);
  if (!second.opened()) {
    checks.add("R2", "a second rig opens, or is refused with a word",
               second.why().empty() ? "refused without a word" : "", second.why());
    return;
  }
  if (checks.real) return checks.leave("R2", what, "real equipment is not driven here");
  first.prepare(checks.tick, 1);
  second.prepare(checks.tick, 1);
  first.read(0);
  second.read(0);
  const std::vector<double> before = second.numbers();
  for (int n = 1; n < checks.settings.ticks; ++n) {
    first.write(checks.drive(first, n));
    first.read(checks.time_of(n));
  }
  RigUnderTest third(checks.table, checks.settings.settings, checks.clock);
  third.prepare(checks.tick, 1);
  third.read(0);
  second.read(checks.time_of(1));
  third.read(checks.time_of(1));
  checks.add("R2", what,
             second.numbers() == third.numbers()
                 ? ""
                 : "what the first was driven to shows in the second");
}

}  // namespace trestle::conformance
