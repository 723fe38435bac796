#include "observe/web/live_client.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/journal/extent_builder.h"
#include "observe/web/record_json.h"

namespace trestle::web {
namespace {

using Message = nlohmann::json;

constexpr double kMessagesPerSecond = 40.0;
constexpr double kMostMessages = 80.0;  // at once
constexpr std::size_t kMostFollowing = 4;
constexpr std::size_t kMostFixed = 8;
constexpr std::size_t kMostReplies = 16;
constexpr double kBetweenFrames = 0.04;              // of one that follows [s]
constexpr double kBetweenStandings = 0.25;           // [s]
constexpr double kLongestSilence = 1.0;              // [s]
constexpr std::int64_t kLargestFrame = 500'000;      // [bytes]; each stalled page holds one
constexpr std::int64_t kMostValuesRead = 4'000'000;  // for one frame
constexpr std::size_t kLongestText = 300;            // of a reason [bytes]

std::string dumped_message(const Message& message) {
  return message.dump(-1, ' ', false, Message::error_handler_t::replace);
}

/// Buckets that are long enough are made of whole extents of the journal: then a record of
/// hours is shown without reading its rows.
std::int64_t whole_extents(std::int64_t per) {
  const auto to_multiple = [per](std::int64_t rows) {
    return (per + rows - 1) / rows * rows;
  };
  for (auto rows = journal::kExtentRows.rbegin(); rows != journal::kExtentRows.rend();
       ++rows)
    if (per * 2 >= *rows) return to_multiple(*rows);
  return per;
}

/// The text of a person: control characters become blanks.
std::string plain_words(std::string text) {
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < ' ' || letter == 127) letter = ' ';
  return text;
}

}  // namespace

LiveClient::LiveClient(Settings settings, WatchedRecords& records, NodeLink& node)
    : settings_(std::move(settings)),
      records_(records),
      node_(node),
      budget_(kMostMessages) {
  for (std::size_t i = 0; i < std::min(records_.size(), told_.size()); ++i) {
    // The page asks for the events before now by itself.
    if (!records_[i]->events().empty()) told_[i].event = records_[i]->events().back().id;
    told_[i].gaps = records_[i]->gaps().size();
  }
}

bool LiveClient::has_budget(double now) {
  budget_ = std::min(kMostMessages, budget_ + (now - budget_at_) * kMessagesPerSecond);
  budget_at_ = now;
  budget_ -= 1.0;
  return budget_ >= 0.0;
}

std::string LiveClient::take(std::string_view text, double now) {
  if (dismissed_) return "the token of this page holds no more";
  const Message message = Message::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object() || !message.contains("type") || !message["type"].is_string())
    return "a message is no JSON object with a `type`";
  const std::string type = message["type"].get<std::string>();
  if (type == "ack" && in_flight_) {
    in_flight_ = false;
    return {};
  }
  if (!has_budget(now)) return "more than 40 messages a second";
  if (type == "subscribe") return take_subscription(message);
  if (type == "unsubscribe") {
    const Message id = message.value("id", Message());
    if (id.is_number_unsigned())
      std::erase_if(wanted_, [&](const Wanted& wanted) {
        return wanted.asked.id == id.get<std::uint64_t>();
      });
    return {};
  }
  if (type == "hold" || type == "stop" || type == "note")
    return take_command(message, type);
  return {};  // a newer page may say more than this server knows
}

bool LiveClient::may(const std::string& verb) const {
  return settings_.visitor.role == Role::kOperator &&
         std::find(settings_.allow.begin(), settings_.allow.end(), verb) !=
             settings_.allow.end();
}

