#include "core/journal/journal_recorder.h"

#include <cmath>
#include <cstdlib>
#include <utility>

namespace trestle {

std::string hexadecimal(const SessionId& session) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : session) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::vector<StepSink*> JournalRecorder::open(
    const SessionId& session, const RecordFacts& facts,
    const std::vector<std::pair<std::string, Channels>>& streams) {
  const std::string id = hexadecimal(session);
  const std::string file =
      settings_.folder + "/" + (settings_.name.empty() ? id : settings_.name) + ".db";
  JournalSettings settings;
  settings.path = file;
  settings.ring_rows = settings_.ring_rows;
  settings.max_pages = settings_.max_pages;
  close();
  writer_.reset();  // a record that cannot be opened leaves none behind
  auto writer = std::make_unique<JournalWriter>(settings);
  writer->set_meta("session", id);
  RecordFacts all = settings_.facts;
  all.insert(all.end(), facts.begin(), facts.end());
  for (const auto& [key, value] : all) {
    writer->set_meta(key, value);
    if (key == "time_step_s") time_step_ = std::strtod(value.c_str(), nullptr);
  }
  std::vector<StepSink*> sinks;
  for (const auto& [name, channels] : streams)
    sinks.push_back(&writer->add_stream(name, channels));
  writer->start();
  writer_ = std::move(writer);
  open_ = true;
  return sinks;
}

void JournalRecorder::event(std::int64_t step, const std::string& kind,
                            const std::string& text) {
  if (!open_) return;
  const double at = static_cast<double>(step < 0 ? 0 : step) * time_step_;
  writer_->event(TimePoint{Duration{std::llround(at * 1e9)}}, settings_.node, kind, text);
}

bool JournalRecorder::make_room(Duration at_most) {
  return !open_ || writer_->make_room(at_most);
}

std::string JournalRecorder::failure() const {
  return writer_ == nullptr ? std::string() : writer_->failure().value_or(std::string());
}

void JournalRecorder::close() {
  if (!open_) return;
  open_ = false;
  writer_->close();
}

}  // namespace trestle
