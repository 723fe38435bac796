#include "adapters/driver_program/driver_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include "adapters/driver/futex.h"
#include "adapters/driver/life_sign.h"
#include "adapters/driver_program/confinement.h"
#include "adapters/plugin/monotonic_ns.h"
#include "core/base/setting_error.h"
#include "core/host/realtime_scheduling.h"

namespace trestle::driver_program {
namespace {

constexpr int kPatienceWithHello = 10'000;                 // [ms]
constexpr int kPatienceWithCaller = 1'000;                 // [ms]
constexpr std::int64_t kPatienceWithHold = 1'000'000'000;  // [ns]
constexpr int kPatienceWithDying = 5'000;                  // [ms]
// A site that was killed just now may not know it yet.
constexpr int kPatienceWithServed = 200;  // [ms]
constexpr int kLooksAtCall = 200;
constexpr int kBetweenCallLooks = 10;     // [ms]
constexpr int kBetweenServerLooks = 100;  // [ms]
// With open(): after SIGTERM as with each function, after the site is gone as long as a
// site waits for it.
constexpr std::int64_t kPatienceWithSignal = 2'000'000'000;  // [ns]
constexpr std::int64_t kPatienceWithOpen = 60'000'000'000;   // [ns]
constexpr std::int64_t kPatienceWithLog = 1'000'000'000;     // [ns]
constexpr std::int64_t kBetweenLifeSigns = 1'000'000'000;    // [ns], at most asleep
constexpr unsigned kLongestEnd = 10;                         // [s], of stop() and close()

const char* const kNoNetwork =
    "; the driver has no network, because no setting names an address (target, server, "
    "address, host, listen, device, socket or port)";

constexpr int kEnded = 0;
constexpr int kNoRig = 2;        // it could not be opened
constexpr int kNotReleased = 3;  // a function of the plug-in hangs

void hold_rig(void* keeper) noexcept {
  static_cast<HoldKeeper*>(keeper)->hold();
}

FileDescriptor end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // of all threads: each inherits it
  return FileDescriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

/// Whether the worker comes back from the function under way, in two seconds at most.
bool comes_back(const RigWorker& worker) noexcept {
  for (int n = 0; n < kLooksAtCall && worker.function() != nullptr; ++n)
    poll(nullptr, 0, kBetweenCallLooks);
  return worker.function() == nullptr;
}

}  // namespace

DriverServer::DriverServer(std::string folder, FileDescriptor site)
    : folder_(std::move(folder)), signals_(end_signals()), site_(std::move(site)) {}

int DriverServer::run() {
  if (!take_folder() || !open_rig()) return kNoRig;
  start();
  while (true) serve_site();
}

/// One driver has a folder at a time, whatever becomes of the file.
bool DriverServer::take_folder() {
  const std::string path = folder_ + "/lock";
  lock_ = FileDescriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock_ && flock(lock_.number(), LOCK_EX | LOCK_NB) == 0) return true;
  std::fprintf(stderr, "%s: another driver has it\n", path.c_str());
  return false;
}

bool DriverServer::open_rig() {
  const std::optional<driver::Hello> hello =
      driver::receive_hello(site_.number(), kPatienceWithHello);
  if (!hello) return false;
  hello_ = *hello;
  const bool network = names_an_address(hello_.settings);
  const std::string why_not = confine(network);
  log_ = std::make_unique<DriverLog>(STDERR_FILENO);
  if (!why_not.empty())
    log_->tell("%s; see to it that the host allows seccomp and setrlimit", why_not.c_str());
  try {
    plugin_ = std::make_unique<plugin::LoadedAdapter>(hello_.file, "");
  } catch (const SettingError& error) {
    driver::send_reply(site_.number(), driver::Welcome::kNotLoaded,
                       error.problems().front().what, -1);
    return false;
  }
  std::array<char, driver::kTextLength> why{};
  call_open(why.data());
  why.back() = '\0';
  if (rig_ != nullptr) return true;
  std::string words = why.data();
  if (!network && words.find(std::generic_category().message(EACCES)) != std::string::npos)
    words += kNoNetwork;
  driver::send_reply(site_.number(), driver::Welcome::kRefused, words, -1);
  return false;
}

/// Opens the rig. Nothing moves meanwhile (R8), and nobody holds yet: what hangs may end.
void DriverServer::call_open(char* why) noexcept {
  std::thread watch([this] { watch_opening(); });
  rig_ = plugin_->table().open(hello_.settings.c_str(), why, driver::kTextLength);
  Opening under_way = Opening::kUnderWay;
  opening_.compare_exchange_strong(under_way, Opening::kReturned);
  watch.join();
}

/// Ends the driver where open() hangs and nobody wants its rig any more: else it would keep
/// the rig's folder and its equipment from the next one, and SIGTERM would not end it.
void DriverServer::watch_opening() noexcept {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::int64_t signal_end = kNever;
  std::int64_t site_end = kNever;
  while (opening_.load() == Opening::kUnderWay) {
    poll(nullptr, 0, kBetweenCallLooks);
    std::array<pollfd, 2> events{{{signals_.number(), POLLIN, 0}, {site_.number(), 0, 0}}};
    poll(events.data(), events.size(), 0);
    const std::int64_t now = plugin::monotonic_ns();
    if (signal_end == kNever && (events[0].revents & POLLIN) != 0)
      signal_end = now + kPatienceWithSignal;
    if (site_end == kNever && (events[1].revents & POLLHUP) != 0)
      site_end = now + kPatienceWithOpen;
    Opening under_way = Opening::kUnderWay;
    if (now < std::min(signal_end, site_end) ||
        !opening_.compare_exchange_strong(under_way, Opening::kGivenUp))
      continue;
    log_->tell("open() of the plug-in does not return; the driver ends without its rig");
    log_->flush(kPatienceWithLog);
    std::_Exit(kNotReleased);
  }
}

