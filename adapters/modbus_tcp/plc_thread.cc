#include "adapters/modbus_tcp/plc_thread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>

#include "adapters/plugin/monotonic_ns.h"

namespace trestle::modbus_tcp {
namespace {

constexpr std::int64_t kBetweenCalls = 1'000'000'000;  // [ns] of a PLC that is lost
constexpr std::int64_t kIdle = 1'000'000'000;          // [ns] before the first run

}  // namespace

PlcThread::PlcThread(const PlcSettings& settings, CommandBox& commands, WakeSignal& wake)
    : settings_(settings),
      commands_(commands),
      wake_(wake),
      command_table_(settings.command_table()),
      table_(settings.readings()),
      connection_(settings),
      readings_(table_.registers().size()) {
  own_.command.resize(command_table_.words());
  own_.words.resize(table_.words());
  own_.values.resize(table_.registers().size());
  tick();
  thread_ = std::thread([this] { run(); });
}

PlcThread::~PlcThread() {
  if (commands_.order() == Order::kFollow) commands_.hold();
  shared_.leaving = true;
  wake_.raise();
  thread_.join();
}

unsigned PlcThread::request_run() noexcept {
  const unsigned request = shared_.asked.fetch_add(1) + 1;
  wake_.raise();
  return request;
}

bool PlcThread::is_done(unsigned request) const noexcept {
  return shared_.done.load() == request;
}

double PlcThread::patience() const noexcept {
  // The turn under way, and that of the request: the connection, then each request.
  const auto requests = 3.0 + static_cast<double>(table_.blocks().size());
  return 2.0 * (settings_.connect + requests * settings_.response) + 1.0;
}

void PlcThread::tick() noexcept {
  shared_.ticked_at_ns.store(plugin::monotonic_ns(), std::memory_order_relaxed);
}

/// On the thread.
void PlcThread::run() noexcept {
  const std::int64_t period = plugin::to_ns(1.0 / settings_.poll);
  std::int64_t due = 0;
  while (!shared_.leaving) {
    wake_.wait_until(due);
    const unsigned asked = shared_.asked;
    const bool requested = asked != shared_.done;
    const std::int64_t now = plugin::monotonic_ns();
    const bool is_due = requested || now >= due;
    if (is_due) due = now + (asked == 0 ? kIdle : period);
    if (asked == 0) continue;
    if (requested) {
      faulty_ = false;
      fault_.clear();
      own_.call_at_ns = 0;
    }
    try {
      serve(is_due);
    } catch (const std::exception& error) {
      fail(error.what());
    }
    shared_.done = asked;
  }
  try {
    if (connection_.is_open()) tell_hold();
  } catch (const std::exception&) {
    // The PLC does not hear it; its watchdog acts.
  }
}

void PlcThread::serve(bool is_due) {
  if (!connection_.is_open()) {
    if (plugin::monotonic_ns() < own_.call_at_ns) return;
    call_plc();
    is_due = true;
  }
  tell_hold();
  if (!is_due) return;
  send_command();
  beat();
  poll();
}

void PlcThread::call_plc() {
  own_.call_at_ns = plugin::monotonic_ns() + kBetweenCalls;
  told_ = Order::kUnknown;
  own_.sent.clear();
  connection_.open();
  connected_ = true;
}

void PlcThread::tell(Order order) {
  if (order == told_.load()) return;
  if (settings_.control) {
    const ControlRegister& control = *settings_.control;
    const std::uint16_t word = order == Order::kFollow ? control.follow
                               : order == Order::kStop ? control.stop
                                                       : control.hold;
    connection_.write(control.address, {&word, 1});
  }
  told_ = order;
}

/// Unless a command is in force.
void PlcThread::tell_hold() {
  const Order order = commands_.order();
  if (order == Order::kFollow) return;
  own_.sent.clear();
  tell(order);
}

/// A hold that comes since is later than the command: the rest of it is not sent.
void PlcThread::send_command() {
  if (!commands_.take(own_.command)) return;
  if (own_.command != own_.sent) {
    own_.sent.clear();
    for (const RegisterBlock& block : command_table_.blocks()) {
      if (commands_.order() != Order::kFollow) return tell_hold();
      connection_.write(block.address,
                        std::span(own_.command).subspan(block.at, block.words));
    }
    own_.sent = own_.command;
  }
  if (commands_.order() == Order::kFollow) tell(Order::kFollow);
  tell_hold();
}

/// While a command is in force, the heartbeat says that the site's ticks live, too: without
/// them the PLC's watchdog must act.
void PlcThread::beat() {
  if (!settings_.heartbeat) return;
  const std::int64_t silent =
      plugin::monotonic_ns() - shared_.ticked_at_ns.load(std::memory_order_relaxed);
  if (commands_.order() == Order::kFollow &&
      silent > plugin::to_ns(settings_.watchdog / 2.0))
    return;
  const std::uint16_t beats = ++own_.beats;
  connection_.write(*settings_.heartbeat, {&beats, 1});
}

void PlcThread::poll() {
  const std::int64_t at_ns = plugin::monotonic_ns();
  for (const RegisterBlock& block : table_.blocks()) {
    tell_hold();
    connection_.read(block, own_.words);
  }
  polls_.fetch_add(1, std::memory_order_relaxed);
  take(at_ns);
}

void PlcThread::take(std::int64_t at_ns) {
  const std::vector<Register>& registers = table_.registers();
  for (std::size_t i = 0; i < registers.size(); ++i) {
    const double value = own_.values[i] = table_.value(i, own_.words);
    if (settings_.status && i + 1 == registers.size()) {
      if (value != 0.0)
        throw PlcError("the PLC " + settings_.server + " says status " +
                           std::to_string(std::llround(value)) + "; clear it there",
                       false);
    } else if (!(value >= registers[i].least && value <= registers[i].most) ||
               !std::isfinite(value)) {
      refuse_value(i, value);
    }
  }
  readings_.publish(at_ns, [this](std::size_t i) { return own_.values[i]; });
}

void PlcThread::refuse_value(std::size_t index, double value) const {
  const Register& one = table_.registers()[index];
  const char* const unit = one.unit_name.c_str();
  std::array<char, 160> is{};
  if (std::isfinite(value))
    std::snprintf(is.data(), is.size(), "%.6g %s, outside its range %.6g to %.6g %s",
                  value / one.unit, unit, one.least / one.unit, one.most / one.unit, unit);
  else
    std::snprintf(is.data(), is.size(), "no finite number");
  throw PlcError("the " + one.name + " (" +
                     place_of(one.is_input, one.address, one.words()) + " of the PLC " +
                     settings_.server + ") is " + is.data() +
                     "; check the transducer, and type, scale and range in the settings",
                 false);
}

/// The first fault counts: what follows is often its consequence.
void PlcThread::fail(const std::string& why) noexcept {
  connected_ = connection_.is_open();
  if (faulty_) return;
  fault_.write("%s", why.c_str());
  faulty_ = true;
  commands_.hold();
}

}  // namespace trestle::modbus_tcp
