// What `trestle watch` costs: the processor time of its process on a terminal of 132 x 50,
// as a part of one core, while 8 sites and the integrator record a row each millisecond, 10
// actuators (40 channels) a site. The floor is the same process beside a record to which
// nobody writes. Goal: at most 5 % of a core.
//
//   watch_bench [--json] [--seconds S] [--sites N] [--actuators N] [--rate HZ]
//               [--folder DIR] [--write]
//
// With --write it only records: says the folder, and goes on until its input ends
// (page_cost.py measures the server of the live page beside it).

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/journal/journal_recorder.h"
#include "core/record/site_step_columns.h"
#include "core/record/tick_columns.h"
#include "core/session/session_contract.h"
#include "core/types/record_names.h"

namespace trestle::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr SessionId kSession{1};

struct Options {
  bool json = false;
  double seconds = 10.0;
  int sites = 8;
  int actuators = 10;
  double rate = 1000.0;  // of steps and ticks [1/s]
  std::string folder = "/dev/shm";
  bool write = false;  // and nothing else
};

/// What a site agreed to, with all limits, so that all of them are followed.
std::string contract(const std::vector<ActuatorDescription>& actuators) {
  Configured configured;
  configured.actuators = actuators;
  configured.limits.assign(actuators.size(), {.displacement = 0.06,
                                              .rate = 0.4,
                                              .force = 250e3,
                                              .tracking_error = 0.002,
                                              .tracking_dwell = 0.01,
                                              .energy_error = 0.3,
                                              .acceleration = 16.0});
  return session::contract_text({}, {}, configured, {});
}

/// The records of a test that the wall paces, as an integrator and its sites write them.
class Records {
 public:
  Records(const std::string& folder, const Options& options) : options_(options) {
    std::vector<ActuatorDescription> actuators;
    for (int i = 0; i < options.actuators; ++i)
      actuators.push_back({.name = std::to_string(i + 1)});
    const std::string agreed = contract(actuators);
    Channels results;
    std::string names;
    RecordMetadata facts{
        {meta_key::kNode, kIntegratorNode},
        {meta_key::kTest, "bench"},
        {meta_key::kMode, "real-time"},
        {meta_key::kTimeStep, std::to_string(1.0 / options.rate)},
        {meta_key::kStepsPlanned, std::to_string(static_cast<long>(3600 * options.rate))}};
    for (int site = 0; site < options.sites; ++site) {
      const std::string name = "site" + std::to_string(site + 1);
      const Channels own = record::SiteStepColumns(name, {}, actuators).channels();
      results.insert(results.end(), own.begin(), own.end());
      names += (names.empty() ? "" : ",") + name;
      facts.emplace_back(meta_key::kContractOf + name, agreed);
      add(folder, name, name, {},
          {stream_name::kTick, record::TickColumns(name, actuators).channels()});
    }
    facts.emplace_back(meta_key::kSites, names);
    add(folder, "journal", kIntegratorNode, facts, {stream_name::kResult, results});
  }

  ~Records() { stop(); }
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  void start() {
    writer_ = std::thread([this] { write(); });
  }
  void stop() {
    ending_ = true;
    if (writer_.joinable()) writer_.join();
  }
  std::int64_t rows() const { return next_; }

 private:
  struct Record {
    std::unique_ptr<journal::JournalRecorder> recorder;
    RowSink* sink;
    std::vector<double> row;
  };

  void add(const std::string& folder, const std::string& name, const std::string& node,
           const RecordMetadata& facts, const RecordStreams::value_type& stream) {
    auto recorder =
        std::make_unique<journal::JournalRecorder>(journal::JournalRecorder::Settings{
            .folder = folder, .name = name, .node = node, .facts = {}});
    RowSink* const sink = recorder->open(kSession, facts, {stream}).at(0);
    records_.push_back(
        {std::move(recorder), sink, std::vector<double>(stream.second.size())});
  }

  void push() {
    const double phase = static_cast<double>(next_) / options_.rate;
    for (Record& record : records_) {
      for (std::size_t i = 0; i < record.row.size(); i += 4) {
        const double x = 0.02 * std::sin(6.0 * phase + 0.1 * static_cast<double>(i));
        const double late =
            0.02 * std::sin(6.0 * (phase - 0.004) + 0.1 * static_cast<double>(i));
        record.row[i] = record.row[i + 1] = x;
        record.row[i + 2] = late;
        record.row[i + 3] = 5e6 * late;
      }
      record.sink->push({next_, record.row});
    }
    next_.fetch_add(1);
  }

  void write() {
    const auto period = std::chrono::duration_cast<Steady::duration>(
        std::chrono::duration<double>(1.0 / options_.rate));
    for (Steady::time_point due = Steady::now(); !ending_; due += period) {
      std::this_thread::sleep_until(due);
      push();
    }
  }

