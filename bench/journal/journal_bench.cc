// What a durable step costs: a row pushed, secured, and waited for, against pwrite() and
// fdatasync() of the same bytes in the same folder, which another thread is woken for just
// as the journal's is: at the end of a file, where the file system has its new length to
// keep as well, and in place; and as many bytes as SQLite writes for it (two pages). And
// what push() costs into the file that outlives the process, against a ring on the heap;
// also right after the system wrote the file to disk, when the first push into each page is
// a page fault. Step by step beside each other, in rounds; decide on the median of the
// rounds' ratios (its quartiles are beside it), never on a time or a tail.
//
//   journal_bench [--json] [--rounds N] [--steps N] [--channels N] [--folder DIR]

#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/journal/journal_writer.h"
#include "core/journal/ring_file.h"
#include "core/journal/row_layout.h"
#include "core/journal/row_queue.h"

namespace trestle::bench {
namespace {

using Steady = std::chrono::steady_clock;

struct Options {
  bool json = false;
  int rounds = 25;
  int steps = 40;
  int channels = 24;
  std::string folder = ".";
};

struct Quantiles {
  double p50 = 0.0;
  double p99 = 0.0;
  double most = 0.0;
};

struct Line {
  std::string name;
  std::string floor;
  std::string unit;
  Quantiles quantiles;  // medians over the rounds
  // To the floor, of the p50 of each round: median and quartiles over the rounds.
  double ratio = 0.0;
  double low = 0.0;
  double high = 0.0;
};

double part_of(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

double median(const std::vector<double>& values) {
  return part_of(values, 0.5);
}

Quantiles quantiles(std::vector<double> times) {
  std::ranges::sort(times);
  const auto at = [&times](double part) {
    return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
  };
  return {at(0.5), at(0.99), times.back()};
}

/// The same bytes in a file, on the disk when it returns.
class RawFile {
 public:
  /// @param room  steps for which the file is allocated, after which it begins again; 0: it
  ///              grows
  RawFile(const std::string& path, std::size_t room, std::size_t bytes)
      : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)),
        room_(room) {
    const std::vector<char> zeros(room * bytes);
    if (file_ < 0 ||
        ::pwrite(file_, zeros.data(), zeros.size(), 0) !=
            static_cast<ssize_t>(zeros.size()) ||
        ::fsync(file_) != 0)
      throw std::runtime_error("cannot make " + path);
  }
  ~RawFile() { ::close(file_); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  void step(const std::vector<double>& row) {
    const std::size_t bytes = row.size() * sizeof(double);
    const std::size_t place = room_ == 0 ? next_ : next_ % room_;
    ++next_;
    if (::pwrite(file_, row.data(), bytes, static_cast<off_t>(place * bytes)) !=
            static_cast<ssize_t>(bytes) ||
        ::fdatasync(file_) != 0)
      throw std::runtime_error("the disk does not take the raw bytes");
  }

 private:
  int file_;
  std::size_t room_;
  std::size_t next_ = 0;
};

/// A row secured, as pseudo-dynamic mode does before anything moves.
class DurableJournal {
 public:
  DurableJournal(const std::string& path, std::size_t channels)
      : writer_({.path = path}), sink_(writer_.add_stream("intent", columns(channels))) {
    writer_.start();
  }

  static Channels columns(std::size_t channels) {
    Channels made;
    for (std::size_t i = 0; i < channels; ++i) made.push_back({std::to_string(i), "m"});
    return made;
  }

  /// @param row  its first place is the index's
  void step(const std::vector<double>& row) {
    sink_.push({next_++, std::span<const double>(row).subspan(1)});
    const std::uint64_t ticket = writer_.request_sync();
    while (!writer_.is_durable(ticket)) {
      if (writer_.failed())
        throw std::runtime_error(writer_.error_message().value_or("the journal failed"));
      std::this_thread::yield();
    }
  }

