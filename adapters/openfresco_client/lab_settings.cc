#include "adapters/openfresco_client/lab_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "adapters/plugin/internet_address.h"
#include "adapters/plugin/setting_values.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::openfresco {
namespace {

using plugin::refuse;
using plugin::text_at;

const char* const kKeys[] = {"server",     "transport", "protocol", "actuators", "rotates[",
                             "data_size",  "greeting",  "version",  "length",    "force",
                             "rate",       "stale",     "refresh",  "connect",   "patience",
                             "same_place", nullptr};

double above_zero_at(const char* settings, const std::string& path, double fallback,
                     std::uint32_t kinds) {
  const double number = plugin::number_at(settings, path, fallback, kinds);
  if (!(number > 0.0)) refuse(path, "must be above zero");
  return number;
}

std::int32_t count_at(const char* settings, const std::string& path, std::int32_t fallback,
                      std::int32_t most) {
  const double count = above_zero_at(settings, path, fallback, TRESTLE_RATIO);
  if (count > most || count != std::floor(count))
    refuse(path, "must be a whole number from 1 to " + std::to_string(most));
  return static_cast<std::int32_t>(count);
}

bool word_at(const char* settings, const std::string& path) {
  const std::string word = text_at(settings, path);
  if (word.empty() || word == "false") return false;
  if (word != "true") refuse(path, "is " + word + "; must be true or false");
  return true;
}

Server kind_at(const char* settings) {
  const std::string word = text_at(settings, "protocol");
  if (word == "element") return Server::kElement;
  if (word.empty() || word == "site") return Server::kSite;
  if (word == "lab") return Server::kLab;
  refuse("protocol", "is " + word +
                         "; must be site (startSimAppSiteServer), lab (ActorSite with "
                         "startLabServer) or element (startSimAppElemServer)");
}

}  // namespace

LabSettings laboratory_settings(const char* settings) {
  std::array<char, 256> why{};
  if (trestle_settings_known(settings, kKeys, why.data(),
                             static_cast<std::uint32_t>(why.size())) == 0)
    throw std::runtime_error(why.data());
  LabSettings read;
  read.server = text_at(settings, "server");
  if (read.server.empty())
    refuse("server", "is missing; HOST:PORT of the OpenFresco server");
  plugin::host_port_of(read.server, "server");
  const std::string transport = text_at(settings, "transport");
  if (!transport.empty() && transport != "tcp" && transport != "udp")
    refuse("transport", "is " + transport + "; must be tcp or udp");
  read.datagrams = transport == "udp";
  read.kind = kind_at(settings);
  read.actuators = count_at(settings, "actuators", 1, TRESTLE_MOST_ACTUATORS);
  for (std::int32_t i = 0; i < read.actuators; ++i)
    read.rotates.push_back(word_at(settings, "rotates[" + std::to_string(i) + "]"));
  read.data = count_at(settings, "data_size", read.data, kLargestData);
  read.greeting = word_at(settings, "greeting");
  read.version = above_zero_at(settings, "version", read.version, TRESTLE_RATIO);
  read.length = above_zero_at(settings, "length", read.length, TRESTLE_LENGTH);
  read.force = above_zero_at(settings, "force", read.force, TRESTLE_FORCE);
  read.rate = above_zero_at(settings, "rate", read.rate, TRESTLE_FREQUENCY);
  read.stale = above_zero_at(settings, "stale", read.stale, TRESTLE_TIME);
  read.refresh = above_zero_at(settings, "refresh", read.refresh, TRESTLE_TIME);
  read.connect = above_zero_at(settings, "connect", read.connect, TRESTLE_TIME);
  read.patience = above_zero_at(settings, "patience", read.patience, TRESTLE_TIME);
  read.same_place = above_zero_at(settings, "same_place", read.same_place, plugin::kMotion);
  const Sizes sizes = read.sizes();
  if (read.data < 1 + sizes.control.all() || read.data < sizes.measured.all())
    refuse("data_size",
           "is " + std::to_string(read.data) + "; " + std::to_string(read.actuators) +
               " actuators need " +
               std::to_string(std::max(1 + sizes.control.all(), sizes.measured.all())));
  return read;
}

}  // namespace trestle::openfresco
