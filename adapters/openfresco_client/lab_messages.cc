#include "adapters/openfresco_client/lab_messages.h"

#include <algorithm>

namespace trestle::openfresco {
namespace {

// Commit, trial and question leave in one piece.
constexpr std::size_t kMessagesAtOnce = 3;

}  // namespace

double real_at(std::span<const std::byte> bytes, std::size_t index) noexcept {
  return read_real(bytes.subspan(index * kRealBytes).first<kRealBytes>());
}

void set_real(std::span<std::byte> bytes, std::size_t index, double value) noexcept {
  write_real(value, bytes.subspan(index * kRealBytes).first<kRealBytes>());
}

LabMessages::LabMessages(const LabSettings& settings)
    : settings_(settings), sizes_(settings.sizes()) {
  const auto data = static_cast<std::size_t>(settings.data) * kRealBytes;
  out_.assign(kMessagesAtOnce * data, std::byte{0});
  in_.assign(data, std::byte{0});
}

void LabMessages::write_state(std::size_t index, MessageCode code,
                              std::span<const double> target,
                              std::int64_t now_ns) noexcept {
  const std::span<std::byte> bytes = message(index);
  set_real(bytes, 0, static_cast<double>(code));
  for (std::size_t i = 0; i < target.size(); ++i)
    set_real(bytes, 1 + i, target[i] / length_unit(i));
  set_real(bytes, 1 + sizes_.control.time_at(),
           1e-9 * static_cast<double>(now_ns - begun_at_ns_));
}

void LabMessages::write_end(std::size_t index) noexcept {
  const std::span<std::byte> bytes = message(index);
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  set_real(bytes, 0, static_cast<double>(MessageCode::kEnd));
  if (settings_.kind == Server::kLab) set_real(bytes, 1, kOurTag);
}

double LabMessages::displacement(std::size_t actuator) const noexcept {
  return real_at(in_, actuator) * length_unit(actuator);
}

double LabMessages::force(std::size_t actuator) const noexcept {
  const double unit =
      rotates(actuator) ? settings_.force * settings_.length : settings_.force;
  return real_at(in_, sizes_.measured.force_at() + actuator) * unit;
}

bool LabMessages::rotates(std::size_t actuator) const noexcept {
  return actuator < settings_.rotates.size() && settings_.rotates[actuator];
}

double LabMessages::length_unit(std::size_t actuator) const noexcept {
  return rotates(actuator) ? 1.0 : settings_.length;
}

}  // namespace trestle::openfresco
