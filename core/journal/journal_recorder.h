#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/journal/journal_writer.h"
#include "core/ports/recorder.h"

namespace trestle {

/// Keeps a session's record in a journal: one database per session.
class JournalRecorder final : public Recorder {
 public:
  struct Settings {
    std::string folder;  ///< must be there
    std::string name;    ///< of the file, without `.db`; empty: the session's id
    std::string node;    ///< who writes
    std::size_t ring_rows = 16384;
    std::int64_t max_pages = 0;  ///< see JournalSettings
    RecordFacts facts;           ///< added to those of open()
  };

  explicit JournalRecorder(Settings settings) : settings_(std::move(settings)) {}

  std::vector<StepSink*> open(
      const SessionId& session, const RecordFacts& facts,
      const std::vector<std::pair<std::string, Channels>>& streams) override;
  void event(std::int64_t step, const std::string& kind, const std::string& text) override;
  bool make_room(Duration at_most) override;
  bool failed() const noexcept override { return writer_ != nullptr && writer_->failed(); }
  std::string failure() const override;
  void close() override;

 private:
  Settings settings_;
  double time_step_ = 0.0;
  std::unique_ptr<JournalWriter> writer_;
  bool open_ = false;
};

/// 32 hexadecimal digits.
std::string hexadecimal(const SessionId& session);

}  // namespace trestle
