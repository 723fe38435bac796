#include "core/record/ledger_columns.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace trestle::record {
namespace {

enum class Whose : std::uint8_t {
  kIntegrator,  ///< always there
  kSite,        ///< only with a response
};
struct Stamp {
  const char* name;
  TimePoint LedgerTimestamps::*time;
  Whose whose;
};

using Stamps = LedgerTimestamps;
constexpr std::array<Stamp, 12> kStamps = {
    {{"i0_ns", &Stamps::begun, Whose::kIntegrator},
     {"i1_ns", &Stamps::ready, Whose::kIntegrator},
     {"ir_ns", &Stamps::recorded, Whose::kIntegrator},
     {"i2_ns", &Stamps::sent, Whose::kIntegrator},
     {"s1_ns", &Stamps::received, Whose::kSite},
     {"s2_ns", &Stamps::started, Whose::kSite},
     {"s3_ns", &Stamps::driven, Whose::kSite},
     {"s4_ns", &Stamps::closed, Whose::kSite},
     {"s5_ns", &Stamps::replied, Whose::kSite},
     {"i3_ns", &Stamps::answered, Whose::kSite},
     {"ij_ns", &Stamps::joined, Whose::kIntegrator},
     {"i4_ns", &Stamps::used, Whose::kIntegrator}}};
constexpr std::size_t kUsed = 11;
constexpr std::size_t kClockBound = kStamps.size();

constexpr std::array<const char*, kStamps.size() + 1> kNames = [] {
  std::array<const char*, kStamps.size() + 1> names{};
  for (std::size_t i = 0; i < kStamps.size(); ++i) names[i] = kStamps[i].name;
  names[kClockBound] = "clock_bound_ns";
  return names;
}();

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Duration nanoseconds(double cell) noexcept {
  return Duration{static_cast<std::int64_t>(cell)};
}

}  // namespace

LedgerColumns::LedgerColumns(const std::string& site, std::size_t first)
    : first_(first), channels_(first) {
  for (const char* name : kNames) channels_.add({site + "." + name, "ns"});
}

std::span<const char* const> LedgerColumns::names() noexcept {
  return kNames;
}

Duration LedgerColumns::end_of(std::span<const double> row) noexcept {
  return row.size() > kUsed ? nanoseconds(row[kUsed]) : Duration::zero();
}

void LedgerColumns::pack(const LedgerTimestamps& stamps, TimePoint zero,
                         std::span<double> row) const noexcept {
  for (std::size_t i = 0; i < kStamps.size(); ++i) {
    const Stamp& stamp = kStamps[i];
    const bool known = stamp.whose == Whose::kIntegrator || stamps.in;
    row[first_ + i] =
        known ? static_cast<double>((stamps.*stamp.time - zero).count()) : kNone;
  }
  row[first_ + kClockBound] =
      stamps.in ? static_cast<double>(stamps.clock_bound.count()) : kNone;
}

void LedgerColumns::unpack(std::span<const double> row, TimePoint zero,
                           LedgerTimestamps& stamps) const noexcept {
  stamps = {};
  stamps.in = !std::isnan(row[first_ + kClockBound]);
  for (std::size_t i = 0; i < kStamps.size(); ++i)
    if (kStamps[i].whose == Whose::kIntegrator || stamps.in)
      stamps.*kStamps[i].time = zero + nanoseconds(row[first_ + i]);
  if (stamps.in) stamps.clock_bound = nanoseconds(row[first_ + kClockBound]);
}

}  // namespace trestle::record
