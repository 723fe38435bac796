#include "studies/campaign/run_messages.h"

#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace trestle::campaign {
namespace {

static_assert(std::endian::native == std::endian::little, "messages are little-endian");

template <typename Value>
void append_value(std::string& bytes, Value value) {
  char raw[sizeof(Value)];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

void require_bytes(std::string_view rest, std::size_t count) {
  if (rest.size() < count)
    throw std::runtime_error(
        "a message of another rank is cut off; do all ranks run the same program?");
}

template <typename Value>
Value take_value(std::string_view& rest) {
  require_bytes(rest, sizeof(Value));
  Value value{};
  std::memcpy(&value, rest.data(), sizeof value);
  rest.remove_prefix(sizeof value);
  return value;
}

}  // namespace

MessageKind message_kind(std::string_view message) {
  return message.empty() ? MessageKind::kAlive : static_cast<MessageKind>(message.front());
}

RankMessageWriter& RankMessageWriter::whole(std::int64_t value) {
  append_value(bytes_, value);
  return *this;
}

RankMessageWriter& RankMessageWriter::number(double value) {
  append_value(bytes_, value);
  return *this;
}

RankMessageWriter& RankMessageWriter::text(std::string_view value) {
  whole(static_cast<std::int64_t>(value.size()));
  bytes_ += value;
  return *this;
}

std::int64_t RankMessageReader::whole() {
  return take_value<std::int64_t>(rest_);
}

double RankMessageReader::number() {
  return take_value<double>(rest_);
}

std::string RankMessageReader::text() {
  const auto size = static_cast<std::size_t>(whole());
  require_bytes(rest_, size);
  std::string text(rest_.substr(0, size));
  rest_.remove_prefix(size);
  return text;
}

std::string identity_message(const CampaignIdentity& identity) {
  RankMessageWriter message(MessageKind::kIdentity);
  for (const auto& [key, value] : identity) message.text(key).text(value);
  return message.take();
}

CampaignIdentity read_identity(std::string_view message) {
  CampaignIdentity identity;
  RankMessageReader reader(message);
  while (!reader.at_end()) {
    std::string key = reader.text();
    identity.emplace_back(std::move(key), reader.text());
  }
  return identity;
}

std::string limits_message(const std::vector<double>& limits) {
  RankMessageWriter message(MessageKind::kLimits);
  for (const double limit : limits) message.number(limit);
  return message.take();
}

std::vector<double> read_limits(std::string_view message) {
  std::vector<double> limits;
  RankMessageReader reader(message);
  while (!reader.at_end()) limits.push_back(reader.number());
  return limits;
}

std::string task_message(const std::vector<std::int64_t>& runs) {
  RankMessageWriter message(MessageKind::kTask);
  for (const std::int64_t run : runs) message.whole(run);
  return message.take();
}

std::vector<std::int64_t> read_task(std::string_view message) {
  std::vector<std::int64_t> runs;
  RankMessageReader reader(message);
  while (!reader.at_end()) runs.push_back(reader.whole());
  return runs;
}

std::string ResultWriter::write(const FinishedRun& run) {
  RankMessageWriter message(MessageKind::kResult);
  message.whole(run.run)
      .whole(static_cast<std::int64_t>(run.outcome))
      .text(run.reason)
      .number(run.wall);
  message.whole(static_cast<std::int64_t>(run.largest_targets.size()));
  for (const double target : run.largest_targets) message.number(target);
  for (const NamedResult& result : run.results) {
    const auto [known, is_new] =
        names_.emplace(result.name, static_cast<std::int64_t>(names_.size()));
    message.whole(known->second);
    if (is_new) message.text(result.name);
    message.number(result.value);
  }
  return message.take();
}

FinishedRun ResultReader::read(std::string_view message) {
  RankMessageReader reader(message);
  FinishedRun run;
  run.run = reader.whole();
  run.outcome = static_cast<RunOutcome>(reader.whole());
  run.reason = reader.text();
  run.wall = reader.number();
  run.largest_targets.resize(static_cast<std::size_t>(reader.whole()));
  for (double& target : run.largest_targets) target = reader.number();
  while (!reader.at_end()) {
    const auto at = static_cast<std::size_t>(reader.whole());
    if (at == names_.size()) names_.push_back(reader.text());
    if (at >= names_.size())
      throw std::runtime_error("a result of another rank has a name that was never sent");
    run.results.push_back({names_[at], reader.number()});
  }
  return run;
}

}  // namespace trestle::campaign