void DriverServer::start() {
  const trestle_adapter_v1& table = plugin_->table();
  shared_.page().keeps_state = table.save != nullptr ? 1 : 0;
  keeper_ = std::make_unique<HoldKeeper>(table, rig_, shared_.page(), *log_);
  outputs_ = std::make_unique<OutputKeeper>(table, rig_, shared_.page(), *keeper_, *log_);
  last_words_ = std::make_unique<host::CrashHandler>(hold_rig, keeper_.get());
  worker_ = std::make_unique<RigWorker>(table, rig_, shared_.page(), *keeper_, *log_);
  worker_->end_first(*outputs_);
  std::thread([this] { keeper_->run(); }).detach();
  if (table.contacts != nullptr) std::thread([this] { outputs_->run(); }).detach();
  std::thread([this] { watch_site(); }).detach();
  std::thread([this] {
    worker_->run();
    log_->flush(kPatienceWithLog);
    std::_Exit(kEnded);  // the rig is closed; threads of the plug-in may still be there
  }).detach();
  listener_ = driver::listen_for_sites(folder_);
  driver::send_reply(site_.number(), driver::Welcome::kOpen, "", shared_.memory());
}

/// Holds when the site dies: earlier than the end of its connection is seen.
void DriverServer::watch_site() noexcept {
  const host::AlternateSignalStack last_words_need_room;
  host::set_fifo_priority(host::kWatchPriority);  // where the host allows it
  std::atomic<std::uint32_t>& site = shared_.page().site;
  while (true) {
    std::uint32_t word = site.load();
    if (driver::LifeSign::has_died(word) && site.compare_exchange_strong(word, 0)) {
      keeper_->ask();
      outputs_->open_all();
      site_has_died_ = true;
      continue;
    }
    driver::wait_while(site, word, plugin::monotonic_ns() + kBetweenLifeSigns);
  }
}

void DriverServer::serve_site() {
  std::array<pollfd, 3> events{{{signals_.number(), POLLIN, 0},
                                {listener_.number(), POLLIN, 0},
                                {site_.number(), 0, 0}}};
  // poll() does not notice a descriptor that is closed meanwhile.
  if (poll(events.data(), events.size(), kBetweenServerLooks) < 0) return;
  for (const pollfd& event : events)
    if ((event.revents & POLLNVAL) != 0) {
      log_->tell("the plug-in closed a descriptor of the driver; the rig holds");
      leave(false);
    }
  if (events[0].revents != 0) leave(true);
  if (site_ && events[2].revents != 0) site_is_gone();
  if (events[1].revents != 0) meet();
}

void DriverServer::site_is_gone() {
  keeper_->ask();
  outputs_->open_all();
  site_ = {};
  if (!worker_->prepared()) leave(false);  // it was only looked at
  log_->tell("the site is gone; the rig was asked to hold, and waits for it");
}

/// Whether the last request of any site has its answer, in two seconds at most.
bool DriverServer::has_answered() {
  const driver::DriverPage& page = shared_.page();
  for (int n = 0; n < kLooksAtCall && page.answered.load() != page.requested.load(); ++n)
    poll(nullptr, 0, kBetweenCallLooks);
  return page.answered.load() == page.requested.load();
}

/// A site, or another process that wants the rig.
void DriverServer::meet() {
  FileDescriptor caller(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!caller || driver::trusted_peer(caller.number()) == 0) return;
  const std::optional<driver::Hello> hello =
      driver::receive_hello(caller.number(), kPatienceWithCaller);
  if (!hello) return;
  using driver::Welcome;
  const auto refuse = [&caller](Welcome why, const std::string& words) {
    driver::send_reply(caller.number(), why, words, -1);
  };
  // A large process dies long before its last descriptor is closed.
  pollfd end{site_.number(), 0, 0};
  bool gone = site_ && poll(&end, 1, kPatienceWithServed) > 0;
  if (site_ && !gone && site_has_died_.load()) gone = poll(&end, 1, kPatienceWithDying) > 0;
  if (gone) site_is_gone();
  if (site_)
    return refuse(Welcome::kBusy,
                  "process " + std::to_string(driver::trusted_peer(site_.number())));
  if (!has_answered()) {
    const char* const function = worker_->function();
    return refuse(Welcome::kHangs,
                  "has not returned from " +
                      std::string(function != nullptr ? function : "a call") + "()");
  }
  if (*hello != hello_) {
    refuse(Welcome::kWantsAnother, "");
    site_ = std::move(caller);  // it sees the end
    leave(true);
  }
  site_has_died_ = false;
  site_ = std::move(caller);
  driver::send_reply(site_.number(), Welcome::kOpen, "", shared_.memory());
}

/// Holds, releases the rig, and ends.
/// @param stops  makes the rig safe to approach, too
void DriverServer::leave(bool stops) noexcept {
  worker_->leave();
  keeper_->ask();
  const bool held = keeper_->done_until(plugin::monotonic_ns() + kPatienceWithHold);
  if (!held || !comes_back(*worker_)) {
    const char* const function = worker_->function();
    log_->tell("%s() does not return; the rig is not released",
               held && function != nullptr ? function : "hold");
    log_->flush(kPatienceWithLog);
    std::_Exit(kNotReleased);
  }
  alarm(kLongestEnd);
  keeper_->hold();  // a drive may have come between
  if (stops) plugin_->table().stop(rig_);
  if (outputs_->end()) plugin_->table().close(rig_);
  log_->flush(kPatienceWithLog);
  std::_Exit(kEnded);
}

}  // namespace trestle::driver_program
