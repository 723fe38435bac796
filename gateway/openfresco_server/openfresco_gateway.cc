#include "gateway/openfresco_server/openfresco_gateway.h"

namespace trestle::openfresco_server {
namespace {

Channels channels_of(const GatewaySettings& settings) {
  Channels channels{{"client.time_s", "s"}, {"client.commits", "1"}};
  for (const InterfaceLayout& site : settings.sites)
    for (const InterfaceDof& dof : site) {
      if (dof.role == DofRole::kForceOnly) continue;
      const bool turns = dof.kind == DofKind::kRotation;
      channels.push_back(
          {"client." + dof.name + (turns ? ".disp_rad" : ".disp_m"), turns ? "rad" : "m"});
    }
  return channels;
}

}  // namespace

OpenFrescoGateway::OpenFrescoGateway(const GatewaySettings& settings, ClientPort& port,
                                     const Clock& clock)
    : port_(port), client_(settings, port, clock), channels_(channels_of(settings)) {}

void OpenFrescoGateway::predict(std::int64_t /*step*/,
                                std::span<SiteTarget> requests) noexcept {
  client_.take_target(requests);
}

bool OpenFrescoGateway::correct(std::int64_t /*step*/,
                                std::span<const SiteResponse> answers) noexcept {
  client_.measured(answers);
  return true;
}

void OpenFrescoGateway::record(std::span<double> row) const noexcept {
  const ClientCommand& motion = client_.motion();
  row[0] = motion.time();
  row[1] = static_cast<double>(client_.commits());
  for (std::size_t i = 2; i < row.size(); ++i)
    row[i] = motion.to_si(i - 2, motion.displacement()[i - 2]);
}

}  // namespace trestle::openfresco_server
