#include "controller.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace equipment {
namespace {

constexpr std::int64_t kStepNs = 125000;           // 8 kHz
constexpr std::uint32_t kStepsBetweenStates = 80;  // a state in the log every 10 ms

}  // namespace

const char* word_of(Order order) {
  static const char* const words[] = {"idle", "follow", "hold", "leave"};
  return words[static_cast<std::uint32_t>(order)];
}

Controller::Controller(ControllerSettings settings, std::vector<Ram> moved, RigLog& log)
    : is(settings), rams(std::move(moved)), log_(log) {}

void Controller::take(const char* via, std::uint64_t sequence, Order order,
                      const double* drive) {
  char drives[160] = "", before[160] = "";
  int at = 0, was = 0;
  for (std::size_t i = 0; i < rams.size(); ++i) {
    const char* const comma = i > 0 ? "," : "";
    at += std::snprintf(drives + at, sizeof drives - static_cast<std::size_t>(at), "%s%.9g",
                        comma, order == Order::kFollow ? drive[i] : drive_[i]);
    was += std::snprintf(before + was, sizeof before - static_cast<std::size_t>(was),
                         "%s%.9g", comma, drive_[i]);
  }
  const char* taken = "yes";
  if (order != Order::kFollow && (status_ & kWatchdog) != 0) {
    status_ &= ~static_cast<std::uint32_t>(kWatchdog);
    log_.say("closed interlock=watchdog");
  }
  if (order == Order::kFollow) {
    if (status_ != 0) {
      taken = "no";
    } else {
      for (std::size_t i = 0; i < rams.size(); ++i) {
        if (!std::isfinite(drive[i])) taken = "no";
      }
    }
  }
  log_.say("order via=%s seq=%llu cmd=%s drive=%s before=%s taken=%s status=%u", via,
           static_cast<unsigned long long>(sequence), word_of(order), drives, before, taken,
           status_);
  if (taken[0] == 'n') return;
  if (order == Order::kFollow) {
    for (std::size_t i = 0; i < rams.size(); ++i) drive_[i] = drive[i];
  }
  standing_ = order;
  heard_ns_ = clock_ns_;
}

void Controller::open(Interlock interlock, const char* because) {
  if ((status_ & interlock) != 0) return;
  status_ |= interlock;
  log_.say("open interlock=%s", because);
  standing_ = Order::kHold;
  if (interlock == kWatchdog) return;  // it holds under servo control
  // Shut where it is; the drive in force is what keeps it there.
  for (std::size_t i = 0; i < rams.size(); ++i) {
    rams[i].block(true);
    drive_[i] = rams[i].displacement() / rams[i].is.static_gain;
  }
}

void Controller::reset() {
  for (std::size_t i = 0; i < rams.size(); ++i) {
    if ((status_ & ~static_cast<std::uint32_t>(kWatchdog)) != 0)
      drive_[i] = rams[i].displacement() / rams[i].is.static_gain;
    rams[i].block(false);
  }
  status_ = 0;
  log_.say("reset");
}

void Controller::mind_interlocks() {
  if (standing_ == Order::kFollow &&
      static_cast<double>(clock_ns_ - heard_ns_) * 1e-9 > is.watchdog) {
    open(kWatchdog, "watchdog");
  }
  for (const Ram& ram : rams) {
    if (std::abs(ram.force()) > is.most_force) open(kForce, "force");
    if (std::abs(ram.displacement()) > is.most_stroke) open(kStroke, "stroke");
  }
}

void Controller::log_state() {
  for (std::size_t i = 0; i < rams.size(); ++i) {
    log_.say("state ram=%zu x=%.9g f=%.9g drive=%.9g cmd=%s status=%u", i + 1,
             rams[i].displacement(), rams[i].force(), drive_[i], word_of(standing_),
             status_);
  }
}

void Controller::advance(std::int64_t ns) {
  rest_ns_ += ns;
  while (rest_ns_ >= kStepNs) {
    rest_ns_ -= kStepNs;
    clock_ns_ += kStepNs;
    log_.set_clock(clock_ns_);
    for (std::size_t i = 0; i < rams.size(); ++i)
      rams[i].advance(drive_[i], 1e-9 * kStepNs);
    mind_interlocks();
    if (++steps_ % kStepsBetweenStates == 0) log_state();
  }
}

}  // namespace equipment
