#include <google/protobuf/message.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "composition/processes/test_setup.h"
#include "composition/processes/virtual_lab.h"
#include "core/journal/forgetful_recorder.h"
#include "core/yaml/config_error.h"
#include "core/yaml/yaml_reader.h"
#include "core/yaml/yaml_writer.h"
#include "proto/config.pb.h"
#include "proto/options.pb.h"
#include "tests/system/memory_recorder.h"

namespace trestle::schema_walk_test {
namespace {

// No key is ever ignored: every number, word and switch of a few whole tests is given
// another value, where it stands and where it might stand, and something must come of it: a
// sentence, other numbers, other times, or another agreement with the sites. What has an
// effect that such a run cannot show stands below with the reason.

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
namespace fs = std::filesystem;

/// `*` stands for anything up to the next dot or to the end of an index.
const std::map<std::string, std::string>& effects_elsewhere() {
  static const std::map<std::string, std::string> reasons{
      {"test", "the name of the record, and of the contract"},
      {"recording.ticks", "how many ticks the sites' records keep"},
      {"recording.power_loss", "how often a record on disk is made safe"},
      {"arming.allow_unstable", "real equipment alone is armed"},
      {"arming.without_hardware_watchdog", "real equipment alone is armed"},
      {"pseudo_dynamic.*", "each mode of pace uses its own settings"},
      {"continuous.*", "each mode of pace uses its own settings"},
      {"real_time.*", "each mode of pace uses its own settings"},
      {"excitation.unit",
       "of a file; may stand beside synthetic, each used with its record"},
      {"clock_source", "sites of this process share the clock"},
      {"listen", "sites that call in"},
      {"security.*", "sockets"},
      {"sites[*].secant_stiffness", "what the stability check looks at besides"},
      {"sites[*].control_thread.*", "the wall clock"},
      {"sites[*].start_checks.*", "rests before arming, of real equipment"},
      {"sites[*].as_real_equipment", "is refused in lock-step by the site"},
      {"sites[*].transfer_system.*", "what is designed from it"},
      {"sites[*].link.loss", "of a link with a delay: what is lost comes that much later"},
      {"sites[*].rig.specimen.column.A", "of an interface with y"},
      {"criteria.synchronisation.from", "needs its frequencies"},
  };
  return reasons;
}

/// Of numbers that make no sense alone: their message is written as a whole.
bool matches(const std::string& pattern, const std::string& path) {
  std::size_t p = 0;
  std::size_t s = 0;
  while (p < pattern.size()) {
    if (pattern[p] == '*') {
      if (++p == pattern.size()) return true;
      while (s < path.size() && path[s] != pattern[p]) ++s;
      continue;
    }
    if (s == path.size() || path[s] != pattern[p]) return false;
    ++p;
    ++s;
  }
  return s == path.size();
}

bool has_effect_elsewhere(const std::string& path) {
  for (const auto& [pattern, reason] : effects_elsewhere())
    if (matches(pattern, path)) return true;
  return false;
}

/// test.yaml, written again and again.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "schema_walk_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(folder_); }
  std::string write(const std::string& text) const {
    std::ofstream(folder_ / "test.yaml") << text;
    return (folder_ / "test.yaml").string();
  }

