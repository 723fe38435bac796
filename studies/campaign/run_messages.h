#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "studies/campaign/campaign_store.h"

namespace trestle::campaign {

/// What the ranks of a campaign say to each other: the first byte of a message. Behind it
/// stands what the comment says.
enum class MessageKind : char {
  // Rank 0 to all others.
  kIdentity = 'i',  ///< of the campaign: texts in pairs
  kLimits = 'l',    ///< from which targets a run is unstable: numbers
  kTask = 't',      ///< runs
  kStop = 's',      ///< how long runs that have begun may take to end [ms]
  kEnd = 'z',  ///< 1: no rank is missing, so MPI can end in order; 0: it would wait for one
  // The others to rank 0.
  kReady = 'r',      ///< of the same campaign
  kRefused = 'x',    ///< a sentence and a host
  kAsk = 'a',        ///< for a task; number of threads
  kResult = 'd',     ///< a run that is over
  kFailed = 'f',     ///< a run that threw, a sentence and a host
  kStopAsked = 'e',  ///< a signal came
  kGone = 'g',       ///< nothing more will come
  kAlive = '.',      ///< both ways
};

MessageKind message_kind(std::string_view message);

/// Writes a message, from its kind on.
class RankMessageWriter {
 public:
  explicit RankMessageWriter(MessageKind kind) : bytes_(1, static_cast<char>(kind)) {}

  RankMessageWriter& whole(std::int64_t value);
  RankMessageWriter& number(double value);  ///< all its bits
  RankMessageWriter& text(std::string_view value);
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads it. Every verb throws std::runtime_error where a message is too short.
class RankMessageReader {
 public:
  explicit RankMessageReader(std::string_view message) : rest_(message.substr(1)) {}

  std::int64_t whole();
  double number();
  std::string text();
  bool at_end() const noexcept { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::string identity_message(const CampaignIdentity& identity);
CampaignIdentity read_identity(std::string_view message);
std::string limits_message(const std::vector<double>& limits);
std::vector<double> read_limits(std::string_view message);
std::string task_message(const std::vector<std::int64_t>& runs);
std::vector<std::int64_t> read_task(std::string_view message);

/// Results of one rank: each name travels once, then its number.
class ResultWriter {
 public:
  std::string write(const FinishedRun& run);

 private:
  std::map<std::string, std::int64_t> names_;
};

/// The other end of one ResultWriter, which reads every message of it in their order.
class ResultReader {
 public:
  FinishedRun read(std::string_view message);

 private:
  std::vector<std::string> names_;
};

}  // namespace trestle::campaign
