// The plug-in scpi_tcp: the C border around TextInstrument.
#include <cstdio>

#include "adapters/plugin/plugin_entry.h"
#include "adapters/scpi_tcp/text_instrument.h"

namespace {

using trestle::scpi_tcp::Channel;
using trestle::scpi_tcp::ChannelKind;
using trestle::scpi_tcp::InstrumentSettings;
using trestle::scpi_tcp::TextInstrument;

void describe_channel_of(const InstrumentSettings& settings, std::uint32_t what,
                         std::uint32_t index, trestle_channel& channel) {
  const ChannelKind kind = what == TRESTLE_ACTUATOR   ? ChannelKind::kDisplacement
                           : what == TRESTLE_REACTION ? ChannelKind::kReaction
                                                      : ChannelKind::kAuxiliary;
  const Channel* const found = settings.find(kind, index);
  if (found == nullptr) return;
  std::snprintf(channel.name, sizeof channel.name, "%s", found->name.c_str());
  if (what == TRESTLE_AUXILIARY)
    std::snprintf(channel.unit, sizeof channel.unit, "%s", found->scale.unit_name.c_str());
  if (what == TRESTLE_ACTUATOR) channel.rotates = found->rotates ? 1 : 0;
}

class Instrument final : public TextInstrument {
 public:
  explicit Instrument(const char* settings)
      : TextInstrument(trestle::scpi_tcp::instrument_settings(settings)) {}

  void describe_channel(std::uint32_t what, std::uint32_t index, trestle_channel& channel) {
    describe_channel_of(settings(), what, index, channel);
  }
};

class Description {
 public:
  explicit Description(const char* settings)
      : settings_(trestle::scpi_tcp::instrument_settings(settings)) {}

  void describe(trestle_rig_capabilities& is) const noexcept {
    TextInstrument::describe(settings_, is);
  }
  void describe_channel(std::uint32_t what, std::uint32_t index,
                        trestle_channel& channel) const {
    describe_channel_of(settings_, what, index, channel);
  }

 private:
  InstrumentSettings settings_;
};

}  // namespace

const trestle_adapter_v1* trestle_site_adapter_v1() {
  return trestle::plugin::PluginEntry<Instrument>::table();
}

const trestle_adapter_v1* trestle_site_adapter_settings_v1() {
  return trestle::plugin::PluginEntry<trestle::plugin::UnopenedRig<Description>>::table();
}