 private:
  fs::path folder_;
};

class Fingerprint {
 public:
  void add(double value) { add_bits(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::string& text) {
    add_bits(text.size());
    for (const char letter : text) add_bits(static_cast<unsigned char>(letter));
  }
  std::string text() const { return std::to_string(state_); }

 private:
  void add_bits(std::uint64_t bits) {
    state_ = (state_ ^ bits) * 0x9E3779B97F4A7C15ULL;
    state_ ^= state_ >> 29;
  }
  std::uint64_t state_ = 0x243F6A8885A308D3ULL;
};

void add(const IntegratorSettings& settings, Fingerprint& print) {
  for (const Duration duration : {settings.connect, settings.answer, settings.heartbeat,
                                  settings.watchdog, settings.hold, settings.clock_bound})
    print.add(static_cast<double>(duration.count()));
  print.add(settings.synchronisation.from);
  print.add(settings.synchronisation.until);
  for (const SiteInTest& site : settings.sites) {
    print.add(site.name);
    for (const InterfaceDof& dof : site.layout)
      for (const double limit :
           {dof.displacement_limit, dof.rate_limit, dof.acceleration_limit})
        print.add(limit);
    for (const ActuatorLimits& it : site.limits)
      for (const double limit : {it.displacement, it.rate, it.acceleration, it.force,
                                 it.tracking_error, it.tracking_dwell, it.energy_error})
        print.add(limit);
    print.add(site.compensator);
    print.add(site.controller);
  }
}

void add(const RunReport& report, Fingerprint& print) {
  print.add(report.reason);
  for (const SiteReport& site : report.sites)
    for (const AccountReport& account : site.ledger)
      for (const double time : {account.p50, account.p99, account.max}) print.add(time);
}

/// What comes of a test: its complaints, or its numbers, times and agreements.
std::string outcome(const config::Test& test, const Folder& folder) {
  std::unique_ptr<TestSetup> setup;
  try {
    setup = set_up_test(folder.write(write_yaml(test)), {}, "test");
  } catch (const ConfigError& error) {
    std::string lines = "refused:";
    for (const std::string& line : error.lines()) lines += "\n" + line;
    return lines;
  } catch (const std::exception& error) {
    return std::string("thrown: ") + error.what();
  }
  Fingerprint print;
  add(setup->integrator, print);
  for (const LabSite& site : setup->sites_here)
    for (const auto& [key, value] : site.settings.stated) print.add(key + value);
  setup->integrator.session.fill(0x5a);
  for (LabSite& site : setup->sites_here)
    site.recorder = std::make_unique<ForgetfulRecorder>();
  testing::MemoryRecorder recorder("result");
  VirtualLab lab(setup->integrator, *setup->substructure, recorder,
                 std::move(setup->sites_here), nullptr, {});
  lab.run([] { return true; });
  add(lab.integrator().report(), print);
  for (const Channel& channel : recorder.channels) print.add(channel.name);
  for (const double value : recorder.values()) print.add(value);
  return print.text();
}

double option(const FieldDescriptor& field, const auto& extension, double otherwise) {
  return field.options().HasExtension(extension) ? field.options().GetExtension(extension)
                                                 : otherwise;
}

/// Some other numbers that are allowed there.
std::vector<double> others(const FieldDescriptor& field, double value) {
  const double low = std::max(option(field, config::above, -1e300),
                              option(field, config::at_least, -1e300));
  const double high =
      std::min(option(field, config::below, 1e300), option(field, config::at_most, 1e300));
  std::vector<double> fit;
  for (const double other : {1.25 * value, 0.8 * value, value + 1.0, 0.3, 2.0, 1e-3, 40.0})
    if (other > low && other < high && other != value) fit.push_back(other);
  return fit;
}

class Walk {
 public:
  Walk(config::Test test, std::vector<std::string>& ignored)
      : test_(std::move(test)), usual_(outcome(test_, folder_)), ignored_(ignored) {
    EXPECT_EQ(usual_.find("refused"), std::string::npos) << usual_;
    EXPECT_EQ(usual_.find("thrown"), std::string::npos) << usual_;
  }

  int walk() {
    walk(test_, "");
    return tried_;
  }

 private:
  /// A message stays as it was, whatever is tried with it.
  void walk(Message& message, const std::string& path) {
    const auto& reflection = *message.GetReflection();
    const auto& descriptor = *message.GetDescriptor();
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      const std::string here = path + (path.empty() ? "" : ".") + field.name();
      if (has_effect_elsewhere(here)) continue;
      if (field.is_repeated()) {
        walk_list(message, field, here);
      } else if (field.message_type() != nullptr) {
        if (reflection.HasField(message, &field))
          walk(*reflection.MutableMessage(&message, &field), here);
        else if (field.real_containing_oneof() == nullptr && depth_ == 0)
          walk_absent(message, field, here);
      } else if (field.real_containing_oneof() == nullptr ||
                 reflection.HasField(message, &field)) {
        try_values(message, field, here);
      }
    }
  }

