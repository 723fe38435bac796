// Any bytes as a journal: all of it is read and exported, or refused with one sentence.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "core/journal/journal_reader.h"
#include "observe/export/export_csv.h"
#include "observe/export/export_ledger.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/fuzz/promise.h"

namespace trestle {
namespace {

/// @returns whether it was done; a refusal must be a sentence
template <typename Act>
bool done(Act act) {
  try {
    act();
    return true;
  } catch (const std::runtime_error& error) {
    fuzz::promise(*error.what() != '\0', "a refusal says why");
    return false;
  }
}

void read_all(const std::string& path) {
  const journal::JournalReader journal(path);
  for (const std::string& stream : journal.streams())
    done([&] {
      const std::size_t width = journal.channels(stream).size();
      journal::RowCursor cursor = journal.rows(stream);
      while (const auto row = cursor.next())
        fuzz::promise(row->values.size() == width, "a row has a value for each channel");
      journal.row_count(stream);
    });
  done([&] { journal.events(); });
}

void check(const std::uint8_t* data, std::size_t size) {
  static const testing::TemporaryFolder folder;
  const std::string path = folder.file("journal.db");
  for (const char* rest : {"-wal", "-shm", "-journal"}) std::remove((path + rest).c_str());
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  fuzz::promise(
      file != nullptr && std::fwrite(data, 1, size, file) == size && std::fclose(file) == 0,
      "the fuzzer can write its file");
  if (!done([&] { read_all(path); })) return;
  done([&] {
    exports::export_csv(folder.path(), folder.file("run.csv"), {.ticks = false});
  });
  done([&] {
    exports::export_csv(folder.path(), folder.file("ticks.csv"), {.ticks = true});
  });
  done([&] { exports::export_ledger(folder.path(), folder.file("ledger.csv")); });
}

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::check(data, size);
  return 0;
}
