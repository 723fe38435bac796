#pragma once

#include <fstream>
#include <string>

#include "core/ports/record_source.h"

namespace trestle {

/// The journals of one folder, `<session>.db` each, as one file each: what the writer's log
/// still holds is in it.
///
/// The copy that is handed out is made when its first piece is asked for, and stays until
/// another session is asked for.
class JournalSource final : public RecordSource {
 public:
  /// Bytes of one piece, at most.
  static constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;

  explicit JournalSource(std::string folder) : folder_(std::move(folder)) {}
  ~JournalSource() override;
  JournalSource(const JournalSource&) = delete;
  JournalSource& operator=(const JournalSource&) = delete;

  Chunk piece(const Fetch& fetch) override;

 private:
  void open(const SessionId& session);
  void drop() noexcept;

  std::string folder_;
  SessionId session_{};
  std::string copy_;  ///< path of what is handed out; empty: nothing
  std::ifstream file_;
  std::uint64_t total_ = 0;
};

}  // namespace trestle