  /// The settings that it might have.
  void walk_absent(Message& message, const FieldDescriptor& field,
                   const std::string& path) {
    const auto& reflection = *message.GetReflection();
    ++depth_;
    walk(*reflection.MutableMessage(&message, &field), path);
    --depth_;
    reflection.ClearField(&message, &field);
  }

  void walk_list(Message& message, const FieldDescriptor& field, const std::string& path) {
    const auto& reflection = *message.GetReflection();
    if (reflection.FieldSize(message, &field) == 0) return;
    const std::string first = path + "[0]";
    if (has_effect_elsewhere(first)) return;
    if (field.message_type() != nullptr)
      return walk(*reflection.MutableRepeatedMessage(&message, &field, 0), first);
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) return;
    const double value = reflection.GetRepeatedDouble(message, &field, 0);
    judge(first, others(field, value),
          [&](double other) { reflection.SetRepeatedDouble(&message, &field, 0, other); });
    reflection.SetRepeatedDouble(&message, &field, 0, value);
  }

  void try_values(Message& message, const FieldDescriptor& field, const std::string& path) {
    const auto& reflection = *message.GetReflection();
    const bool given = reflection.HasField(message, &field);
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_DOUBLE: {
        const double value = reflection.GetDouble(message, &field);
        judge(path, others(field, value),
              [&](double other) { reflection.SetDouble(&message, &field, other); });
        reflection.SetDouble(&message, &field, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_BOOL: {
        const bool value = reflection.GetBool(message, &field);
        judge(path, {1.0}, [&](double) { reflection.SetBool(&message, &field, !value); });
        reflection.SetBool(&message, &field, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_ENUM: {
        const int value = reflection.GetEnumValue(message, &field);
        std::vector<double> numbers;
        for (int i = 0; i < field.enum_type()->value_count(); ++i)
          if (field.enum_type()->value(i)->number() != value)
            numbers.push_back(field.enum_type()->value(i)->number());
        judge(path, numbers, [&](double other) {
          reflection.SetEnumValue(&message, &field, static_cast<int>(other));
        });
        reflection.SetEnumValue(&message, &field, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_UINT32: {
        const std::uint32_t value = reflection.GetUInt32(message, &field);
        judge(path, {value + 1.0, 3.0, 7.0}, [&](double other) {
          reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(other));
        });
        reflection.SetUInt32(&message, &field, value);
        break;
      }
      default:
        return;  // names and paths: nothing is found by another one
    }
    if (!given) reflection.ClearField(&message, &field);
  }

  /// Any of the values must make a difference.
  void judge(const std::string& path, const std::vector<double>& values,
             const std::function<void(double)>& set) {
    ++tried_;
    for (const double value : values) {
      set(value);
      if (outcome(test_, folder_) != usual_) return;
    }
    if (!values.empty()) ignored_.push_back(path);
  }

  Folder folder_;
  config::Test test_;
  std::string usual_;
  std::vector<std::string>& ignored_;
  int tried_ = 0;
  int depth_ = 0;
};

config::Test read(const std::string& yaml) {
  const Folder folder;
  config::Test test;
  SourceMap where;
  read_yaml(folder.write(yaml), {}, test, where);
  return test;
}

const char* const kFrame = R"(test: walk
time_step: 1/256 s
seed: 7
duration: 0.6 s
excitation: {record: synthetic, scale: 0.4, synthetic: {duration: 2 s}}
numerical:
  frame:
    nodes: {floor_w: [0, 3 m], floor_e: [6 m, 3 m], roof_w: [0, 6 m], roof_e: [6 m, 6 m], foot_e: [6 m, 0]}
    supports:
      - {nodes: [floor_w, floor_e], fixed: [y]}
      - {nodes: [foot_e], fixed: [x, y, rz]}
    sections:
      column: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4, mass_per_length: 60 kg/m}
      beam:   {E: 210 GPa, A: 62.6 cm2, I: 11770 cm4}
    members:
      - {from: floor_w, to: roof_w, section: column}
      - {from: floor_e, to: roof_e, section: column}
      - {from: floor_w, to: floor_e, section: beam}
      - {from: roof_w,  to: roof_e,  section: beam}
      - {from: foot_e,  to: floor_e,  section: column}
    masses: [{node: roof_w, mass: 1 t, rotational_inertia: 10 kg.m2}]
    springs: [{node: roof_e, dof: x, law: {kind: bouc-wen, stiffness: 1 MN/m, yield_force: 200 N}, damping: 1 kN.s/m}]
    floors:
      - {nodes: [floor_w, floor_e], mass: 12 t, rotational_inertia: 500 kg.m2}
      - {nodes: [roof_w, roof_e],   mass: 10 t, rotational_inertia: 500 kg.m2}
    damping: {rayleigh: {ratio: 0.02, modes: [1, 2]}}
  integrator: {kind: operator-splitting}
sites:
  west:
    interface: [floor_w.x, floor_w.rz]
    limits: {actuators: [{displacement: 1 m}, {displacement: 1 rad}]}
    compensator: {kind: ats, expected_delay: 12 ms, excitation_floor: 0 mm}
    controller: {kind: pid, proportional: 0.1}
    rig:
      actuators: [{kind: second-order, frequency: 18 Hz, damping: 0.7}, {kind: first-order, frequency: 20 Hz}]
      specimen: {kind: column, E: 210 GPa, A: 78.1 cm2, I: 5696 cm4, height: 3 m, hysteresis: {kind: bilinear, yield_moment: 1 kN.m, hardening: 0.03}}
      noise: [{displacement: 2 um, force: 20 N}, {displacement: 1 urad, force: 10 N.m}]
)";

const char* const kStoreys = R"(test: walk
time_step: 1/256 s
seed: 7
duration: 0.6 s
excitation: {record: synthetic, scale: 0.4, synthetic: {duration: 2 s}}
numerical:
  shear_building:
    storeys: {first: {mass: 20 t}, roof: {mass: 15 t, law: {kind: bilinear, stiffness: 20 MN/m, yield_force: 1 kN, hardening: 0.1}}}
    damping: {modal: {ratio: [2 %, 3 %]}}
  integrator: {kind: kr-alpha}
reference: undivided
criteria: {responses: [roof.x], synchronisation: {from: 0.1 s}}
sites:
  lab:
    interface: [first.x]
    control_tick: 1/1024 s
    compensator: {kind: polynomial, delay: 10 ms}
    rig:
      transfer_matrix: {kind: servo-hydraulic}
      noise: [{displacement: 2 um}]
      specimen: {kind: linear, stiffness: [[20e6]], damping: [[5e3]], mass: [[3e3]]}
)";

const char* const kLoaded = R"(test: walk
time_step: 1/1024 s
seed: 7
duration: 0.2 s
excitation: {record: synthetic, scale: 0.4, synthetic: {duration: 2 s}}
numerical:
  shear_building:
    storeys: {first: {mass: 20 t}, roof: {mass: 15 t, stiffness: 20 MN/m}}
    damping: {rayleigh: {mass_factor: 0.5, stiffness_factor: 0.001}}
sites:
  lab:
    interface: [first.x]
    rig:
      transfer_systems: [{mass: 200 kg, stiffness: 400 MN/m, damping: 300 kN.s/m, friction: {force: 200 N}}]
      specimen: {kind: linear, stiffness: [[20e6]], damping: [[5e3]]}
)";

TEST(NoKeyIsEverIgnored, InWholeTests) {
  for (const char* yaml : {kFrame, kStoreys, kLoaded}) {
    std::vector<std::string> ignored;
    const int tried = Walk(read(yaml), ignored).walk();
    EXPECT_GT(tried, 40);
    for (const std::string& path : ignored) ADD_FAILURE() << path << " is ignored";
  }
}

}  // namespace
}  // namespace trestle::schema_walk_test