std::string LiveClient::take_command(const Message& message, const std::string& verb) {
  if (!may(verb)) {
    tell({settings_.number, verb, "this page may not " + verb});
    return {};
  }
  const Message text = message.value("text", Message(""));
  if (!text.is_string()) return "`text` is no text";
  // Refused, not cut: what a person writes down is kept as a whole or not at all.
  if (const std::size_t size = text.get_ref<const std::string&>().size();
      size > kLongestText) {
    tell({settings_.number, verb,
          "the text has " + std::to_string(size) + " bytes; at most " +
              std::to_string(kLongestText) + ": shorten it, and send it again"});
    return {};
  }
  const Message time = message.value("time_s", Message());
  node_.command(
      {.client = settings_.number,
       .verb = verb,
       .text = plain_words(text.get<std::string>()) + " (page " + settings_.address + ")",
       .person = settings_.visitor.person,
       .time = time.is_number() ? time.get<double>() : -1.0});
  return {};
}

std::string LiveClient::take_subscription(const Message& message) {
  Result<Subscription> read = read_subscription(message);
  if (!read) return read.error().detail;
  Wanted wanted{.asked = read.value(), .columns = {}};
  wanted.next = wanted.asked.from;
  std::erase_if(wanted_,
                [&](const Wanted& one) { return one.asked.id == wanted.asked.id; });
  const auto of_kind =
      std::count_if(wanted_.begin(), wanted_.end(), [&](const Wanted& one) {
        return one.asked.to.has_value() == wanted.asked.to.has_value() &&
               one.asked.record == wanted.asked.record;
      });
  if (static_cast<std::size_t>(of_kind) >= (wanted.asked.to ? kMostFixed : kMostFollowing))
    return "too many subscriptions at once";
  wanted_.push_back(std::move(wanted));
  return {};
}

void LiveClient::tell(const CommandOutcome& outcome) {
  if (replies_.size() < kMostReplies)
    replies_.push_back(dumped_message(
        {{"type", "done"}, {"verb", outcome.verb}, {"problem", outcome.problem}}));
}

std::string LiveClient::hello() const {
  std::vector<std::string> allow;
  if (settings_.visitor.role == Role::kOperator) allow = settings_.allow;
  return dumped_message({{"type", "hello"},
                         {"role", name(settings_.visitor.role)},
                         {"allow", allow},
                         {"who", settings_.visitor.person},
                         {"records", records_.size()}});
}

std::optional<std::string> LiveClient::next_text(double now, std::int64_t utc_ms) {
  if (!std::exchange(greeted_, true)) return hello();
  if (!replies_.empty()) {
    std::string reply = std::move(replies_.front());
    replies_.pop_front();
    return reply;
  }
  for (std::size_t i = 0; i < std::min(records_.size(), told_.size()); ++i) {
    const WatchedRecord& record = *records_[i];
    Told& told = told_[i];
    for (const NumberedEvent& event : record.events())
      if (event.id > told.event) {
        told.event = event.id;
        return event_message(event, i);
      }
    if (told.gaps < record.gaps().size()) return gap_message(record.gaps()[told.gaps++], i);
    const double silent = now - told.standing;
    const bool changed =
        record.view().steps_done != told.steps || record.state() != told.state;
    if (told.standing >= 0.0 && silent < (changed ? kBetweenStandings : kLongestSilence))
      continue;
    told.standing = now;
    told.steps = record.view().steps_done;
    told.state = record.state();
    return standing_json(record, i, utc_ms);
  }
  return std::nullopt;
}

std::optional<std::string> LiveClient::next_frame(double now) {
  if (in_flight_ || wanted_.empty()) return std::nullopt;
  // In turn: none waits while another has always something new.
  std::vector<std::size_t> order(wanted_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return wanted_[a].sent < wanted_[b].sent;
  });
  for (const std::size_t i : order) {
    Wanted& wanted = wanted_[i];
    if (now < wanted.due) continue;
    bool finished = false;
    std::optional<std::string> frame;
    try {
      frame = frame_of(wanted, finished);
    } catch (const std::runtime_error&) {
      continue;  // the record cannot be read at this instant; the standing says why
    }
    wanted.sent = now;
    // The rest of a range is there already: only the acknowledgement has to come.
    wanted.due = frame && wanted.asked.to ? now : now + kBetweenFrames;
    if (finished) wanted_.erase(wanted_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!frame) {
      if (finished) return std::nullopt;
      continue;
    }
    in_flight_ = true;
    return frame;
  }
  return std::nullopt;
}

