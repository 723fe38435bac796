#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/types/audit_entry.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle::rehearsal {

/// The content of one session in a SimulatedDisk. `number` counts the entries pushed to the
/// store, over all sessions, in order: a loss of power removes all entries after one of
/// them.
struct MemorySession {
  struct Stream {
    std::string name;
    Channels channels;
    std::vector<std::int64_t> index;
    std::vector<double> values;  ///< row after row
    std::vector<std::uint64_t> number;

    std::size_t rows() const noexcept { return index.size(); }
    std::span<const double> row(std::size_t at) const noexcept {
      return {values.data() + at * channels.size(), channels.size()};
    }
    void keep_first(std::size_t rows) {
      index.resize(rows);
      number.resize(rows);
      values.resize(rows * channels.size());
    }
  };
  struct State {
    std::int64_t step = 0;
    std::vector<double> values;
    std::uint64_t number = 0;
  };
  struct Event {
    std::int64_t step = 0;
    std::string kind;
    std::string text;
    std::uint64_t number = 0;
  };
  struct Audit {
    AuditEntry entry;
    std::uint64_t number = 0;
  };

  SessionId id{};
  RecordMetadata facts;
  std::vector<Stream> streams;
  std::vector<State> states;  ///< the newest one, and those that power loss may bring back
  std::vector<Event> events;
  std::vector<Audit> audits;
  bool ended = false;

  const Stream* stream(const std::string& name) const noexcept {
    for (const Stream& stream : streams)
      if (stream.name == name) return &stream;
    return nullptr;
  }
};

}  // namespace trestle::rehearsal
