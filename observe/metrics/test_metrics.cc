#include "observe/metrics/test_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/number_text.h"
#include "observe/metrics/prometheus_text.h"

namespace trestle::metrics {
namespace {

// Bounded sets: a new text of a state does not make a new series beside these.
constexpr std::array<const char*, 5> kNamedStates{"CONNECTING", "RUNNING", "HOLDING",
                                                  "FAULT", "STOPPED"};

/// A label cannot be "energy error" and "energy_error" in two places.
std::string limit_label(live::LimitKind kind) {
  std::string label = live::name(kind);
  std::replace(label.begin(), label.end(), ' ', '_');
  return label;
}

void add_state(PrometheusText& text, const std::string& node, const std::string& state) {
  bool named = false;
  for (const char* const each : kNamedStates) {
    named = named || state == each;
    text.sample({{"node", node}, {"state", each}}, state == each ? 1.0 : 0.0);
  }
  if (!named && !state.empty()) text.sample({{"node", node}, {"state", state}}, 1.0);
}

void add_nodes(PrometheusText& text, const live::TestView& view, const TestMetrics& facts) {
  text.family("trestle_node_up", "gauge",
              "Whether the process of the node answers (1) or not (0).");
  // A record that came to its end, or was left held, needs no process.
  if (!view.node.empty() && (view.served || !(view.ended || view.held)))
    text.sample({{"node", view.node}}, view.served ? 1.0 : 0.0);
  text.family("trestle_node_state", "gauge",
              "State of a node; 1 for the one that it is in.");
  if (!view.node.empty()) add_state(text, view.node, facts.state);
  for (const PeerStatus& peer : view.status.peers) add_state(text, peer.name, peer.state);
  text.family("trestle_peer_heard_seconds", "gauge", "Since when a peer was last heard.");
  for (const PeerStatus& peer : view.status.peers)
    if (peer.heard >= 0.0) text.sample({{"site", peer.name}}, peer.heard);
  text.family("trestle_wait_seconds", "gauge",
              "Since when a node waits; absent where it does not.");
  std::map<std::string, double> waits;  // it may wait twice for the same
  for (const PendingWait& wait : view.status.waits) {
    // "site east (tcp://lab-east:7001)": the name alone is a label.
    double& since = waits[wait.whom.substr(0, wait.whom.find(" ("))];
    since = std::max(since, wait.since);
  }
  for (const auto& [whom, since] : waits)
    text.sample({{"node", view.node}, {"whom", whom}}, since);
}

void add_progress(PrometheusText& text, const live::TestView& view,
                  const TestMetrics& facts) {
  text.family("trestle_steps_total", "counter", "Steps done.");
  text.sample({}, static_cast<double>(view.steps_done));
  text.family("trestle_steps_planned", "gauge", "Steps of the whole test.");
  if (view.steps_planned > 0) text.sample({}, static_cast<double>(view.steps_planned));
  text.family("trestle_test_time_seconds", "gauge", "Time of the test.");
  text.sample({}, view.time());
  text.family("trestle_holds_total", "counter", "Times that the test held.");
  text.sample({}, static_cast<double>(facts.holds));
}

void add_actuators(PrometheusText& text, const live::TestView& view,
                   const TestMetrics& facts) {
  text.family("trestle_limit_used_ratio", "gauge",
              "Used of a limit since the last scrape, highest; 1 is the limit.");
  for (std::size_t i = 0; i < view.actuators.size() && i < facts.highest.size(); ++i)
    for (std::size_t kind = 0; kind < live::kLimitKinds; ++kind) {
      const live::UsedLimit& used = facts.highest[i][kind];
      if (!std::isfinite(used.limit)) continue;
      text.sample({{"site", view.actuators[i].site},
                   {"actuator", view.actuators[i].name},
                   {"limit", limit_label(static_cast<live::LimitKind>(kind))}},
                  used.ratio());
    }
  text.family("trestle_delay_seconds", "gauge",
              "Delay of measured behind target, over the last seconds.");
  for (const live::ActuatorView& each : view.actuators)
    text.sample({{"site", each.site}, {"actuator", each.name}}, each.delay);
  text.family("trestle_delay_margin_seconds", "gauge",
              "Further delay at which the loop was computed to turn unstable.");
  for (const live::ActuatorView& each : view.actuators)
    text.sample({{"site", each.site}, {"actuator", each.name}}, each.margin);
  text.family("trestle_tracking_nrmse_ratio", "gauge",
              "Tracking error, rms over rms of the target, over the last seconds.");
  for (const live::ActuatorView& each : view.actuators)
    text.sample({{"site", each.site}, {"actuator", each.name}}, each.error);
}

void add_ledger(PrometheusText& text, const TestMetrics& facts) {
  text.family("trestle_clock_bound_seconds", "gauge", "How wrong a site's clock may be.");
  for (const live::SiteAccounts& site : facts.accounts)
    text.sample({{"site", site.site}}, site.clock_bound);
  text.family("trestle_step_account_seconds", "histogram",
              "Where the time of steps goes, an account of the ledger.");
  for (const live::SiteAccounts& site : facts.accounts)
    for (const live::AccountTimes& account : site.accounts)
      text.histogram({{"site", site.site}, {"account", account.name}},
                     live::AccountTimes::kEnds, account.counts, account.sum);
  text.family("trestle_misses_total", "counter",
              "Answers of a site that were not there when due.");
  for (const live::SiteAccounts& site : facts.accounts)
    text.sample({{"site", site.site}, {"what", "answer"}},
                static_cast<double>(site.missed));
}

void add_record(PrometheusText& text, const live::TestView& view,
                const TestMetrics& facts) {
  text.family("trestle_journal_behind_rows", "gauge", "Rows pushed and not yet committed.");
  for (const auto& [stream, rows] : facts.rows_behind)
    text.sample({{"node", view.node}, {"stream", stream}}, static_cast<double>(rows));
  text.family("trestle_journal_lost_rows_total", "counter", "Rows that found no room.");
  if (!view.node.empty())
    text.sample({{"node", view.node}}, parse_number(facts.lost_rows).value_or(0.0));
  text.family("trestle_disk_free_bytes", "gauge", "Room on the disk of the record.");
  text.sample({}, facts.disk_free);
  text.family("trestle_watch_clients", "gauge", "Pages that watch.");
  text.sample({{"role", "viewer"}}, facts.viewers);
  text.sample({{"role", "operator"}}, facts.operators);
}

}  // namespace

std::string metrics_text(const live::TestView& view, const TestMetrics& facts) {
  PrometheusText text;
  text.family("trestle_build_info", "gauge", "Version of the program; always 1.");
  text.sample({{"version", facts.version}}, 1.0);
  text.family("trestle_run_info", "gauge", "Which test is watched; always 1.");
  if (!view.test.empty())
    text.sample({{"test", view.test}, {"mode", view.mode}, {"session", facts.session}},
                1.0);
  add_nodes(text, view, facts);
  add_progress(text, view, facts);
  add_actuators(text, view, facts);
  add_ledger(text, facts);
  add_record(text, view, facts);
  return text.text();
}

}  // namespace trestle::metrics
