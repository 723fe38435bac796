// The integrator's record in a journal: its columns are those of the schema.
#include "numerical/node/run_recorder.h"

#include <gtest/gtest.h>

#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorder.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/numerical/node/run_bench.h"

namespace trestle::integrator_node::run_recorder_test {
namespace {

TEST(RunRecorder, WritesTheColumnsOfItsSchemaIntoTheJournal) {
  testing::RunBench bench;
  const testing::TemporaryFolder folder;
  journal::JournalRecorder::Settings settings;
  settings.folder = folder.path();
  settings.name = "journal";
  journal::JournalRecorder journal(settings);
  RunRecorder record(bench.settings, bench.substructure, journal);
  record.open(bench.peers);
  const RunSchema schema = record.schema();
  const bool keeps_ledger = record.keeps_ledger();
  journal.close();
  const journal::JournalReader reader(folder.file("journal.db"));
  EXPECT_EQ(reader.channels(stream_name::kIntent), schema.intent_channels());
  EXPECT_EQ(reader.channels(stream_name::kResult), schema.result_channels());
  EXPECT_EQ(reader.channels(stream_name::kOpening), schema.opening_channels());
  EXPECT_EQ(reader.channels(stream_name::kAnswer), schema.answer_channels());
  EXPECT_EQ(reader.channels(stream_name::kResult).back().name, "roof.x.disp_m");
  EXPECT_EQ(reader.has_stream(stream_name::kLedger), keeps_ledger);
  EXPECT_EQ(reader.meta(meta_key::kSites), "west,east");
}

}  // namespace
}  // namespace trestle::integrator_node::run_recorder_test
