#include "observe/live/rig_channels.h"

#include <cmath>
#include <cstdio>

namespace trestle::live {
namespace {

constexpr double kClosed = 0.5;  // a contact reads 1 if it is closed, 0 if it is open

void append(std::string& text, const std::string& part) {
  text += (text.empty() ? "" : ", ") + part;
}

}  // namespace

RigChannels rig_channels(const std::vector<RigReading>& readings) {
  RigChannels channels;
  std::string values;
  for (const RigReading& each : readings) {
    if (std::isfinite(each.deviation)) continue;
    if (each.unit == "0/1") {
      const bool closed = each.mean >= kClosed;
      if (!std::isfinite(each.mean))
        append(channels.marked, each.channel + " NOT KNOWN");
      else if (closed == each.stops_closed)
        append(channels.marked, each.channel + (closed ? " CLOSED" : " OPEN"));
      else
        append(channels.text, each.channel + (closed ? " closed" : " open"));
      continue;
    }
    char number[32];
    std::snprintf(number, sizeof number, " %.4g ", each.mean);
    append(values, each.channel + number + each.unit);
  }
  if (!values.empty()) append(channels.text, values);
  return channels;
}

}  // namespace trestle::live
