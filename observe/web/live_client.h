#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "observe/web/access.h"
#include "observe/web/node_link.h"
#include "observe/web/subscription.h"
#include "observe/web/watched_record.h"

namespace trestle::web {

/// One page at the WebSocket: what it has asked for, what it may command, and what it is
/// sent next. Holds nothing that grows: texts and frames are made when the connection can
/// take them, so that a page that does not read costs no memory.
///
/// Thread: one at a time.
class LiveClient {
 public:
  struct Settings {
    std::uint64_t number = 0;
    Visitor visitor;
    std::string address;
    std::vector<std::string> allow;  ///< verbs that an operator may give
  };

  LiveClient(Settings settings, WatchedRecords& records, NodeLink& node);

  const Settings& settings() const noexcept { return settings_; }

  /// The key of this visitor holds no more: the connection must end, and nothing that the
  /// page still says is done.
  void dismiss() noexcept { dismissed_ = true; }
  bool dismissed() const noexcept { return dismissed_; }

  /// One text message of the page.
  /// @returns why the connection must be closed; empty: it stays open
  std::string take(std::string_view text, double now);
  void tell(const CommandOutcome& outcome);

  /// The next text message; nothing if there is none now.
  std::optional<std::string> next_text(double now, std::int64_t utc_ms);
  /// The next binary frame; nothing if there is none, or the last one is not acknowledged.
  std::optional<std::string> next_frame(double now);

 private:
  struct Wanted {
    Subscription asked;
    std::vector<std::size_t> columns;
    std::int64_t next = 0;                 // index of the next row to send
    std::int64_t shown = -1;               // rows of an unfinished bucket sent below this
    std::optional<std::int64_t> end = {};  // of a fixed range, once known
    double sent = -1.0;                    // time of the last frame, or of the last try [s]
    double due = -1.0;                     // no frame before [s]
  };

  /// How far this page was told of one record.
  struct Told {
    double standing = -1.0;  // when [s]
    std::string state;
    std::int64_t steps = -1;
    std::int64_t event = 0;  // id of the last one
    std::size_t gaps = 0;
  };

  bool has_budget(double now);
  std::string take_command(const nlohmann::json& message, const std::string& verb);
  std::string take_subscription(const nlohmann::json& message);
  bool may(const std::string& verb) const;
  bool find_columns(Wanted& wanted) const;
  std::optional<std::string> frame_of(Wanted& wanted, bool& finished);
  std::string hello() const;

  Settings settings_;
  WatchedRecords& records_;
  NodeLink& node_;
  bool dismissed_ = false;
  bool greeted_ = false;
  bool in_flight_ = false;  // a frame was sent and is not acknowledged
  double budget_;
  double budget_at_ = 0.0;
  std::vector<Wanted> wanted_;
  std::deque<std::string> replies_;
  std::array<Told, 2> told_;
};

}  // namespace trestle::web
