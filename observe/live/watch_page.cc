#include "observe/live/watch_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/shell_word.h"
#include "core/base/twin_notice.h"
#include "core/types/record_names.h"
#include "observe/live/actuator_table.h"
#include "observe/live/actuator_text.h"
#include "observe/live/live_line.h"
#include "observe/live/quantity_text.h"
#include "observe/live/rig_channels.h"
#include "observe/live/strip_chart.h"

namespace trestle::live {
namespace {

constexpr std::size_t kMaxEvents = 5;
constexpr std::size_t kWhyRows = 4;
constexpr const char* kNotKnown = "NOT KNOWN";

template <typename... Values>
std::string printed(const char* format, Values... values) {
  char text[160];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

class Page {
 public:
  Page(const TestFollower& test, const WatchPageState& state, const WatchPageStyle& style)
      : test_(test), view_(test.view()), state_(state), style_(style) {}

  std::vector<ScreenRow> rows(const std::vector<std::string>& why) {
    add_head();
    // Before the test is armed, there is no record: the process alone tells.
    for (const std::string& site : view_.twins.empty() ? view_.status.twins : view_.twins)
      add(twin_notice(site), Emphasis::kAlarm);
    for (const std::string& sentence : why) add_wrapped(sentence);
    add_end_of_record();
    if (!view_.problem.empty()) add_wrapped("The record cannot be read: " + view_.problem);
    if (state_.help) return add_help(), finished();
    const std::vector<ScreenRow> below = peers_and_events();
    add_actuators(below.size());
    add_chart(below.size());
    for (const ScreenRow& row : below) add(row.text, row.emphasis);
    return finished();
  }

 private:
  std::string state_word() const {
    if (!view_.status.state.empty()) return view_.status.state;
    if (view_.ended) return "RECORD, ended";
    if (state_.untold) return kNotKnown;  // a process serves it, and tells nothing
    if (view_.test.empty()) return "RECORD";
    return view_.held ? "HELD" : "CUT OFF";
  }

  Emphasis state_emphasis() const {
    const std::string& state = view_.status.state;
    if (state == "FAULT") return Emphasis::kAlarm;
    if (state == "HOLDING" || state_word() == "HELD") return Emphasis::kWarning;
    if (state_word() == "CUT OFF") return Emphasis::kAlarm;
    if (state_word() == kNotKnown) return Emphasis::kWarning;
    return state == "RUNNING" ? Emphasis::kGood : Emphasis::kStrong;
  }

  void add(const std::string& text, Emphasis emphasis = Emphasis::kNone) {
    rows_.push_back({cut_to_width(text, style_.width), emphasis});
  }

  /// A reason to hold or a fault is told in full.
  bool is_whole() const {
    return !view_.status.reason.empty() || (!view_.served && view_.held.has_value());
  }

  void add_wrapped(const std::string& sentence) {
    const std::size_t indent = style_.width > 12 ? 2 : 0;
    std::size_t count = 0;
    for (const std::string& row : wrap(sentence, style_.width - indent)) {
      add(std::string(indent, ' ') + row, is_whole() ? state_emphasis() : Emphasis::kNone);
      if (++count >= kWhyRows && !is_whole()) break;
    }
  }

  void add_head() {
    const std::string lamp = style_.plain ? "" : mark() + " ";
    std::string name = view_.test.empty() ? "no test" : view_.test;
    if (!view_.mode.empty()) name += ", " + view_.mode;
    std::string time = printed("%.2f s", view_.time());
    if (view_.steps_planned > 0)
      time = printed("%.2f of %.2f s  %.0f %%", view_.time(), view_.end_time(),
                     std::floor(view_.percent()));
    add(join_by_rank({lamp + state_word(), name, view_.test.empty() ? "" : time,
                      remaining_text(view_), pace_text(view_), here()},
                     style_.width),
        state_emphasis());
    // What did not fit beside the name of the test must not be lost.
    if (display_width(rows_.back().text) + 2 < style_.width &&
        rows_.back().text.find(time) != std::string::npos)
      return;
    if (!view_.test.empty() && rows_.back().text.find(time) == std::string::npos)
      add(join_by_rank({"  " + time, remaining_text(view_), pace_text(view_), here()},
                       style_.width));
  }

  std::string here() const {
    return state_.local_time.empty() || !view_.served ? "" : "here " + state_.local_time;
  }

  std::string mark() const {
    if (!view_.served) return "\u25a1";
    if (view_.status.state == "RUNNING") return "\u25b6";
    return view_.status.state == "FAULT" ? "\u2716" : "\u25a0";
  }

  /// What a record tells that no process serves.
  void add_end_of_record() {
    if (view_.served) return;
    if (state_word() == "HELD") {
      add_wrapped(view_.held->sentence());
      add_wrapped(view_.held->help());
    } else if (state_word() == "CUT OFF") {
      add_wrapped("Its process ended without a word.");
      if (view_.node == kIntegratorNode)
        add_wrapped("Resume it: trestle resume " + shell_word(view_.folder));
    }
  }

  bool is_limited() const { return style_.height > 0; }
  std::size_t bottom_rows() const {
    return (style_.keys || !state_.prompt.empty() ? 1U : 0U) +
           (state_.message.empty() ? 0U : 1U);
  }
  /// Rows that are left above the bottom ones and `below` more.
  std::size_t room(std::size_t below) const {
    if (!is_limited()) return 1000;
    const std::size_t used = rows_.size() + below + bottom_rows();
    return used < style_.height ? style_.height - used : 0;
  }

  void add_actuators(std::size_t below) {
    if (view_.actuators.empty()) return;
    const std::size_t chart = is_limited() ? 3 : 0;
    const std::size_t space = std::max<std::size_t>(room(below + chart), 3) - 1;
    const std::size_t count = std::min(space, view_.actuators.size());
    const std::size_t chosen = std::min(state_.actuator, view_.actuators.size() - 1);
    const std::size_t first = chosen < count ? 0 : chosen - count + 1;
    for (const ScreenRow& row : actuator_table(
             view_.actuators, {style_.width, style_.plain, first, count, chosen}))
      rows_.push_back(row);
    if (count < view_.actuators.size())
      add(printed("  actuators %zu to %zu of %zu", first + 1, first + count,
                  view_.actuators.size()),
          Emphasis::kFaint);
  }

  void add_chart(std::size_t below) {
    if (view_.actuators.empty()) return;
    const std::size_t chosen = std::min(state_.actuator, view_.actuators.size() - 1);
    const std::size_t space = room(below);
    if (space < 2) return;
    const std::size_t rows = is_limited() ? std::clamp<std::size_t>(space - 1, 1, 5) : 3;
    const std::size_t width = std::min<std::size_t>(style_.width, 120);
    const double until = view_.time();
    const double from = std::max(until - state_.window_s, 0.0);
    const bool braille = !style_.plain;
    const std::vector<Trace::Extent> columns =
        test_.trace(chosen).columns(from, until, width * (braille ? 2 : 1));
    add(printed("%s measured, %.2f to %.2f s",
                ActuatorText(view_.actuators[chosen]).name().c_str(), from, until),
        Emphasis::kFaint);
    for (const std::string& row : strip_chart(columns, rows, braille)) add(row);
  }

  std::vector<ScreenRow> peers_and_events() const {
    std::vector<ScreenRow> rows;
    for (const PeerStatus& peer : view_.status.peers) {
      const std::string step =
          peer.step < 0 ? "no step" : "step " + std::to_string(peer.step);
      const std::string heard =
          peer.heard < 0.0 ? "never heard" : "heard " + time_text(peer.heard) + " ago";
      const RigChannels channels = rig_channels(peer.readings);
      // Part of the first part: on a narrow screen it is cut at its end, and not left out.
      const std::string name =
          channels.marked.empty() ? peer.name : peer.name + "  " + channels.marked;
      // A state that no message told is not known; that none came is.
      const bool told =
          !peer.state.empty() &&
          (peer.heard >= 0.0 || peer.state == "OFFLINE" || peer.state == "AWAY");
      rows.push_back({join_by_rank({name, told ? peer.state : kNotKnown, step, heard,
                                    channels.text, peer.where},
                                   style_.width),
                      channels.marked.empty() ? Emphasis::kNone : Emphasis::kAlarm});
    }
    const std::size_t events = std::min(
        {view_.events.size(), kMaxEvents, is_limited() ? style_.height / 5 : kMaxEvents});
    for (std::size_t i = view_.events.size() - events; i < view_.events.size(); ++i) {
      const journal::JournalEvent& event = view_.events[i];
      rows.push_back(
          {cut_to_width(printed("%9.2f s ", seconds(event.time.time_since_epoch())) +
                            event.kind + "  " + event.text,
                        style_.width)});
    }
    return rows;
  }

  void add_help() {
    add("");
    for (const char* const line :
         {"1-9    actuator whose course is drawn", "+ -    longer, shorter window",
          "w      whole time that was seen",
          "h      hold the test: asks for a reason first", "?      this page and back",
          "q      leave; the test does not notice", "",
          "late   delay of measured behind target, over the last seconds",
          "error  rms of measured - target over rms of target, the same",
          "limit  highest use since the last look, by the formulas of the safety gate"})
      add(line);
  }

  std::vector<ScreenRow> finished() {
    const std::size_t bottom = bottom_rows();
    if (is_limited()) {
      const std::size_t above = style_.height > bottom ? style_.height - bottom : 0;
      if (rows_.size() > above) rows_.resize(above);
      while (bottom > 0 && rows_.size() < above) rows_.push_back({});
    }
    if (!state_.message.empty()) add(state_.message, Emphasis::kStrong);
    if (!state_.prompt.empty())
      add(state_.prompt, Emphasis::kStrong);
    else if (style_.keys)
      add(join_by_rank({"q leave", "h hold", "n note", "1-9 actuator", "+/- window",
                        "w whole", "? keys"},
                       style_.width),
          Emphasis::kFaint);
    return std::move(rows_);
  }

  const TestFollower& test_;
  const TestView& view_;
  const WatchPageState& state_;
  const WatchPageStyle& style_;
  std::vector<ScreenRow> rows_;
};

}  // namespace

std::vector<ScreenRow> watch_page(const TestFollower& test,
                                  const std::vector<std::string>& why,
                                  const WatchPageState& state,
                                  const WatchPageStyle& style) {
  return Page(test, state, style).rows(why);
}

}  // namespace trestle::live
