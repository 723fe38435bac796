#include "observe/report/ledger_table.h"

#include <array>
#include <cstdio>

namespace trestle::report {
namespace {

/// Three digits in the unit that fits: "38.1 us".
std::string time_text(double time) {
  struct Unit {
    double from;
    double factor;
    const char* name;
  };
  constexpr std::array<Unit, 3> kUnits{
      {{1.0, 1.0, "s"}, {1e-3, 1e3, "ms"}, {0.0, 1e6, "us"}}};
  char text[32];
  for (const Unit& unit : kUnits) {
    if (time < unit.from) continue;
    std::snprintf(text, sizeof text, "%.3g %s", time * unit.factor, unit.name);
    return text;
  }
  std::snprintf(text, sizeof text, "%.3g us", time * 1e6);
  return text;
}

std::string line(const std::string& site, const evaluation::DelayComponentReport& account,
                 const std::string& note) {
  char text[200];
  std::snprintf(text, sizeof text, "%-10s %-10s %10s %10s %10s %10s%s\n", site.c_str(),
                account.account.c_str(), time_text(account.p50).c_str(),
                time_text(account.p99).c_str(), time_text(account.p999).c_str(),
                time_text(account.max).c_str(), note.c_str());
  return text;
}

std::string loop_line(const evaluation::SiteReport& site, const RunMetadata& facts) {
  std::string text =
      site.name + std::string(site.name.size() < 10 ? 10 - site.name.size() : 0, ' ') + " ";
  if (facts.mode == "real-time")
    text += std::to_string(site.misses) + " answers missed, " + std::to_string(site.late) +
            " of them late; ";
  if (!site.pace)
    return text + "control loop: not reported, the run did not end at the site\n";
  const TimingStatistics& pace = *site.pace;
  if (facts.mode == "real-time")
    text += std::to_string(pace.missed) + " targets missed at the site; ";
  if (facts.mode == "continuous")
    text += "slowed " + time_text(static_cast<double>(pace.slowed) * site.control_tick) +
            ", held " + time_text(static_cast<double>(pace.held) * site.control_tick) +
            "; ";
  return text + "ticks late p50 " + time_text(seconds(pace.wakeup_latency_p50)) + ", p99 " +
         time_text(seconds(pace.wakeup_latency_p99)) + ", longest " +
         time_text(seconds(pace.wakeup_latency_max)) + ", " +
         std::to_string(pace.overruns) + " overruns\n";
}

}  // namespace

std::string ledger_table(const evaluation::RunReport& report, const RunMetadata& facts) {
  std::string table;
  for (const evaluation::SiteReport& site : report.sites) {
    for (const evaluation::DelayComponentReport& account : site.ledger) {
      if (account.max == 0.0) continue;
      const bool on_the_way = account.account == "uplink" || account.account == "downlink";
      table += line(site.name, account,
                    on_the_way ? "   +- " + time_text(site.clock_bound) + " (clock)" : "");
    }
    if (!site.ledger.empty() && facts.mode != "simulated") table += loop_line(site, facts);
  }
  if (table.empty()) return table;
  char head[120];
  std::snprintf(head, sizeof head, "%-10s %-10s %10s %10s %10s %10s\n", "site", "account",
                "p50", "p99", "p99.9", "max");
  return head + table;
}

}  // namespace trestle::report