  Options options_;
  std::vector<Record> records_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> ending_{false};
  std::thread writer_;
};

/// `trestle watch` on a terminal of its own.
class Watcher {
 public:
  explicit Watcher(const std::string& folder) {
    winsize size{.ws_row = 50, .ws_col = 132, .ws_xpixel = 0, .ws_ypixel = 0};
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ < 0) throw std::runtime_error("no terminal can be made");
    if (child_ == 0) {
      setenv("TERM", "xterm", 1);
      execl(TRESTLE_PROGRAM, TRESTLE_PROGRAM, "watch", folder.c_str(), nullptr);
      _exit(127);
    }
    if (clock_getcpuclockid(child_, &clock_) != 0)
      throw std::runtime_error("the process says no processor time");
  }
  ~Watcher() {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
    close(terminal_);
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Reads what it draws. @returns the bytes
  std::size_t read_for(double seconds) {
    const auto end = Steady::now() + std::chrono::duration<double>(seconds);
    std::size_t bytes = 0;
    while (Steady::now() < end) {
      pollfd ready{terminal_, POLLIN, 0};
      if (poll(&ready, 1, 50) <= 0) continue;
      std::array<char, 65536> text{};
      const ssize_t count = read(terminal_, text.data(), text.size());
      if (count <= 0) throw std::runtime_error("trestle watch has ended");
      bytes += static_cast<std::size_t>(count);
    }
    return bytes;
  }

  /// Of its process so far [s].
  double processor_time() const {
    timespec time{};
    if (clock_gettime(clock_, &time) != 0)
      throw std::runtime_error("trestle watch has ended");
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
  pid_t child_ = -1;
  int terminal_ = -1;
  clockid_t clock_{};
};

struct Cost {
  double of_core = 0.0;      // %
  double drawn_per_s = 0.0;  // [bytes/s]
  double rows_per_s = 0.0;   // of each record
};

Cost measure(Records& records, const std::string& folder, double seconds) {
  Watcher watcher(folder);
  watcher.read_for(2.0);  // reads the past, and draws the first screen
  const auto begin = Steady::now();
  const double before = watcher.processor_time();
  const std::int64_t first = records.rows();
  const std::size_t bytes = watcher.read_for(seconds);
  const double used = watcher.processor_time() - before;
  const double wall = std::chrono::duration<double>(Steady::now() - begin).count();
  return {100.0 * used / wall, static_cast<double>(bytes) / wall,
          static_cast<double>(records.rows() - first) / wall};
}

void print(const char* name, const Cost& cost, bool json) {
  std::printf(
      json ? "{\"name\":\"%s\",\"of_core_percent\":%.3f,\"rows_per_s\":%.1f,"
             "\"drawn_bytes_per_s\":%.0f}\n"
           : "%-28s %6.2f %% of a core  %7.1f rows/s a record  %6.0f bytes/s drawn\n",
      name, cost.of_core, cost.rows_per_s, cost.drawn_per_s);
}

void write_until_input_ends(const std::string& folder) {
  std::printf("%s\n", folder.c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
}

void compare(Records& records, const std::string& folder, const Options& options) {
  const Cost running = measure(records, folder, options.seconds);
  records.stop();
  const Cost still = measure(records, folder, options.seconds);
  print("watch, nobody writes", still, options.json);
  print("watch, all write", running, options.json);
  if (!options.json) std::printf("goal: at most 5 %% of a core at 8 sites x 1 kHz\n");
}

void run(const Options& options) {
  std::string folder = options.folder + "/trestle-watch-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr)
    throw std::runtime_error("cannot make a folder in " + options.folder);
  {
    Records records(folder, options);
    records.start();
    if (options.write)
      write_until_input_ends(folder);
    else
      compare(records, folder, options);
  }
  std::filesystem::remove_all(folder);
}

Options parse(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--json" || words[i] == "--write") {
      (words[i] == "--json" ? options.json : options.write) = true;
      continue;
    }
    if (i + 1 == words.size()) throw std::runtime_error(words[i] + " needs a value");
    const std::string& value = words[i + 1];
    if (words[i] == "--seconds")
      options.seconds = std::stod(value);
    else if (words[i] == "--sites")
      options.sites = std::stoi(value);
    else if (words[i] == "--actuators")
      options.actuators = std::stoi(value);
    else if (words[i] == "--rate")
      options.rate = std::stod(value);
    else if (words[i] == "--folder")
      options.folder = value;
    else
      throw std::runtime_error("what is " + words[i] + "?");
    ++i;
  }
  return options;
}

}  // namespace
}  // namespace trestle::bench

int main(int count, char** words) {
  try {
    trestle::bench::run(trestle::bench::parse({words + 1, words + count}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