bool LiveClient::find_columns(Wanted& wanted) const {
  const Channels& channels =
      records_[wanted.asked.record]->journal()->channels(wanted.asked.stream);
  for (const std::string& name : wanted.asked.channels) {
    const auto found =
        std::find_if(channels.begin(), channels.end(),
                     [&](const Channel& channel) { return channel.name == name; });
    if (found == channels.end()) return false;
    wanted.columns.push_back(static_cast<std::size_t>(found - channels.begin()));
  }
  return true;
}

std::optional<std::string> LiveClient::frame_of(Wanted& wanted, bool& finished) {
  Subscription& asked = wanted.asked;
  if (asked.record >= records_.size()) return finished = true, std::nullopt;
  WatchedRecord& record = *records_[asked.record];
  const RowStore* const store = record.rows(asked.stream);
  if (store == nullptr || !store->newest()) return std::nullopt;  // not yet
  if (wanted.columns.empty()) {
    if (!find_columns(wanted)) return finished = true, std::nullopt;
    const std::int64_t last =
        asked.to ? std::min(*asked.to, *store->newest()) : *store->newest();
    const std::int64_t rows = std::max<std::int64_t>(last - asked.from + 1, 1);
    asked.rows_per_bucket = static_cast<std::uint32_t>(whole_extents(std::max<std::int64_t>(
        asked.rows_per_bucket, (rows + asked.points - 1) / asked.points)));
    // A bucket is made of whole extents; before row 0 there may be one.
    if (const std::int64_t extent = RowStore::extent_rows(asked.rows_per_bucket);
        extent > 0)
      wanted.next -= (wanted.next % extent + extent) % extent;
    if (asked.to) wanted.end = last + 1;
  }
  const std::int64_t per = asked.rows_per_bucket;
  const std::int64_t end = wanted.end.value_or(*store->newest() + 1);
  const auto width = static_cast<std::int64_t>(wanted.columns.size());
  const auto row_width =
      static_cast<std::int64_t>(record.journal()->channels(asked.stream).size()) + 1;
  const bool by_extents = RowStore::extent_rows(per) > 0;
  const std::int64_t most =
      std::min({std::int64_t{Subscription::kMostPoints}, kLargestFrame / (width * 16),
                by_extents ? std::int64_t{Subscription::kMostPoints}
                           : std::max<std::int64_t>(kMostValuesRead / row_width / per, 1)});
  BucketFrame frame({asked.id, wanted.columns, wanted.next, static_cast<std::uint32_t>(per),
                     asked.reduce});
  const std::int64_t until = std::min(end, wanted.next + most * per);
  if (until <= wanted.next)
    return finished = asked.to.has_value(), std::optional<std::string>();
  // Nothing is read for a bucket that is not whole yet.
  const bool shows_rest = asked.to || record.is_quiet();
  if (until - wanted.next < per && (!shows_rest || wanted.shown >= until))
    return std::nullopt;
  const std::int64_t reached =
      by_extents ? store->reduce(wanted.next, until - 1, per, kMostValuesRead, frame)
                 : store->visit(wanted.next, until - 1,
                                [&](const RecordRow& row) { frame.add(row); });
  std::int64_t count = (reached - wanted.next) / per;
  const std::int64_t whole = count;
  if (shows_rest && reached == end && reached > wanted.next + count * per &&
      wanted.shown < reached)
    ++count, wanted.shown = reached;
  if (count == 0) return std::nullopt;
  std::string bytes = frame.bytes(static_cast<std::uint32_t>(count));
  wanted.next += whole * per;
  finished = asked.to && reached >= end;
  return bytes;
}

}  // namespace trestle::web
