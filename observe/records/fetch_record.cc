#include "observe/records/fetch_record.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/base/output_path.h"
#include "core/session/busy_sentence.h"
#include "observe/records/collect.h"

namespace trestle::records {
namespace {

// Asked again after this long: a question may fall where nobody is connected yet.
constexpr Duration kRequestInterval = std::chrono::milliseconds(200);

std::string text(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g s", seconds(duration));
  return digits;
}

/// The answer to this question among all that arrives.
bool answered(const RecordRequestTarget& record, std::uint64_t offset, Transport& transport,
              ReceivedMessage& incoming) {
  while (transport.receive(incoming)) {
    if (incoming.peer != record.peer || incoming.kind != ReceivedMessage::Kind::kSession)
      continue;
    if (const auto* busy = std::get_if<Busy>(&incoming.session))
      throw SiteTimeout(session::busy_sentence(record.name, record.where, *busy) +
                        "; it hands out no record meanwhile; collect when that is over");
    const auto* chunk = std::get_if<RecordChunk>(&incoming.session);
    if (chunk != nullptr && chunk->session == record.session && chunk->offset == offset)
      return true;
  }
  return false;
}

/// @returns the piece, valid until the next call
const RecordChunk& ask(const RecordRequestTarget& record, std::uint64_t offset,
                       Transport& transport, Clock& clock, ReceivedMessage& incoming) {
  const TimePoint deadline = clock.now() + record.patience;
  TimePoint next_request = clock.now();
  while (!answered(record, offset, transport, incoming)) {
    const TimePoint now = clock.now();
    if (now >= deadline)
      throw SiteTimeout("site " + record.name + " (" + record.where +
                        ") does not hand out its record: no answer within " +
                        text(record.patience) +
                        "; is its server running? Or name the folder that it records to");
    if (now >= next_request) {
      transport.send(record.peer, RecordRequest{record.session, offset});
      next_request = now + kRequestInterval;
    }
    clock.advance_to(std::min(deadline, next_request));
  }
  const RecordChunk& chunk = std::get<RecordChunk>(incoming.session);
  if (!chunk.problem.empty())
    throw std::runtime_error("site " + record.name +
                             " does not hand out its record: " + chunk.problem);
  if (chunk.content.empty() && offset < chunk.total)
    throw std::runtime_error("site " + record.name + " sent an empty piece of its record");
  return chunk;
}

}  // namespace

void fetch_record(const RecordRequestTarget& record, Transport& transport, Clock& clock,
                  const std::string& run_dir,
                  const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  const std::string target =
      (std::filesystem::path(run_dir) / (record.name + ".db")).string();
  const std::string temporary = temporary_path(target);
  ReceivedMessage incoming;
  try {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    std::uint64_t offset = 0;
    std::uint64_t total = 1;
    while (offset < total) {
      const RecordChunk& chunk = ask(record, offset, transport, clock, incoming);
      errno = 0;
      file.write(chunk.content.data(), static_cast<std::streamsize>(chunk.content.size()));
      if (!file) throw std::runtime_error(write_failure(target, errno));
      offset += chunk.content.size();
      total = chunk.total;
      if (progress) progress(offset, total);
    }
    file.close();
    if (!file) throw std::runtime_error(write_failure(target, errno));
    put_record(temporary, target);
  } catch (...) {
    std::error_code none;
    std::filesystem::remove(temporary, none);
    throw;
  }
}

}  // namespace trestle::records
