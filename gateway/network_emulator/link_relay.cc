#include "gateway/network_emulator/link_relay.h"

#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <utility>

#include "core/base/setting_error.h"
#include "gateway/network_emulator/relay_line.h"

namespace trestle {
namespace {

constexpr std::chrono::milliseconds kBetween(100);

}  // namespace

struct LinkRelay::Parts {
  boost::asio::io_context context{1};
  std::vector<std::unique_ptr<RelayLine>> lines;  // before the context closes
};

LinkRelay::LinkRelay(const std::vector<RelaySettings>& relays, const Say& say)
    : parts_(std::make_unique<Parts>()) {
  std::vector<SettingProblem> problems;
  for (std::size_t i = 0; i < relays.size(); ++i) {
    try {
      parts_->lines.push_back(std::make_unique<RelayLine>(parts_->context, relays[i], say));
    } catch (const std::runtime_error& error) {
      problems.push_back({"relays[" + std::to_string(i) + "].listen", error.what()});
    }
  }
  if (!problems.empty()) throw SettingError(std::move(problems));
}

LinkRelay::~LinkRelay() = default;

void LinkRelay::run(const std::function<bool()>& between) {
  const auto zero = std::chrono::steady_clock::now();
  for (const auto& line : parts_->lines) line->begin(zero);
  while (between()) parts_->context.run_for(kBetween);
}

std::vector<RelayStatus> LinkRelay::status() const {
  std::vector<RelayStatus> all;
  for (const auto& line : parts_->lines) all.push_back(line->status());
  return all;
}

}  // namespace trestle
