#include "adapters/modbus_tcp/modbus_rig.h"

#include <poll.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "adapters/plugin/monotonic_ns.h"

namespace trestle::modbus_tcp {
namespace {

constexpr int kSlice = 2;  // [ms] of a wait that a hold may end

}  // namespace

ModbusRig::ModbusRig(PlcSettings settings)
    : settings_(std::move(settings)),
      table_(settings_.command_table()),
      commands_(table_.words(), wake_),
      words_(table_.words()),
      plc_(settings_, commands_, wake_) {}

void ModbusRig::describe(const PlcSettings& settings,
                         trestle_rig_capabilities& is) noexcept {
  is.actuators = static_cast<std::uint32_t>(settings.commands.size());
  is.auxiliary_channels = static_cast<std::uint32_t>(settings.auxiliary.size());
  is.real_equipment = 1;
  is.hardware_watchdog = settings.heartbeat ? 1 : 0;
  is.max_rate_hz = settings.rate;
}

void ModbusRig::describe_channel(const PlcSettings& settings, std::uint32_t what,
                                 std::uint32_t index, trestle_channel& channel) noexcept {
  if (what != TRESTLE_ACTUATOR && what != TRESTLE_AUXILIARY) return;
  const std::vector<Register>& all =
      what == TRESTLE_ACTUATOR ? settings.displacements : settings.auxiliary;
  if (index >= all.size()) return;
  const Register& one = all[index];
  std::snprintf(channel.name, sizeof channel.name, "%s", one.channel.c_str());
  if (what == TRESTLE_AUXILIARY)
    std::snprintf(channel.unit, sizeof channel.unit, "%s", one.unit_name.c_str());
  else
    channel.rotates = one.rotates ? 1 : 0;
}

void ModbusRig::prepare() {
  refused_ = false;
  refusal_.clear();
  gives_up_ = false;
  commands_.begin_run();
  plc_.tick();
  const unsigned request = plc_.request_run();
  const std::int64_t limit = plugin::monotonic_ns() + plugin::to_ns(plc_.patience());
  while (!plc_.is_done(request)) {
    if (gives_up_)
      throw std::runtime_error("a hold ended the preparation of the PLC " +
                               settings_.server + "; prepare it again");
    if (plugin::monotonic_ns() > limit)
      throw std::runtime_error("the thread that talks with the PLC " + settings_.server +
                               " has not come back within " +
                               std::to_string(plc_.patience()) +
                               " s; the host is overloaded");
    poll(nullptr, 0, kSlice);
  }
  if (!plc_.is_faulty()) return;
  std::array<char, plugin::FaultMessage::kLength> why{};
  plc_.fault().copy(why.data(), static_cast<std::uint32_t>(why.size()));
  throw std::runtime_error(why.data());
}

trestle_adapter_status ModbusRig::read(std::int64_t now_ns,
                                       trestle_sensed& sensed) noexcept {
  plc_.tick();
  if (refused_ || plc_.is_faulty()) return TRESTLE_ADAPTER_TRIPPED;
  if (plc_.readings().stamp() == 0) return TRESTLE_ADAPTER_LATE;
  const std::size_t actuators = settings_.commands.size();
  std::int64_t at_ns = 0;
  const bool whole = plc_.readings().read(at_ns, [&](std::size_t i, double value) {
    if (i < actuators)
      sensed.displacement[i] = value;
    else if (i < 2 * actuators)
      sensed.force[i - actuators] = value;
    else if (i - 2 * actuators < settings_.auxiliary.size())
      sensed.auxiliary[i - 2 * actuators] = value;
  });
  const std::int64_t age = plugin::monotonic_ns() - at_ns;
  if (!whole || age > plugin::to_ns(settings_.stale)) return TRESTLE_ADAPTER_LATE;
  sensed.measured_at_ns = now_ns - age;
  return TRESTLE_ADAPTER_OK;
}

trestle_adapter_status ModbusRig::write(const double* drive) noexcept {
  const unsigned holds = commands_.holds();
  plc_.tick();
  for (std::size_t i = 0; i < settings_.commands.size(); ++i) {
    const double value = drive[i];
    if (table_.set_value(i, value, words_)) continue;
    refuse_command(i, value);
    return TRESTLE_ADAPTER_TRIPPED;
  }
  if (refused_ || plc_.is_faulty()) return TRESTLE_ADAPTER_TRIPPED;
  return commands_.give(words_, holds) ? TRESTLE_ADAPTER_OK : TRESTLE_ADAPTER_LATE;
}

void ModbusRig::refuse_command(std::size_t actuator, double value) noexcept {
  commands_.hold();
  if (refused_) return;
  const Register& one = settings_.commands[actuator];
  const char* const unit = one.unit_name.c_str();
  refusal_.write(
      "the %s is %.6g %s, outside its range %.6g to %.6g %s or that of its type: it was "
      "not "
      "written; reduce the drive, or correct the range in the settings",
      one.name.c_str(), value / one.unit, unit, one.least / one.unit, one.most / one.unit,
      unit);
  refused_ = true;
}

void ModbusRig::stop() noexcept {
  commands_.stop();
  if (!settings_.control) return;
  const std::int64_t limit =
      plugin::monotonic_ns() + plugin::to_ns(2.0 * settings_.response);
  while (plc_.is_connected() && plc_.told() != Order::kStop &&
         plugin::monotonic_ns() < limit)
    poll(nullptr, 0, kSlice);
}

void ModbusRig::diagnose(char* text, std::uint32_t size) const noexcept {
  if (refused_ || plc_.is_faulty()) return diagnose_fault(text, size);
  const std::int64_t at_ns = plc_.readings().stamp();
  if (at_ns == 0)
    std::snprintf(text, size, "not connected to the PLC %s; prepare() connects",
                  settings_.server.c_str());
  else
    std::snprintf(text, size,
                  "the newest reading of the PLC %s is %.1f ms old; %" PRIu64
                  " readings; it was told to %s",
                  settings_.server.c_str(),
                  1e-6 * static_cast<double>(plugin::monotonic_ns() - at_ns), plc_.polls(),
                  plc_.told() == Order::kFollow ? "follow"
                  : plc_.told() == Order::kStop ? "stop"
                                                : "hold");
}

void ModbusRig::diagnose_fault(char* text, std::uint32_t size) const noexcept {
  const plugin::FaultMessage& fault = refused_ ? refusal_ : plc_.fault();
  if (!fault.copy(text, size)) {
    std::snprintf(text, size, "the PLC %s is being prepared", settings_.server.c_str());
    return;
  }
  const std::size_t length = std::strlen(text);
  const bool is_connected = plc_.is_connected();
  std::snprintf(text + length, size - length, "%s",
                is_connected ? "; the rig holds, and the next preparation takes it up"
                             : "; the PLC is called again every second, and its own "
                               "watchdog has to hold the rig");
}

}  // namespace trestle::modbus_tcp
