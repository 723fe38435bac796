// A site's record in a journal: its columns are those of the schema, and rows give back
// what they were made of.
#include "site-servers/node/site_recorder.h"

#include <gtest/gtest.h>

#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorder.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::site_node::site_recorder_test {
namespace {

const SessionId kRecorded{7, 8, 9};
const std::vector<ActuatorDescription> kActuators{{"1", DofKind::kTranslation}};

std::unique_ptr<journal::JournalRecorder> recorder_in(
    const testing::TemporaryFolder& folder) {
  journal::JournalRecorder::Settings settings;
  settings.folder = folder.path();
  settings.name = settings.node = "west";
  return std::make_unique<journal::JournalRecorder>(settings);
}

Configure configure() {
  Configure configure;
  configure.session = kRecorded;
  configure.test = "frame";
  configure.mode = "simulated";
  configure.time_step = 0.01;
  configure.ticks_per_step = 10;
  configure.layout = {{.name = "floor.x"}};
  return configure;
}

SiteSchema schema(bool real_equipment) {
  SiteSchema schema("west", configure().layout, kActuators, {{"oil_degC", "degC"}});
  if (real_equipment) schema.add_drives(kActuators);
  return schema;
}

StepResponse response(std::int64_t step, double value) {
  const ActuatorVector one = ActuatorVector::Constant(1, value);
  StepResponse response;
  response.session = kRecorded;
  response.step = step;
  response.measured_at = TimePoint{Duration{1000 * (step + 1)}};
  response.measured = InterfaceVector::Constant(1, value);
  response.force = InterfaceVector::Constant(1, -value);
  response.actuators = {one, one, one, one, one, one};
  return response;
}

TEST(SiteRecorder, WritesTheColumnsOfItsSchemaIntoTheJournal) {
  for (const bool real_equipment : {false, true}) {
    const testing::TemporaryFolder folder;
    const auto journal = recorder_in(folder);
    SiteRecorder record(journal->recording());
    const SiteSchema kept = schema(real_equipment);
    record.open(configure(), kept, "as agreed", "1.0");
    EXPECT_EQ(record.drives() != nullptr, real_equipment);
    record.close();
    const journal::JournalReader reader(folder.file("west.db"));
    EXPECT_EQ(reader.channels(stream_name::kIntent), kept.target.channels());
    EXPECT_EQ(reader.channels(stream_name::kResult), kept.step.channels());
    EXPECT_EQ(reader.channels(stream_name::kClosing), kept.closing.channels());
    EXPECT_EQ(reader.channels(stream_name::kTick), kept.tick.channels());
    ASSERT_EQ(reader.has_stream(stream_name::kDrive), real_equipment);
    if (kept.drive) {
      EXPECT_EQ(reader.channels(stream_name::kDrive), kept.drive->channels());
    }
  }
}

TEST(SiteRecorder, GivesBackTheResponseToAStep) {
  const testing::TemporaryFolder folder;
  const auto journal = recorder_in(folder);
  SiteRecorder record(journal->recording());
  record.open(configure(), schema(false), "as agreed", "1.0");
  StepCommand command;
  command.step = 3;
  command.target.displacement = InterfaceVector::Constant(1, 0.5);
  EXPECT_TRUE(record.intent(command));
  const StepResponse whole = response(3, 0.25);
  EXPECT_TRUE(record.result(whole, 40));
  StepResponse read;
  ASSERT_TRUE(record.stored(3, read));
  EXPECT_EQ(read.measured_at, whole.measured_at);
  EXPECT_EQ(read.measured, whole.measured);
  EXPECT_EQ(read.force, whole.force);
  EXPECT_EQ(read.actuators.command, whole.actuators.command);
  EXPECT_EQ(read.actuators.delay, whole.actuators.delay);
  EXPECT_FALSE(record.stored(4, read)) << "was not executed";
}

TEST(SiteRecorder, KnowsAfterARestartHowFarRigAndRecordWere) {
  const testing::TemporaryFolder folder;
  {
    const auto journal = recorder_in(folder);
    SiteRecorder record(journal->recording());
    record.open(configure(), schema(true), "as agreed", "1.0");
    record.closing_row(response(kInitialStep, 0.0), 0);
    StepCommand command;
    command.target.displacement = InterfaceVector::Constant(1, 0.5);
    for (command.step = 0; command.step < 2; ++command.step) record.intent(command);
    record.result(response(0, 0.25), 10);
    const ActuatorVector at = ActuatorVector::Constant(1, 0.75);
    EXPECT_TRUE(record.keep_told({at, at, at, at}, 17));
  }
  const auto journal = recorder_in(folder);
  const auto past = SiteRecorder(journal->recording()).find_interrupted_session(false);
  ASSERT_TRUE(past);
  EXPECT_EQ(past->session, kRecorded);
  EXPECT_EQ(past->contract, "as agreed");
  EXPECT_EQ(past->last_step, 0);
  EXPECT_EQ(past->in_doubt, 1);
  EXPECT_EQ(past->ticks, 18) << "of the drives";
  ASSERT_TRUE(past->drive);
  EXPECT_EQ(past->drive->drive[0], 0.75);
}

/// A site that continued behind steps 5 to 8, and was killed before it executed another.
std::optional<InterruptedSession> missed_as(const std::vector<std::string>& names) {
  const testing::TemporaryFolder folder;
  {
    const auto journal = recorder_in(folder);
    SiteRecorder record(journal->recording());
    Configure real_time = configure();
    real_time.mode = "real-time";
    record.open(real_time, schema(true), "as agreed", "1.0");
    record.event(2, "missed", "step 2");
    record.result(response(4, 0.25), 50);
    for (std::int64_t step = 5; step < 9; ++step)
      record.closing_row(response(step, 0.25), 10 * step);
    for (const std::string& name : names) record.event(5, "missed", name);
    record.event(8, "state", "HOLDING");
  }
  const auto journal = recorder_in(folder);
  return SiteRecorder(journal->recording()).find_interrupted_session(false);
}

TEST(SiteRecorder, KnowsAfterARestartWhichMissedStepsAreNamed) {
  using Ranges = std::vector<StepRange>;
  const std::vector<std::pair<std::vector<std::string>, Ranges>> cases{
      {{}, {}},
      {{"steps 5 to 8"}, {{5, 8}}},
      {{"step 5", "step 6", "step 7"}, {{5, 5}, {6, 6}, {7, 7}}},  // an earlier version
      {{"steps 5 to 6", "in other words"}, {{5, 6}}}};
  for (const auto& [names, ranges] : cases) {
    const auto past = missed_as(names);
    ASSERT_TRUE(past);
    EXPECT_EQ(past->last_result, 4);
    EXPECT_EQ(past->last_step, 8) << "the same steps are open, however they are named";
    EXPECT_EQ(past->missed, ranges);
  }
}

/// Counts how often a record is opened again.
class CountingStore final : public RecordStore {
 public:
  explicit CountingStore(RecordStore& store) : store_(store) {}

