// The plug-in udp_target: the C border around UdpTarget.
#include <cstdio>

#include "adapters/plugin/plugin_entry.h"
#include "adapters/udp_target/udp_target.h"

namespace {

using trestle::udp_target::Field;
using trestle::udp_target::FieldRole;
using trestle::udp_target::TargetSettings;
using trestle::udp_target::UdpTarget;

void describe_channel_of(const TargetSettings& settings, std::uint32_t what,
                         std::uint32_t index, trestle_channel& channel) {
  if (what == TRESTLE_OUTPUT) {
    if (const Field* const output = settings.send.find(FieldRole::kOutput, index))
      std::snprintf(channel.name, sizeof channel.name, "%s", output->name.c_str());
    return;
  }
  const FieldRole meaning = what == TRESTLE_ACTUATOR   ? FieldRole::kDisplacement
                            : what == TRESTLE_REACTION ? FieldRole::kReaction
                                                       : FieldRole::kAuxiliary;
  const Field* const field = settings.receive.find(meaning, index);
  if (field == nullptr) return;
  std::snprintf(channel.name, sizeof channel.name, "%s", field->name.c_str());
  if (what == TRESTLE_AUXILIARY)
    std::snprintf(channel.unit, sizeof channel.unit, "%s", field->unit_name.c_str());
  if (what == TRESTLE_ACTUATOR) channel.rotates = field->rotates ? 1 : 0;
}

class Target final : public UdpTarget {
 public:
  explicit Target(const char* settings)
      : UdpTarget(trestle::udp_target::target_settings(settings)) {}

  void describe_channel(std::uint32_t what, std::uint32_t index, trestle_channel& channel) {
    describe_channel_of(settings(), what, index, channel);
  }
};

class Description {
 public:
  explicit Description(const char* settings)
      : settings_(trestle::udp_target::target_settings(settings)) {}

  void describe(trestle_rig_capabilities& is) const noexcept {
    UdpTarget::describe(settings_, is);
  }
  void describe_channel(std::uint32_t what, std::uint32_t index,
                        trestle_channel& channel) const {
    describe_channel_of(settings_, what, index, channel);
  }
  void count_contacts(std::uint32_t& inputs, std::uint32_t& outputs) const noexcept {
    inputs = 0;
    outputs = settings_.send.count(FieldRole::kOutput);
  }
  void inputs(trestle_inputs& /*said*/) const noexcept {}
  void set_outputs(std::uint32_t /*closed*/) const noexcept {}

 private:
  TargetSettings settings_;
};

}  // namespace

const trestle_adapter_v1* trestle_site_adapter_v1() {
  return trestle::plugin::PluginEntry<Target>::table();
}

const trestle_adapter_v1* trestle_site_adapter_settings_v1() {
  return trestle::plugin::PluginEntry<trestle::plugin::UnopenedRig<Description>>::table();
}
