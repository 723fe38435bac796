// Kills a process in the middle of what it does, and looks at what the next one finds.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "core/journal/audit_chain.h"
#include "core/journal/journal_reader.h"
#include "core/journal/record_standing.h"
#include "tests/core/journal/full_disk.h"
#include "tests/core/journal/record_bench.h"

namespace trestle::journal::crash_test {
namespace {

using testing::from_to;
using testing::kSession;
using testing::kStreams;
using testing::sentence_of;
using Bench = testing::RecordBench;

/// What the child has done, in memory that both see.
struct Progress {
  std::atomic<std::int64_t> pushed{0};  // rows whose push() came back with true
  std::atomic<std::int64_t> kept{
      -1};  // step of the last state whose save_state() came back
  std::atomic<std::int64_t> audited{0};  // entries whose audit() came back
};

class SharedProgress {
 public:
  SharedProgress()
      : memory_(::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        progress_(new (memory_) Progress) {}
  ~SharedProgress() { ::munmap(memory_, sizeof(Progress)); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  Progress& operator*() const { return *progress_; }
  Progress* operator->() const { return progress_; }

 private:
  void* memory_;
  Progress* progress_;
};

/// Runs `act` in a child, and kills it when `now` says so, or lets it kill itself.
void kill_when(const std::function<void()>& act, const std::function<bool()>& now) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    act();
    ::_exit(1);
  }
  while (!now() && ::waitpid(child, nullptr, WNOHANG) == 0) continue;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

/// SQLite's file system, which kills the process at one of its writes. For a child only:
/// it is never taken away.
class DeadlyDisk {
 public:
  static void install(int writes) {
    left_ = writes;
    inner_ = sqlite3_vfs_find(nullptr);
    static sqlite3_vfs ours = *inner_;
    ours.zName = "deadly-disk";
    ours.xOpen = open;
    sqlite3_vfs_register(&ours, 1);
  }

 private:
  static int open(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file,
                  int flags, int* out) {
    const int code = inner_->xOpen(inner_, name, file, flags, out);
    if (code != SQLITE_OK || file->pMethods == nullptr) return code;
    write_ = file->pMethods->xWrite;
    // One for each kind of file; kept until the child dies.
    auto* const calls = new sqlite3_io_methods(*file->pMethods);
    calls->xWrite = write;
    file->pMethods = calls;
    return code;
  }
  static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    if (left_-- == 0) ::kill(::getpid(), SIGKILL);
    return write_(file, data, size, at);
  }

  static inline std::atomic<int> left_{0};
  static inline sqlite3_vfs* inner_ = nullptr;
  static inline int (*write_)(sqlite3_file*, const void*, int, sqlite3_int64) = nullptr;
};

class CrashTest : public ::testing::Test {
 protected:
  /// Pushes rows, states, events and acts until it is killed.
  void push_until_killed(JournalRecorder& recorder, RowSink& intent, std::int64_t from) {
    std::vector<double> state(300);
    for (std::int64_t step = from;; ++step) {
      while (!recorder.wait_for_space(std::chrono::milliseconds(1))) continue;
      if (!Bench::push(intent, step)) ::_exit(2);
      progress_->pushed = step + 1;
      state.assign(state.size(), static_cast<double>(step));
      recorder.save_state(step, state);
      progress_->kept = step;
      if (step % 97 == 0) recorder.request_sync();
      if (step % 50 == 0) {
        recorder.event(step, "state", std::to_string(step));
        recorder.audit({"ann", "terminal", "held", std::to_string(step)});
        ++progress_->audited;
      }
    }
  }

