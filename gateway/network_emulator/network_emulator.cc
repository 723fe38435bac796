#include "gateway/network_emulator/network_emulator.h"

#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <utility>

#include "core/base/setting_error.h"
#include "gateway/network_emulator/emulated_link.h"

namespace trestle::network_emulator {
namespace {

constexpr std::chrono::milliseconds kBetween(100);

}  // namespace

struct NetworkEmulator::Parts {
  boost::asio::io_context context{1};
  std::vector<std::unique_ptr<EmulatedLink>> lines;  // before the context closes
};

NetworkEmulator::NetworkEmulator(const std::vector<RelaySettings>& relays,
                                 const EventCallback& say)
    : parts_(std::make_unique<Parts>()) {
  std::vector<SettingIssue> problems;
  for (std::size_t i = 0; i < relays.size(); ++i) {
    try {
      parts_->lines.push_back(
          std::make_unique<EmulatedLink>(parts_->context, relays[i], say));
    } catch (const std::runtime_error& error) {
      problems.push_back({"relays[" + std::to_string(i) + "].listen", error.what()});
    }
  }
  if (!problems.empty()) throw SettingError(std::move(problems));
}

NetworkEmulator::~NetworkEmulator() = default;

void NetworkEmulator::run(const std::function<bool()>& between) {
  const auto zero = std::chrono::steady_clock::now();
  for (const auto& line : parts_->lines) line->begin(zero);
  while (between()) parts_->context.run_for(kBetween);
}

std::vector<RelayStatus> NetworkEmulator::status() const {
  std::vector<RelayStatus> all;
  for (const auto& line : parts_->lines) all.push_back(line->status());
  return all;
}

}  // namespace trestle::network_emulator
