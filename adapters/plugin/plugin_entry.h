#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::plugin {

/// The C border around a rig of our own, which keeps no state that could be saved. `Rig` is
/// made of the text of its settings and has the functions of the table as methods, those of
/// the contacts (count_contacts, inputs, set_outputs) if it has any; its constructor and
/// prepare() may throw, nothing else.
template <typename Rig>
class PluginEntry {
 public:
  static const trestle_adapter_v1* table() noexcept {
    static const trestle_adapter_v1 table{TRESTLE_SITE_ADAPTER_ABI,
                                          sizeof(trestle_adapter_v1),
                                          open,
                                          describe,
                                          describe_channel,
                                          prepare,
                                          read,
                                          write,
                                          hold,
                                          stop,
                                          diagnose,
                                          nullptr,
                                          nullptr,
                                          close,
                                          contacts()};
    return &table;
  }

 private:
  static Rig& of(void* rig) { return *static_cast<Rig*>(rig); }

  /// Of a rig with digital inputs or outputs.
  static const trestle_contacts_v1* contacts() noexcept {
    if constexpr (requires(Rig & rig, trestle_inputs & said) { rig.inputs(said); }) {
      static const trestle_contacts_v1 table{sizeof(trestle_contacts_v1), 0, count_contacts,
                                             inputs, set_outputs};
      return &table;
    } else {
      return nullptr;
    }
  }
  static void count_contacts(void* rig, std::uint32_t* in, std::uint32_t* out) {
    of(rig).count_contacts(*in, *out);
  }
  static void inputs(void* rig, trestle_inputs* said) { of(rig).inputs(*said); }
  static void set_outputs(void* rig, std::uint32_t closed) { of(rig).set_outputs(closed); }

  static void* open(const char* settings, char* why, std::uint32_t why_size) {
    try {
      return new Rig(settings);
    } catch (const std::exception& error) {
      std::snprintf(why, why_size, "%s", error.what());
      return nullptr;
    }
  }
  static trestle_adapter_status prepare(void* rig, const trestle_run* /*run*/, char* why,
                                        std::uint32_t why_size) {
    try {
      of(rig).prepare();
      return TRESTLE_ADAPTER_OK;
    } catch (const std::exception& error) {
      std::snprintf(why, why_size, "%s", error.what());
      return TRESTLE_ADAPTER_TRIPPED;
    }
  }
  static void describe(void* rig, trestle_rig_capabilities* is) { of(rig).describe(*is); }
  static void describe_channel(void* rig, std::uint32_t what, std::uint32_t index,
                               trestle_channel* channel) {
    of(rig).describe_channel(what, index, *channel);
  }
  static trestle_adapter_status read(void* rig, std::int64_t now_ns,
                                     trestle_sensed* sensed) {
    return of(rig).read(now_ns, *sensed);
  }
  static trestle_adapter_status write(void* rig, const double* drive) {
    return of(rig).write(drive);
  }
  static void hold(void* rig) { of(rig).hold(); }
  static void stop(void* rig) { of(rig).stop(); }
  static void diagnose(void* rig, char* text, std::uint32_t text_size) {
    of(rig).diagnose(text, text_size);
  }
  static void close(void* rig) { delete static_cast<Rig*>(rig); }
};

/// A rig that was described by its settings and is not opened: nothing can be done with it.
/// `Description` is made of the text of the settings, and has describe() and
/// describe_channel(); its constructor may throw.
template <typename Description>
class UnopenedRig : public Description {
 public:
  using Description::Description;

  void prepare() { throw std::logic_error("the rig is not opened"); }
  trestle_adapter_status read(std::int64_t /*now_ns*/, trestle_sensed& /*sensed*/) {
    return TRESTLE_ADAPTER_TRIPPED;
  }
  trestle_adapter_status write(const double* /*drive*/) { return TRESTLE_ADAPTER_TRIPPED; }
  void hold() {}
  void stop() {}
  void diagnose(char* text, std::uint32_t size) {
    std::snprintf(text, size, "the rig is not opened");
  }
};

}  // namespace trestle::plugin

/// Of the plug-ins that come with the program: a table whose open() reads the settings and
/// opens no rig, so that `trestle check` can ask for the rig while another process drives
/// it. Not part of the binary interface.
extern "C" __attribute__((visibility("default"))) const trestle_adapter_v1*
trestle_site_adapter_settings_v1();
