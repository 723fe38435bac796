#include "numerical/node/health_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace trestle::integrator_node {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
constexpr Duration kTellEvery = std::chrono::seconds(10);

struct UsedPart {
  double LimitsUsed::*member;
  const char* name;
};
constexpr std::array<UsedPart, 6> kUsedParts{{
    {&LimitsUsed::displacement, "displacement"},
    {&LimitsUsed::rate, "rate"},
    {&LimitsUsed::acceleration, "acceleration"},
    {&LimitsUsed::force, "force"},
    {&LimitsUsed::tracking_error, "tracking_error"},
    {&LimitsUsed::energy_error, "energy_error"},
}};

bool has(const Channels& channels, const std::string& name) {
  return std::any_of(channels.begin(), channels.end(),
                     [&](const Channel& each) { return each.name == name; });
}

std::string load_cell(const std::string& site, std::size_t number) {
  return site + ".load_cell_" + std::to_string(number) + ".force_";
}

/// Load cells of a rig: those that it has reported, at least one per force-only DOF, and
/// those that the record has columns of.
std::size_t load_cells(const SitePeer& peer, std::size_t actuators,
                       const Channels& recorded) {
  // It is away, and there is no agreement with it in this process.
  if (actuators == 0) return 0;
  const InterfaceLayout& layout = peer.agreement.layout;
  std::size_t cells = layout.size() - controlled_dofs(layout);
  const std::size_t reported = peer.words.health().mean.size();
  if (reported > 2 * actuators) cells = std::max(cells, reported - 2 * actuators);
  while (has(recorded, load_cell(peer.name(), cells + 1) + "mean_N")) ++cells;
  return cells;
}

double value_of(const std::vector<double>& values, std::size_t at) noexcept {
  return at < values.size() ? values[at] : kNone;
}

}  // namespace

HealthRows::HealthRows(const SitePeers& peers, const HealthExtent& recorded)
    : channels_(recorded.channels), number_(recorded.last), time_(recorded.time) {
  if (recorded.channels.empty()) channels_.push_back({"time_s", "s"});
  for (const SitePeer& peer : peers) sites_.push_back(columns_of(peer, recorded.channels));
  row_.assign(channels_.size(), kNone);
}

HealthRows::Site HealthRows::columns_of(const SitePeer& peer, const Channels& recorded) {
  const bool fixed = !recorded.empty();
  const std::vector<ActuatorDescription>& actuators = peer.agreement.actuators;
  Site site;
  site.actuators = actuators.size();
  const std::string prefix = peer.name() + ".";
  add(site, {prefix + "step", "1"}, fixed);
  add(site, {prefix + "cycles", "1"}, fixed);
  add(site, {prefix + "overdue_ns", "ns"}, fixed);
  for (const ActuatorDescription& each : actuators)
    for (const UsedPart& part : kUsedParts)
      add(site, {prefix + each.name + "." + part.name + "_used", "1"}, fixed);
  const auto add_transducer = [&](const std::string& name, const char* suffix,
                                  const char* unit) {
    for (const char* const what : {"mean_", "deviation_"})
      add(site, {name + what + suffix, unit}, fixed);
    ++site.transducers;
  };
  for (const ActuatorDescription& each : actuators) {
    const bool turns = each.kind == DofKind::kRotation;
    add_transducer(prefix + each.name + ".displacement_", turns ? "rad" : "m",
                   turns ? "rad" : "m");
  }
  for (const ActuatorDescription& each : actuators) {
    const bool turns = each.kind == DofKind::kRotation;
    add_transducer(prefix + each.name + ".force_", turns ? "Nm" : "N", turns ? "N.m" : "N");
  }
  const std::size_t cells = load_cells(peer, actuators.size(), recorded);
  for (std::size_t cell = 1; cell <= cells; ++cell)
    add_transducer(load_cell(peer.name(), cell), "N", "N");
  for (const Channel& each : peer.agreement.auxiliary)
    add(site, {prefix + "auxiliary." + each.name, each.unit}, fixed);
  site.auxiliary = peer.agreement.auxiliary.size();
  return site;
}

/// A name that is there twice has one column, of the first value.
/// @param fixed  no column is added
void HealthRows::add(Site& site, const Channel& channel, bool fixed) {
  const auto found =
      std::find_if(channels_.begin(), channels_.end(),
                   [&](const Channel& each) { return each.name == channel.name; });
  const auto place = static_cast<std::size_t>(found - channels_.begin());
  const bool taken =
      std::find(site.places.begin(), site.places.end(), place) != site.places.end();
  if (found == channels_.end() && !fixed) {
    site.places.push_back(channels_.size());
    channels_.push_back(channel);
  } else {
    const bool fits =
        fixed && !taken && found != channels_.end() && found->unit == channel.unit;
    site.places.push_back(fits ? place : kNowhere);
  }
}

HealthRows::Verdict HealthRows::heard(std::size_t site, const Health& health,
                                      TimePoint now) noexcept {
  // A site of an older minor version says only that it is there.
  if (sink_ == nullptr || health.state.empty()) return Verdict::kRecorded;
  ++number_;
  if (!zero_) zero_ = now;
  Site& from = sites_[site];
  if (!is_allowed(from, now)) {
    if (from.told && now - *from.told < kTellEvery) return Verdict::kRefused;
    from.told = now;
    return Verdict::kFirstRefused;
  }
  row_[0] = time_ + seconds(now - *zero_);
  pack(from, health);
  const bool kept = sink_->push({number_, row_});
  for (const std::size_t place : from.places)
    if (place != kNowhere) row_[place] = kNone;
  return kept ? Verdict::kRecorded : Verdict::kLost;
}

bool HealthRows::is_allowed(Site& site, TimePoint now) noexcept {
  site.allowance =
      std::min<double>(kPerSecond, site.allowance + kPerSecond * seconds(now - site.heard));
  site.heard = now;
  if (site.allowance < 1.0) return false;
  site.allowance -= 1.0;
  return true;
}

/// A report of another number of actuators than agreed on is not read.
void HealthRows::pack(const Site& site, const Health& health) noexcept {
  std::size_t at = 0;
  const auto put = [&](double value) {
    const std::size_t place = site.places[at++];
    if (place != kNowhere) row_[place] = value;
  };
  put(static_cast<double>(health.step));
  put(static_cast<double>(health.cycles));
  put(static_cast<double>(health.overdue.count()));
  const bool uses = health.used.size() == site.actuators;
  for (std::size_t i = 0; i < site.actuators; ++i)
    for (const UsedPart& part : kUsedParts) put(uses ? health.used[i].*part.member : kNone);
  const bool reads = health.mean.size() >= 2 * site.actuators;
  for (std::size_t i = 0; i < site.transducers; ++i) {
    put(reads ? value_of(health.mean, i) : kNone);
    put(reads ? value_of(health.deviation, i) : kNone);
  }
  const bool besides = health.auxiliary.size() == site.auxiliary;
  for (std::size_t i = 0; i < site.auxiliary; ++i)
    put(besides ? health.auxiliary[i] : kNone);
}

}  // namespace trestle::integrator_node