  Bench bench_;
  SharedProgress progress_;
};

TEST_F(CrashTest, LosesNoRowWhosePushCameBack) {
  std::mt19937 random(20261122);
  std::int64_t done = 0;
  for (int life = 0; life < 12; ++life) {
    const std::int64_t enough =
        done + std::uniform_int_distribution<std::int64_t>(1, 3000)(random);
    kill_when(
        [&] {
          const auto recorder = bench_.recorder();
          const auto sinks = life == 0
                                 ? recorder->open(kSession, {{"test", "frame"}}, kStreams)
                                 : recorder->resume(kSession, kStreams,
                                                    std::vector<std::int64_t>{done - 1, 0});
          push_until_killed(*recorder, *sinks[0], done);
        },
        [&] { return progress_->pushed >= enough; });
    const std::int64_t pushed = progress_->pushed;
    const std::int64_t kept = progress_->kept;
    ASSERT_GE(pushed, enough);
    if (life % 2 == 0) {
      ASSERT_EQ(bench_.recorder()->find_interrupted(), kSession);
    }
    const auto record = bench_.recorder()->open_session(kSession);
    done = record->last("intent") + 1;
    EXPECT_GE(done, pushed);
    EXPECT_LE(done, pushed + 1) << "the one that was on its way";
    ASSERT_EQ(Bench::intents(*record, 0, done + 10), from_to(0, done)) << "life " << life;
    ASSERT_TRUE(record->state());
    EXPECT_GE(record->state()->step, kept);
    EXPECT_LE(record->state()->step, done - 1);
    EXPECT_EQ(record->state()->values,
              std::vector<double>(300, static_cast<double>(record->state()->step)))
        << "a whole state";
    EXPECT_FALSE(std::filesystem::exists(bench_.ring()));
  }
  EXPECT_EQ(JournalReader(bench_.database()).row_count("intent"), done);
}

// A run that was killed in its beginning is begun again, and nobody is told of a loss of
// power that never was.
TEST_F(CrashTest, KnowsThatNothingWasBegunAtWhicheverWriteTheProcessDied) {
  using Kind = RecordStanding::Kind;
  bool opened = false;
  int writes = 0;
  for (; !opened && writes < 1000; ++writes) {
    const Bench bench;
    auto settings = bench.settings();
    settings.name = "journal";
    progress_->pushed = 0;
    kill_when(
        [&] {
          DeadlyDisk::install(writes);
          JournalRecorder recorder(settings);
          recorder.open(kSession, {{"test", "frame"}}, kStreams);
          progress_->pushed = 1;
          ::_exit(0);
        },
        [] { return false; });
    opened = progress_->pushed == 1;
    const RecordStanding found = standing_of_record(settings.folder);
    EXPECT_TRUE(found.kind == Kind::kNothing || found.kind == Kind::kNotBegun)
        << "write " << writes << ": " << found.why;
  }
  EXPECT_TRUE(opened);
  EXPECT_GT(writes, 20) << "the process died in its beginning";
}

TEST_F(CrashTest, LosesNoEventAndNoAct) {
  kill_when(
      [&] {
        const auto recorder = bench_.recorder();
        const auto sinks = recorder->open(kSession, {}, kStreams);
        push_until_killed(*recorder, *sinks[0], 0);
      },
      [&] { return progress_->audited >= 30; });
  bench_.recorder()->open_session(kSession);
  const AuditVerification verdict = verify_audit(bench_.database());
  EXPECT_EQ(verdict.broken, std::nullopt) << verdict.sentence;
  EXPECT_GE(static_cast<std::int64_t>(verdict.entries.size()), progress_->audited.load());
  const std::vector<JournalEvent> events = JournalReader(bench_.database()).events();
  ASSERT_GE(events.size(), verdict.entries.size());
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(events[i].text, std::to_string(50 * i));
}

/// Numbers of which the last ones cannot be read: copying them is the death of the process,
/// in the middle.
class DeadlyValues {
 public:
  DeadlyValues() {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    auto* const memory = static_cast<std::byte*>(::mmap(
        nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(memory + page, page, PROT_NONE);
    values_ = {reinterpret_cast<double*>(memory + page) - kReadable, 2 * kReadable};
    for (std::size_t i = 0; i < kReadable; ++i) values_[i] = 7.0;
    ::signal(SIGSEGV, SIG_DFL);
  }
  std::span<const double> values() const { return values_; }

  static constexpr std::size_t kReadable = 16;

 private:
  std::span<double> values_;
};

TEST_F(CrashTest, CountsNoRowThatWasHalfPushed) {
  const RecordStreams streams{
      {"tick", Channels(2 * DeadlyValues::kReadable, {"a_m", "m"})}};
  kill_when(
      [&] {
        const auto recorder = bench_.recorder();
        const auto sinks = recorder->open(kSession, {}, streams);
        const std::vector<double> good(2 * DeadlyValues::kReadable, 1.0);
        for (std::int64_t index = 0; index < 5; ++index) sinks[0]->push({index, good});
        sinks[0]->push({5, DeadlyValues().values()});
      },
      [] { return false; });
  EXPECT_EQ(bench_.recorder()->open_session(kSession)->last("tick"), 4);
}

TEST_F(CrashTest, KeepsTheStateBeforeOneThatWasHalfKept) {
  kill_when(
      [&] {
        const auto recorder = bench_.recorder();
        recorder->open(kSession, {}, kStreams);
        const std::vector<double> good(2 * DeadlyValues::kReadable, 1.0);
        for (std::int64_t step = 0; step < 5; ++step) recorder->save_state(step, good);
        recorder->save_state(5, DeadlyValues().values());
      },
      [] { return false; });
  const auto state = bench_.recorder()->open_session(kSession)->state();
  ASSERT_TRUE(state);
  EXPECT_EQ(state->step, 4);
  EXPECT_EQ(state->values, std::vector<double>(2 * DeadlyValues::kReadable, 1.0));
}

/// Leaves ten rows in the ring file, none of them in the database.
void leave_ten(const Bench& bench) {
  kill_when(
      [&] {
        JournalSettings settings;
        settings.path = bench.database();
        settings.session = to_hex(kSession);
        settings.ring_rows = 256;
        JournalWriter writer(settings);
        writer.set_meta("session", settings.session);
        writer.set_meta("begun_utc_ns", "1");
        RowSink& intent = writer.add_stream("intent", kStreams[0].second);
        for (std::int64_t index = 0; index < 10; ++index) Bench::push(intent, index);
        writer.event({}, "west", "state", "ARMED");
        ::kill(::getpid(), SIGKILL);
      },
      [] { return false; });
  ASSERT_TRUE(std::filesystem::exists(bench.ring()));
  ASSERT_EQ(JournalReader(bench.database()).row_count("intent"), 0);
}

TEST_F(CrashTest, BringsLeftoversInOnceThoughTheyAreFoundTwice) {
  leave_ten(bench_);
  const std::string copy = bench_.file("copy");
  std::filesystem::copy_file(bench_.ring(), copy);
  EXPECT_EQ(bench_.recorder()->open_session(kSession)->last("intent"), 9);
  std::filesystem::rename(copy, bench_.ring());  // as if killed before it was taken away
  EXPECT_EQ(bench_.recorder()->find_interrupted(), kSession);
  EXPECT_FALSE(std::filesystem::exists(bench_.ring()));
  const JournalReader reader(bench_.database());
  EXPECT_EQ(reader.row_count("intent"), 10);
  EXPECT_EQ(reader.events().size(), 1u);
}

/// A life that loses rows and events, because nothing takes them out of its rings.
/// @param first  index of the first of five rows, of which two find room
void lose_some(JournalWriter& writer, RowSink& intent, std::int64_t first, int events) {
  for (std::int64_t index = first; index < first + 5; ++index) Bench::push(intent, index);
  while (writer.queues().events().room() > 0) writer.event({}, "west", "state", "ARMED");
  for (int more = 0; more < events; ++more) writer.event({}, "west", "state", "RUNNING");
}

TEST_F(CrashTest, CountsWhatWasLostInEveryLife) {
  JournalSettings settings;
  settings.path = bench_.database();
  settings.session = to_hex(kSession);
  settings.ring_rows = 2;
  const auto lost = [&] {
    const JournalReader reader(bench_.database());
    return reader.meta("lost_rows").value_or("none") + " rows, " +
           reader.meta("lost_events").value_or("none") + " events";
  };
  kill_when(
      [&] {
        JournalWriter writer(settings);
        writer.set_meta("session", settings.session);
        lose_some(writer, writer.add_stream("intent", kStreams[0].second), 0, 4);
        ::kill(::getpid(), SIGKILL);
      },
      [] { return false; });
  {
    JournalWriter writer(settings);
    EXPECT_EQ(lost(), "3 rows, 4 events");
    lose_some(writer, writer.add_stream("intent", kStreams[0].second), 5, 1);
  }
  EXPECT_EQ(lost(), "6 rows, 5 events");
  EXPECT_TRUE(JournalWriter(settings).close()) << "this life has lost nothing";
  EXPECT_EQ(lost(), "6 rows, 5 events");
}

/// Unusable files are kept all the same.
bool set_aside(const Bench& bench) {
  const std::string name = std::filesystem::path(bench.ring()).filename();
  return !std::filesystem::exists(bench.ring()) &&
         std::filesystem::exists(bench.file("set-aside-1/" + name));
}

TEST_F(CrashTest, IgnoresTheLeftoversOfAFinishedSession) {
  leave_ten(bench_);
  JournalFile(bench_.database()).set_meta("ended_utc_ns", "2");
  EXPECT_EQ(bench_.recorder()->open_session(kSession)->last("intent"),
            RecordedSession::kNone);
  EXPECT_TRUE(set_aside(bench_));
}

/// Overwrites the first occurrence of `from` in the file.
void patch(const std::string& path, const std::string& from, const std::string& to) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  const std::size_t at = head.find(from);
  ASSERT_NE(at, std::string::npos);
  file.seekp(static_cast<std::streamoff>(at));
  file << to;
}

TEST_F(CrashTest, IgnoresTheLeftoversOfAnotherSession) {
  leave_ten(bench_);
  patch(bench_.ring(), to_hex(kSession), to_hex(SessionId{1}));
  EXPECT_EQ(bench_.recorder()->open_session(kSession)->last("intent"),
            RecordedSession::kNone);
}

// After a loss of power it is unknown which pages of a mapped file reached the disk.
TEST_F(CrashTest, IgnoresLeftoversFromBeforeTheSystemStarted) {
  leave_ten(bench_);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  patch(bench_.ring(), boot, std::string(boot.size(), '0'));
  EXPECT_EQ(bench_.recorder()->open_session(kSession)->last("intent"),
            RecordedSession::kNone);
  EXPECT_TRUE(set_aside(bench_));
}

/// The test's own: without an initial measurement, as at an integrator.
void leave_a_run(const Bench& bench) {
  auto settings = bench.settings();
  settings.name = "journal";
  kill_when(
      [&] {
        JournalRecorder recorder(settings);
        const auto sinks = recorder.open(kSession, {}, kStreams);
        for (int n = 0; n < 10; ++n) Bench::push(*sinks[0], n);
        ::kill(::getpid(), SIGKILL);
      },
      [] { return false; });
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// It says that nothing is changed.
TEST_F(CrashTest, LooksAtARecordThatNobodyCanJudgeAndLeavesItsRingFileWhereItIs) {
  leave_a_run(bench_);
  const std::string ring = bench_.file("journal.ring");
  ASSERT_TRUE(std::filesystem::exists(ring));
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  const std::string before(boot.size(), '0');
  patch(ring, boot, before);
  JournalFile(bench_.file("journal.db")).set_meta("boot", before);
  const std::string bytes = contents(ring);
  for (int n = 0; n < 2; ++n) {
    const RecordStanding found = standing_of_record(bench_.settings().folder);
    EXPECT_EQ(found.kind, RecordStanding::Kind::kUnknown);
    EXPECT_NE(found.why.find("a loss of power may have taken it"), std::string::npos)
        << found.why;
    EXPECT_TRUE(found.completed.empty());
    EXPECT_EQ(contents(ring), bytes);
    EXPECT_FALSE(std::filesystem::exists(bench_.file("set-aside-1")));
  }
}

TEST_F(CrashTest, NamesTheJournalThatItHasCompletedByLookingAtIt) {
  leave_a_run(bench_);
  const std::string journal = bench_.file("journal.db");
  const RecordStanding found = standing_of_record(bench_.settings().folder);
  ASSERT_EQ(found.completed.size(), 1U);
  EXPECT_EQ(std::filesystem::path(found.completed.front()).filename(), "journal.db");
  EXPECT_EQ(JournalReader(journal).row_count("intent"), 10);
  EXPECT_TRUE(standing_of_record(bench_.settings().folder).completed.empty());
}

// The record was whole, and was taken for one that nobody can judge.
TEST_F(CrashTest, TellsAFullDiskFromARecordThatNobodyCanJudge) {
  leave_a_run(bench_);
  RecordStanding found;
  {
    const testing::FullDisk disk;
    found = standing_of_record(bench_.settings().folder);
  }
  EXPECT_EQ(found.kind, RecordStanding::Kind::kBlocked) << found.why;
  EXPECT_NE(found.why.find("journal.db"), std::string::npos) << found.why;
  EXPECT_TRUE(found.completed.empty());
  EXPECT_EQ(standing_of_record(bench_.settings().folder).kind,
            RecordStanding::Kind::kNotBegun);
  EXPECT_EQ(JournalReader(bench_.file("journal.db")).row_count("intent"), 10);
}

TEST_F(CrashTest, IgnoresARingFileThatIsNone) {
  leave_ten(bench_);
  for (const std::string& content : {std::string(), std::string(9000, 'x')}) {
    std::ofstream(bench_.ring(), std::ios::binary | std::ios::trunc) << content;
    EXPECT_EQ(bench_.recorder()->open_session(kSession)->last("intent"),
              RecordedSession::kNone);
    EXPECT_FALSE(std::filesystem::exists(bench_.ring()));
  }
}

TEST_F(CrashTest, IsReadByAnotherProcessWhileItIsWritten) {
  const auto recorder = bench_.recorder();
  const auto sinks = recorder->open(kSession, {}, kStreams);
  Bench::push(*sinks[0], 0);
  recorder->open_session(kSession);
  Bench::push(*sinks[0], 1);
  EXPECT_GE(bench_.recorder()->open_session(kSession)->last("intent"), 0);
  EXPECT_TRUE(std::filesystem::exists(bench_.ring())) << "its ring file is left alone";
}

}  // namespace
}  // namespace trestle::journal::crash_test
