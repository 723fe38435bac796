#include "composition/hybrid_test/relay_factory.h"

#include <charconv>
#include <string_view>
#include <system_error>

#include "composition/hybrid_test/link_factory.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "proto/config/network.pb.h"

namespace trestle::composition {
namespace {

network_emulator::RelaySettings make_relay(const config::LinkFile& file,
                                           const config::Relay& relay,
                                           const std::string& path) {
  network_emulator::RelaySettings settings;
  settings.name = relay.name();
  settings.listen = make_host_port(relay.listen(), path + ".listen");
  settings.to = make_host_port(relay.to(), path + ".to");
  if (settings.to.port == 0)
    throw SettingError(path + ".to", "is port 0; say the port where the other end listens");
  settings.link = relay.has_link()
                      ? make_link(relay.link(), file.seed(), relay.name(), path + ".link")
                      : make_link(file.link(), file.seed(), relay.name(), "link");
  return settings;
}

}  // namespace

network_emulator::HostPort make_host_port(const std::string& text,
                                          const std::string& path) {
  const auto wrong = [&] {
    return SettingError(path, "`" + text +
                                  "` is no HOST:PORT; write 127.0.0.1:7101, with a port of "
                                  "0 to 65535 and without tcp://");
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) throw wrong();
  network_emulator::HostPort place;
  place.host = text.substr(0, colon);
  const std::string_view port = std::string_view(text).substr(colon + 1);
  const auto [rest, error] =
      std::from_chars(port.data(), port.data() + port.size(), place.port);
  if (error != std::errc{} || rest != port.data() + port.size()) throw wrong();
  if (place.host.front() == '[' && place.host.back() == ']')
    place.host = place.host.substr(1, place.host.size() - 2);
  else if (place.host.find_first_of(":/") != std::string::npos)
    throw wrong();
  if (place.host == "*") place.host = "0.0.0.0";
  return place;
}

std::vector<network_emulator::RelaySettings> make_relays(const config::LinkFile& file) {
  std::vector<network_emulator::RelaySettings> relays;
  std::vector<SettingIssue> problems;
  for (int i = 0; i < file.relays_size(); ++i) {
    try {
      relays.push_back(
          make_relay(file, file.relays(i), "relays[" + std::to_string(i) + "]"));
    } catch (const SettingError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw SettingError(std::move(problems));
  return relays;
}

std::vector<network_emulator::RelaySettings> load_relays(
    const std::string& file, const std::vector<std::string>& overrides) {
  config::LinkFile links;
  yaml::SourceMap where;
  yaml::read_yaml(file, overrides, links, where);
  std::vector<network_emulator::RelaySettings> relays;
  yaml::ConfigErrorCollector problems(where);
  problems.attempt([&] { relays = make_relays(links); });
  problems.throw_if_any();
  return relays;
}

std::unique_ptr<network_emulator::NetworkEmulator> load_network_emulator(
    const std::string& file, const std::vector<std::string>& overrides,
    const network_emulator::NetworkEmulator::EventCallback& say) {
  config::LinkFile links;
  yaml::SourceMap where;
  yaml::read_yaml(file, overrides, links, where);
  std::unique_ptr<network_emulator::NetworkEmulator> emulator;
  yaml::ConfigErrorCollector problems(where);
  problems.attempt([&] {
    emulator = std::make_unique<network_emulator::NetworkEmulator>(make_relays(links), say);
  });
  problems.throw_if_any();
  return emulator;
}

}  // namespace trestle::composition
