#pragma once

#include <fstream>
#include <string>

#include "core/ports/record_chunk_source.h"

namespace trestle::journal {

/// The journals of one folder, `<session>.db` each, each as one file that includes the rows
/// of the writer's log.
///
/// The copy of a journal is made when its first piece is requested, and stays until another
/// session is requested.
class JournalChunkSource final : public RecordChunkSource {
 public:
  /// Bytes of one piece, at most.
  static constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;

  explicit JournalChunkSource(std::string folder) : folder_(std::move(folder)) {}
  ~JournalChunkSource() override;
  JournalChunkSource(const JournalChunkSource&) = delete;
  JournalChunkSource& operator=(const JournalChunkSource&) = delete;

  RecordChunk read_chunk(const RecordRequest& fetch) override;

 private:
  void open(const SessionId& session);
  void drop() noexcept;

  std::string folder_;
  SessionId session_{};
  std::string copy_;  ///< path of what is handed out; empty: nothing
  std::ifstream file_;
  std::uint64_t total_ = 0;
};

}  // namespace trestle::journal
