#include "core/journal/journal_chunk_source.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorder.h"

namespace trestle::journal::journal_source_test {
namespace {

constexpr int kRows = 20000;  // some pieces' worth
const SessionId kSession{7, 8, 9};

class JournalSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "trestle-source-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    JournalRecorder recorder({.folder = folder_,
                              .name = "",
                              .node = "west",
                              .ring_rows = kRows,
                              .max_pages = 0,
                              .facts = {}});
    const std::vector<RowSink*> sinks =
        recorder.open(kSession, {{"test", "frame"}, {"tick_s", "0.001"}},
                      {{"tick", {{"a_m", "m"}, {"b_m", "m"}}}});
    for (int i = 0; i < kRows; ++i) {
      const std::array<double, 2> row{0.5 * i, 0.25 * i};
      ASSERT_TRUE(sinks[0]->push({i, row}));
    }
    recorder.close();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

TEST_F(JournalSourceTest, GivesTheWholeJournalInPieces) {
  const std::string copy = folder_ + "/copy.db";
  {
    JournalChunkSource source(folder_);
    std::ofstream file(copy, std::ios::binary);
    std::uint64_t offset = 0;
    std::uint64_t total = 1;
    int pieces = 0;
    for (; offset < total; ++pieces) {
      const RecordChunk chunk = source.read_chunk({kSession, offset});
      ASSERT_EQ(chunk.problem, "");
      ASSERT_EQ(source.read_chunk({kSession, offset}).content, chunk.content)
          << "asked again it says the same";
      file << chunk.content;
      offset += chunk.content.size();
      total = chunk.total;
    }
    EXPECT_GT(pieces, 2);
  }
  EXPECT_EQ(JournalReader(copy).row_count("tick"), kRows);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    files += entry.path().extension() == ".sent" ? 1 : 0;
  EXPECT_EQ(files, 0) << "nothing is left behind";
}

TEST_F(JournalSourceTest, SaysWhatItDoesNotHave) {
  JournalChunkSource source(folder_);
  const std::string unknown = source.read_chunk({SessionId{1}, 0}).problem;
  EXPECT_NE(unknown.find("no record of session 01000000"), std::string::npos) << unknown;
  const RecordChunk beyond = source.read_chunk({kSession, std::uint64_t{1} << 40});
  EXPECT_NE(beyond.problem.find("byte 1099511627776 was asked for"), std::string::npos)
      << beyond.problem;
  EXPECT_EQ(source.read_chunk({kSession, 0}).problem, "");
}

}  // namespace
}  // namespace trestle::journal::journal_source_test
