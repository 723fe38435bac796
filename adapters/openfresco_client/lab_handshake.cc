#include "adapters/openfresco_client/lab_handshake.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "adapters/openfresco_client/lab_messages.h"

namespace trestle::openfresco {
namespace {

void greet(const LabSettings& settings, LabConnection& connection) {
  const Duration patience = to_duration(settings.connect);
  if (settings.datagrams && settings.greeting) {
    const std::byte greeting = kGreeting;
    std::byte answer{};
    connection.say({&greeting, 1});
    connection.hear({&answer, 1}, patience, "greeting");
    if (answer != kGreetingAnswer)
      throw std::runtime_error("greeting: the OpenFresco server " + settings.server +
                               " answers it with something else");
  }
  if (settings.datagrams || settings.kind != Server::kLab) return;
  std::byte one[kIntegerBytes];
  write_integer(1, one);
  connection.say(one);
  connection.hear(one, patience, "first word");
  if (read_integer(one) != 1)
    throw std::runtime_error("the server " + settings.server +
                             " is no laboratory server of OpenFresco, or of another byte "
                             "order");
}

void open_lab(const LabSettings& settings, LabConnection& connection) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(kDefaultDataSize) * kRealBytes);
  set_real(bytes, 0, static_cast<double>(MessageCode::kOpen));
  set_real(bytes, 1, kOurTag);
  set_real(bytes, 2, settings.version);
  connection.say(bytes);
  connection.hear(bytes, to_duration(settings.connect), "answer to open");
  const double version = real_at(bytes, 2);
  if (std::abs(version - settings.version) > 1e-6)
    throw std::runtime_error("version: the OpenFresco server " + settings.server + " is " +
                             std::to_string(version) + "; state that");
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  set_real(bytes, 0, static_cast<double>(MessageCode::kSetup));
  set_real(bytes, 1, settings.data);
  connection.say(bytes);
  const Sizes sizes = settings.sizes();
  std::byte responses[kResponsesBytes];
  write_responses(sizes.control, responses);
  connection.say(responses);
  write_responses(sizes.measured, responses);
  connection.say(responses);
}

}  // namespace

void open_session(const LabSettings& settings, LabConnection& connection) {
  connection.open(settings.server, settings.datagrams, to_duration(settings.connect));
  try {
    greet(settings, connection);
    if (settings.kind == Server::kLab) return open_lab(settings, connection);
    std::byte bytes[kSizesBytes];
    write_sizes(settings.sizes(), bytes);
    connection.say(bytes);
  } catch (...) {
    connection.close();
    throw;
  }
}

}  // namespace trestle::openfresco