  std::vector<RowSink*> open(const SessionId& session, const RecordMetadata& facts,
                             const RecordStreams& streams) override {
    return store_.open(session, facts, streams);
  }
  std::vector<RowSink*> resume(const SessionId& session, const RecordStreams& streams,
                               std::span<const std::int64_t> last) override {
    ++resumed;
    return store_.resume(session, streams, last);
  }
  std::unique_ptr<RecordedSession> open_session(const SessionId& session) override {
    return store_.open_session(session);
  }
  std::optional<SessionId> find_interrupted() override { return store_.find_interrupted(); }
  bool is_unfinished(const SessionId& session) override {
    return store_.is_unfinished(session);
  }
  void close() override { store_.close(); }
  std::string closing() const override { return store_.closing(); }

  int resumed = 0;

 private:
  RecordStore& store_;
};

// `clear --drive` of a site that was restarted writes two lines of the audit. Each opening
// waits for the disk several times; on a busy one the operator's answer came too late.
TEST(SiteRecorder, OpensTheRecordOfASessionThatWasCutOffOnceForAllItsAudits) {
  const testing::TemporaryFolder folder;
  {
    const auto journal = recorder_in(folder);
    SiteRecorder record(journal->recording());
    record.open(configure(), schema(true), "as agreed", "1.0");
    record.closing_row(response(kInitialStep, 0.0), 0);
  }
  {
    const auto journal = recorder_in(folder);
    const Recording ports = journal->recording();
    CountingStore store(ports.store);
    SiteRecorder record({store, ports.log, ports.durability, ports.states});
    ASSERT_TRUE(record.find_interrupted_session(false));
    record.audit_after_close({"ada@lab", "operator channel", "override", "the drive"});
    record.audit_after_close({"ada@lab", "operator channel", "cleared", "a fault"});
    EXPECT_EQ(store.resumed, 1);
    // Whoever takes up the session opens it with its streams.
    const auto past = record.find_interrupted_session(false);
    ASSERT_TRUE(past);
    record.reopen(configure(), schema(true), *past, false);
    EXPECT_EQ(store.resumed, 2);
    record.audit_after_close({"ada@lab", "operator channel", "resumed", ""});
    EXPECT_EQ(store.resumed, 2);
  }
  const auto journal = recorder_in(folder);
  SiteRecorder record(journal->recording());
  EXPECT_TRUE(record.find_interrupted_session(false)) << "still unfinished";
  const journal::JournalReader reader(folder.file("west.db"));
  const auto audits = reader.audit();
  ASSERT_EQ(audits.size(), 3U);
  EXPECT_EQ(audits[0].entry.what, "override");
  EXPECT_EQ(audits[1].entry.what, "cleared");
  EXPECT_EQ(audits[2].entry.what, "resumed");
}

TEST(SiteRecorder, FindsNoTestAgainThatWasSetAsideAndRemovesNothingOfIt) {
  const testing::TemporaryFolder folder;
  {
    const auto journal = recorder_in(folder);
    SiteRecorder record(journal->recording());
    record.open(configure(), schema(true), "as agreed", "1.0");
    record.closing_row(response(kInitialStep, 0.0), 0);
    StepCommand command;
    command.target.displacement = InterfaceVector::Constant(1, 0.5);
    command.step = 0;
    record.intent(command);
    record.result(response(0, 0.25), 10);
  }
  {
    const auto journal = recorder_in(folder);
    SiteRecorder record(journal->recording());
    ASSERT_TRUE(record.find_interrupted_session(false));
    record.set_aside(kRecorded,
                     {"ada@lab", "operator channel", "stopped", "set aside at the site"});
    EXPECT_FALSE(record.find_interrupted_session(false));
    EXPECT_FALSE(record.find_interrupted_session(false, kRecorded));
    // A fault that is cleared later must not open it once more.
    record.audit_after_close({"bob@lab", "operator channel", "cleared", "a fault"});
  }
  const auto journal = recorder_in(folder);
  SiteRecorder record(journal->recording());
  EXPECT_FALSE(record.find_interrupted_session(false)) << "by the next process";
  EXPECT_FALSE(record.find_interrupted_session(false, kRecorded));
  const journal::JournalReader reader(folder.file("west.db"));
  EXPECT_TRUE(reader.meta(meta_key::kEnded));
  EXPECT_EQ(reader.row_count(stream_name::kResult), 1);
  const auto audits = reader.audit();
  ASSERT_EQ(audits.size(), 1U);
  EXPECT_EQ(audits[0].entry.who, "ada@lab");
  EXPECT_EQ(audits[0].entry.text, "set aside at the site");
}

}  // namespace
}  // namespace trestle::site_node::site_recorder_test
