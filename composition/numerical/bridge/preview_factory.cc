#include "composition/numerical/bridge/preview_factory.h"

#include <cmath>

#include "composition/linear/transfer_factory.h"
#include "core/base/setting_check.h"
#include "core/base/setting_error.h"
#include "core/math/discretisation.h"
#include "proto/config/bridge.pb.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

constexpr double kBand = 80.0;  // [Hz]

/// The configured one under commands that are held for a control tick.
bridge::TransferResponse response_of(const config::Preview& preview, double tick,
                                     const std::string& path) {
  const math::StateSpace system = make_transfer(preview.transfer(), 1, path + ".transfer");
  return [sampled = math::discretise(system, tick), tick,
          delay = preview.delay()](double omega) {
    return math::frequency_response(sampled, std::polar(1.0, omega * tick))(0, 0) *
           std::polar(1.0, -omega * delay);
  };
}

}  // namespace

std::vector<bridge::PreviewCommand> make_preview(
    const config::Test& test, const bridge::BridgeParts& parts,
    const std::vector<bridge::TransferResponse>& transfers) {
  const config::Bridge& bridge = test.numerical().bridge();
  const std::string path = "numerical.bridge.preview";
  const config::Preview& given = bridge.preview();
  if (!bridge.has_preview() || (given.has_enabled() && !given.enabled()) || !parts.track)
    return {};
  const double band = given.has_band() ? given.band() : kBand;
  if (!(band > 0.0) || !(2.0 * band * parts.time_step < 1.0))
    throw SettingError(path + ".band", "is " + in_words(band) +
                                           " Hz; must be below half a step's rate, " +
                                           in_words(0.5 / parts.time_step) + " Hz");
  const double period = parts.time_step / parts.similitude.time;
  std::vector<bridge::PreviewCommand> previewed;
  std::size_t dof = 0;
  for (std::size_t site = 0; site < parts.interfaces.size(); ++site)
    for (const std::size_t contact : parts.interfaces[site]) {
      const config::Site& message = test.sites(static_cast<int>(site));
      const double tick =
          message.has_control_tick() ? message.control_tick() : parts.time_step;
      bridge::TransferResponse transfer;
      if (given.has_transfer())
        transfer = response_of(given, tick, path);
      else if (dof < transfers.size())
        transfer = transfers[dof];
      if (!transfer)
        throw SettingError(path,
                           "nothing is known of what stands between command and "
                           "displacement at site " +
                               message.name() +
                               "; give the preview a `transfer`, or the site its "
                               "`transfer_system`");
      std::vector<double> wanted;
      for (std::int64_t k = 0; k < parts.steps; ++k)
        wanted.push_back(
            parts.track
                ->at(parts.speed * (static_cast<double>(k) * period - parts.lead_in) -
                     parts.contacts[contact].behind)
                .height);
      previewed.push_back(
          {contact, bridge::invert_transfer(wanted, parts.time_step, transfer, band)});
      ++dof;
    }
  return previewed;
}

}  // namespace trestle::composition