 private:
  journal::JournalWriter writer_;
  RowSink& sink_;
  std::int64_t next_ = 0;
};

template <typename Step>
Quantiles timed(int steps, double unit, Step step) {
  std::vector<double> times(static_cast<std::size_t>(steps));
  for (double& time : times) {
    const auto begin = Steady::now();
    step();
    time = std::chrono::duration<double>(Steady::now() - begin).count() / unit;
  }
  return quantiles(std::move(times));
}

/// 64 rows a sample, so that the clock's own cost is not what is measured.
Quantiles push_round(journal::RowQueue& ring, const std::vector<double>& row, int samples) {
  constexpr int kRows = 64;
  constexpr double kNano = 1e-9;
  const std::span<const double> values = std::span<const double>(row).subspan(1);
  std::int64_t index = 0;
  return timed(samples, kNano * kRows, [&] {
    for (int i = 0; i < kRows; ++i) ring.push({index++, values});
    ring.pop(kRows);
  });
}

struct Contest {
  std::vector<std::vector<Quantiles>> rounds;  // of floor, then of the product
  Line summary(const std::string& name, const std::string& floor, const std::string& unit,
               std::size_t which) const {
    std::vector<double> p50;
    std::vector<double> p99;
    std::vector<double> most;
    std::vector<double> ratio;
    for (const std::vector<Quantiles>& round : rounds) {
      p50.push_back(round[which].p50);
      p99.push_back(round[which].p99);
      most.push_back(round[which].most);
      ratio.push_back(round[which].p50 / round[0].p50);
    }
    return {name,
            floor,
            unit,
            {median(p50), median(p99), median(most)},
            median(ratio),
            part_of(ratio, 0.25),
            part_of(ratio, 0.75)};
  }
};

/// A raw file on a separate thread, which waits to be woken like the journal's.
class HandedFile {
 public:
  HandedFile(const std::string& path, std::size_t room, std::size_t bytes)
      : file_(path, room, bytes) {
    ::sem_init(&wake_, 0, 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~HandedFile() {
    end_ = true;
    ::sem_post(&wake_);
    thread_.join();
    ::sem_destroy(&wake_);
  }
  HandedFile(const HandedFile&) = delete;
  HandedFile& operator=(const HandedFile&) = delete;

  void step(const std::vector<double>& row) {
    row_ = &row;
    const int ticket = done_.load(std::memory_order_relaxed) + 1;
    ::sem_post(&wake_);
    while (done_.load(std::memory_order_acquire) != ticket) {
      if (failed_) throw std::runtime_error("the disk does not take the raw bytes");
      std::this_thread::yield();
    }
  }

 private:
  void serve() {
    while (true) {
      while (::sem_wait(&wake_) != 0) continue;
      if (end_) return;
      try {
        file_.step(*row_);
      } catch (const std::runtime_error&) {
        failed_ = true;
      }
      done_.fetch_add(1, std::memory_order_release);
    }
  }

  RawFile file_;
  ::sem_t wake_{};
  const std::vector<double>* row_ = nullptr;
  std::atomic<int> done_{0};
  std::atomic<bool> failed_{false};
  std::atomic<bool> end_{false};
  std::thread thread_;
};

template <typename Step>
double microseconds(Step step) {
  const auto begin = Steady::now();
  step();
  return std::chrono::duration<double, std::micro>(Steady::now() - begin).count();
}

std::vector<Line> durable_steps(const Options& options, const std::string& folder) {
  const auto channels = static_cast<std::size_t>(options.channels);
  constexpr std::size_t kRoom = 4096;
  const std::size_t bytes = journal::row_bytes(channels);
  HandedFile at_end(folder + "/at_end", 0, bytes);
  HandedFile in_place(folder + "/in_place", kRoom, bytes);
  // Of the table's leaf and the index's, each with its head in the log.
  constexpr std::size_t kPages = 2 * (16384 + 24);
  HandedFile pages(folder + "/pages", 0, kPages);
  const std::vector<double> two_pages(kPages / sizeof(double), 0.125);
  DurableJournal journal(folder + "/bench.db", channels);
  const std::vector<double> row(channels + 1, 0.125);
  Contest contest;
  for (int round = 0; round < options.rounds; ++round) {
    std::array<std::vector<double>, 4> times;
    for (int step = 0; step < options.steps; ++step)
      for (int turn = 0; turn < 4; ++turn) {
        // There and back, so that none always comes behind the same other one.
        const int which = step % 2 == 0 ? turn : 3 - turn;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        times[static_cast<std::size_t>(which)].push_back(microseconds([&] {
          if (which == 0) at_end.step(row);
          if (which == 1) in_place.step(row);
          if (which == 2) pages.step(two_pages);
          if (which == 3) journal.step(row);
        }));
      }
    contest.rounds.push_back({quantiles(times[0]), quantiles(times[1]), quantiles(times[2]),
                              quantiles(times[3])});
  }
  return {contest.summary("raw_at_end", "", "us", 0),
          contest.summary("raw_in_place", "raw_at_end", "us", 1),
          contest.summary("raw_two_pages", "raw_at_end", "us", 2),
          contest.summary("durable_step", "raw_at_end", "us", 3)};
}

/// Every row on its own, once around.
Quantiles lap(journal::RowQueue& ring, const std::vector<double>& row) {
  const std::span<const double> values = std::span<const double>(row).subspan(1);
  std::int64_t index = 0;
  const Quantiles found = timed(static_cast<int>(ring.capacity()), 1e-9, [&] {
    ring.push({index++, values});
  });
  ring.pop(ring.size());
  return found;
}

void write_back(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0 || ::fdatasync(file) != 0) throw std::runtime_error("cannot sync " + path);
  ::close(file);
}

std::vector<Line> pushes(const Options& options, const std::string& folder) {
  const auto channels = static_cast<std::size_t>(options.channels);
  constexpr std::size_t kRows = 16384;
  journal::RowQueue heap(channels, kRows);
  journal::RingFile file(folder + "/bench.ring", "");
  journal::RowQueue mapped(channels, kRows,
                           journal::QueueMemory(file.add(
                               journal::RingFile::Kind::kRows, "bench", channels, kRows,
                               journal::RowQueue::area_bytes(channels, kRows))));
  const std::vector<double> row(channels + 1, 0.125);
  const int samples = options.steps * 100;
  Contest many;
  Contest each;
  for (int round = 0; round < options.rounds; ++round) {
    many.rounds.push_back(
        {push_round(heap, row, samples), push_round(mapped, row, samples)});
    const Quantiles floor = lap(heap, row);
    const Quantiles usual = lap(mapped, row);
    write_back(folder + "/bench.ring");
    each.rounds.push_back({floor, usual, lap(mapped, row)});
  }
  file.remove();
  return {many.summary("push_heap", "", "ns", 0),
          many.summary("push_mapped", "push_heap", "ns", 1),
          each.summary("one_heap", "", "ns", 0),
          each.summary("one_mapped", "one_heap", "ns", 1),
          each.summary("one_written_back", "one_heap", "ns", 2)};
}

void print(const std::vector<Line>& lines, bool json) {
  for (const Line& line : lines)
    std::printf(json ? "{\"name\": \"%s\", \"unit\": \"%s\", \"p50\": %.4g, \"p99\": %.4g, "
                       "\"max\": %.4g, \"floor\": \"%s\", \"ratio\": %.3f, "
                       "\"ratio_low\": %.3f, \"ratio_high\": %.3f}\n"
                     : "%-16s [%s]  p50 %9.4g  p99 %9.4g  max %9.4g   %s %.3f (%.3f to "
                       "%.3f)\n",
                line.name.c_str(), line.unit.c_str(), line.quantiles.p50,
                line.quantiles.p99, line.quantiles.most,
                line.floor.empty() && !json ? "itself" : line.floor.c_str(), line.ratio,
                line.low, line.high);
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--json") {
      options.json = true;
      continue;
    }
    if (i + 1 == count) throw std::runtime_error(name + " needs a value");
    const std::string value = arguments[++i];
    if (name == "--folder")
      options.folder = value;
    else if (name == "--rounds")
      options.rounds = std::max(1, std::atoi(value.c_str()));
    else if (name == "--steps")
      options.steps = std::max(1, std::atoi(value.c_str()));
    else if (name == "--channels")
      options.channels = std::max(1, std::atoi(value.c_str()));
    else
      throw std::runtime_error("unknown argument " + name);
  }
  return options;
}

int run(int count, char** arguments) {
  const Options options = parse(count, arguments);
  std::string folder = options.folder + "/trestle-bench-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr)
    throw std::runtime_error("cannot make a folder in " + options.folder);
  std::vector<Line> lines = durable_steps(options, folder);
  const std::vector<Line> more = pushes(options, folder);
  lines.insert(lines.end(), more.begin(), more.end());
  print(lines, options.json);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace trestle::bench

int main(int count, char** arguments) {
  try {
    return trestle::bench::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "journal_bench: %s\n", error.what());
    return 2;
  }
}
