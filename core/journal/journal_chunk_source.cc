#include "core/journal/journal_chunk_source.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorder.h"

namespace trestle::journal {
namespace {

namespace fs = std::filesystem;

}  // namespace

JournalChunkSource::~JournalChunkSource() {
  drop();
}

RecordChunk JournalChunkSource::read_chunk(const RecordRequest& fetch) {
  RecordChunk chunk{
      .session = fetch.session, .offset = fetch.offset, .content = {}, .problem = {}};
  try {
    // Asked from the beginning, the record is what it is by now.
    if (fetch.offset == 0 || copy_.empty() || session_ != fetch.session)
      open(fetch.session);
    chunk.total = total_;
    if (fetch.offset > total_)
      throw std::runtime_error("the record of session " + to_hex(fetch.session) + " has " +
                               std::to_string(total_) + " bytes, byte " +
                               std::to_string(fetch.offset) + " was asked for");
    chunk.content.resize(std::min<std::uint64_t>(kPieceBytes, total_ - fetch.offset));
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(fetch.offset));
    file_.read(chunk.content.data(), static_cast<std::streamsize>(chunk.content.size()));
    if (!file_) throw std::runtime_error("cannot read " + copy_);
  } catch (const std::exception& error) {
    chunk.content.clear();
    chunk.problem = error.what();
  }
  return chunk;
}

void JournalChunkSource::open(const SessionId& session) {
  drop();
  const std::string name = to_hex(session);
  const fs::path journal = fs::path(folder_) / (name + ".db");
  if (!fs::exists(journal))
    throw std::runtime_error("it has no record of session " + name + " in " + folder_);
  const std::string copy = (fs::path(folder_) / ("." + name + ".sent")).string();
  fs::remove(copy);
  copy_ = copy;  // whatever happens now, it is removed
  JournalReader(journal.string()).copy_to(copy);
  file_.open(copy, std::ios::binary);
  total_ = fs::file_size(copy);
  session_ = session;
}

void JournalChunkSource::drop() noexcept {
  if (copy_.empty()) return;
  file_.close();
  std::error_code none;
  fs::remove(copy_, none);
  copy_.clear();
}

}  // namespace trestle::journal
