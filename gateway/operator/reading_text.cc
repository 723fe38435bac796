#include "gateway/operator/reading_text.h"

#include <cmath>
#include <cstdio>

namespace trestle::operators {
namespace {

constexpr const char* kContact = "0/1";
constexpr double kClosed = 0.5;  // a contact reads 1 if it is closed, 0 if it is open

}  // namespace

std::string reading_value_text(double value, const std::string& unit) {
  if (!std::isfinite(value)) return "not a number";
  if (unit == kContact) return value >= kClosed ? "closed" : "open";
  const bool motion = unit == "m" || unit == "rad";
  const bool force = unit == "N" || unit == "N.m";
  const double factor = motion ? 1e3 : force ? 1e-3 : 1.0;
  char text[40];
  std::snprintf(text, sizeof text, "%.5g ", factor * value);
  return text + std::string(motion ? "m" : force ? "k" : "") + unit;
}

std::string contact_mark(double value, const std::string& unit, bool stops_closed) {
  if (unit != kContact || (stops_closed ? value < kClosed : value >= kClosed)) return {};
  return stops_closed ? "NOT OPEN" : "NOT CLOSED";
}

std::string reading_text(const RigReading& reading) {
  std::string text = reading.channel + " " + reading_value_text(reading.mean, reading.unit);
  if (std::isfinite(reading.deviation) && reading.unit != kContact)
    text += " sd " + reading_value_text(reading.deviation, reading.unit);
  return text;
}

std::string readings_text(const std::vector<RigReading>& readings) {
  std::string text;
  for (const RigReading& each : readings)
    text += (text.empty() ? "" : ", ") + reading_text(each);
  return text;
}

}  // namespace trestle::operators
