#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "composition/hybrid_test/relay_factory.h"
#include "composition/hybrid_test/rig_factory.h"
#include "composition/processes/gateway_setup.h"
#include "composition/processes/hybrid_test_nodes.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/base/setting_error.h"
#include "core/journal/null_recorder.h"
#include "core/types/participant.h"
#include "core/yaml/config_error.h"
#include "core/yaml/yaml_reader.h"
#include "core/yaml/yaml_writer.h"
#include "proto/config/gateway.pb.h"
#include "proto/config/network.pb.h"
#include "proto/config/options.pb.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/study.pb.h"
#include "proto/config/test.pb.h"
#include "studies/campaign/study_factory.h"
#include "studies/characterisation/characterise_factory.h"
#include "tests/system/in_memory_recorder.h"

namespace trestle::schema_walk_test {
namespace {

// No key is ever ignored: the files in tests/data/schema_walk are given other values, one
// at a time, and something must come of each: a sentence, other numbers, other times, or
// another agreement with the sites. What has an effect that such a run cannot show stands
// below, or in the file, with the reason. Together the files must reach every message of
// the schema. What is given another value:
//   - each number, choice and switch, where it stands and where it might stand
//   - each name, text and path where it stands, by one that nothing has
//   - each choice, count and name in a list; of a list of numbers the first
// What is not: a name, text or path where none stands; the keys of entries
// (`sites: {west: ...}`), by which others find them; lists that are empty; numbers in a
// list behind the first.
//
// The name of a file says what it is: test_*.yaml, site_*, gateway_*, link_*, study_*,
// transfer_*. In its first lines:
//   # walk: PATH ...            only this is walked; absent: all of it
//   # elsewhere: PATTERN why    has an effect that this cannot show

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
namespace fs = std::filesystem;

/// `*` stands for anything up to the next dot or to the end of an index.
const std::map<std::string, std::string>& effects_elsewhere() {
  static const std::map<std::string, std::string> reasons{
      {"test", "the name of the record, and of the contract"},
      {"recording.ticks", "how many ticks the sites' records keep"},
      {"recording.coefficients", "whether the sites' records keep coefficients"},
      {"recording.power_loss", "how often a record on disk is made safe"},
      {"arming.allow_unstable", "real equipment alone is armed"},
      {"arming.without_hardware_watchdog", "real equipment alone is armed"},
      {"pseudo_dynamic.*", "each mode of pace uses its own settings"},
      {"continuous.*", "each mode of pace uses its own settings"},
      {"real_time.*", "each mode of pace uses its own settings"},
      {"excitation.unit",
       "of a file; may stand beside synthetic, each used with its record"},
      {"clock_source", "sites of this process share the clock; in a rehearsal none does"},
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

/// A file of the folder.
struct Subject {
  explicit Subject(const fs::path& file) : path(file.string()) {
    const std::string stem = file.stem().string();
    kind = stem.substr(0, stem.find('_'));
    std::ifstream text(file);
    std::string line;
    while (std::getline(text, line) && line.starts_with("#")) {
      std::istringstream words(line.substr(1));
      std::string word, pattern;
      words >> word;
      if (word == "walk:")
        while (words >> pattern) parts.push_back(pattern);
      if (word == "elsewhere:" && words >> pattern) elsewhere.push_back(pattern);
    }
  }
  /// @returns whether the field is in a part to be walked, or on the path to it
  bool wanted(const std::string& field) const {
    return parts.empty() ||
           std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
             return part.starts_with(field) || field.starts_with(part);
           });
  }
  bool in_part(const std::string& field) const {
    return parts.empty() ||
           std::any_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return field.starts_with(part); });
  }
  bool has_effect_elsewhere(const std::string& field) const {
    const auto fits = [&](const std::string& pattern) {
      return matches(pattern, field);
    };
    if (std::any_of(elsewhere.begin(), elsewhere.end(), fits)) return true;
    if (kind != "test") return false;
    return std::any_of(effects_elsewhere().begin(), effects_elsewhere().end(),
                       [&](const auto& entry) { return fits(entry.first); });
  }

  std::string path;
  std::string kind;
  std::vector<std::string> parts;
  std::vector<std::string> elsewhere;
};

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
  std::string write(const std::string& text, const char* name = "test.yaml") const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
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

void add(const integrator_node::IntegratorSettings& settings, Fingerprint& print) {
  for (const Duration duration : {settings.connect, settings.answer, settings.heartbeat,
                                  settings.watchdog, settings.hold, settings.clock_bound})
    print.add(static_cast<double>(duration.count()));
  print.add(settings.synchronisation.from);
  print.add(settings.synchronisation.until);
  for (const double frequency : settings.synchronisation.frequencies) print.add(frequency);
  print.add(participants_fact(settings.participants));
  for (const ChecklistItem& item : settings.arming.checklist) {
    print.add(item.text + item.reading.site + item.reading.channel);
    print.add(item.reading.within);
  }
  for (const integrator_node::SiteSpecification& site : settings.sites) {
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

/// Times of the modes, of a test that is not run.
void add(const PacingSettings& pace, Fingerprint& print) {
  for (const double it : {pace.scale, pace.slow_down_after, pace.hold_after, pace.rate,
                          pace.rotation_rate, pace.settle, pace.average})
    print.add(it);
}

void add(const evaluation::RunReport& report, Fingerprint& print) {
  print.add(report.reason);
  for (const evaluation::SiteReport& site : report.sites)
    for (const evaluation::DelayComponentReport& account : site.ledger)
      for (const double time : {account.p50, account.p99, account.max}) print.add(time);
}

/// Its complaints, or what it adds to a fingerprint.
std::string outcome_of(const std::function<void(Fingerprint&)>& look) {
  try {
    Fingerprint print;
    look(print);
    return print.text();
  } catch (const yaml::ConfigError& error) {
    std::string lines = "refused:";
    for (const std::string& line : error.lines()) lines += "\n" + line;
    return lines;
  } catch (const SettingError& error) {
    return std::string("refused: ") + error.what();
  } catch (const std::exception& error) {
    return std::string("thrown: ") + error.what();
  }
}

void add(const network::LinkSettings& link, Fingerprint& print) {
  for (const Duration each :
       {link.delay, link.return_delay, link.jitter, link.stalls.every, link.stalls.duration,
        link.outages.every, link.outages.duration, link.stalls.first.value_or(Duration{-1}),
        link.outages.first.value_or(Duration{-1})})
    print.add(static_cast<double>(each.count()));
  for (const bool each : {link.stalls.regular, link.outages.regular})
    print.add(each ? 1.0 : 0.0);
  for (const double each : {link.bandwidth, link.loss, static_cast<double>(link.seed)})
    print.add(each);
  print.add(static_cast<double>(link.trace.size()));
}

/// What comes of a test: its numbers, times and agreements.
void run(const std::string& file, Fingerprint& print) {
  const std::unique_ptr<composition::HybridTestSetup> setup =
      composition::load_hybrid_test(file, {}, "test");
  add(setup->integrator, print);
  for (const composition::LocalSite& site : setup->sites_here) {
    for (const auto& [key, value] : site.settings.stated) print.add(key + value);
    if (site.link) add(*site.link, print);
  }
  setup->integrator.session.fill(0x5a);
  for (composition::LocalSite& site : setup->sites_here)
    site.recorder = std::make_unique<journal::NullRecorder>();
  testing::InMemoryRecorder recorder("result");
  composition::HybridTestNodes lab(setup->integrator, *setup->substructure,
                                   recorder.recording(), std::move(setup->sites_here), {});
  lab.run([] { return true; });
  add(lab.integrator().report(), print);
  for (const Channel& channel : recorder.channels) print.add(channel.name);
  for (const double value : recorder.values()) print.add(value);
}

void add(const std::vector<double>& values, Fingerprint& print) {
  print.add(static_cast<double>(values.size()));
  for (const double value : values) print.add(value);
}

void add(const Eigen::Ref<const Eigen::VectorXd>& values, Fingerprint& print) {
  for (const double value : values) print.add(value);
}

/// What a rig answers to a slow wave.
void exercise(SiteAdapter& rig, Fingerprint& print) {
  constexpr double kTick = 1.0 / 1024.0;
  constexpr int kTicks = 300;
  const RigDescription description = rig.description();
  const auto actuators = static_cast<Eigen::Index>(description.actuators.size());
  RigRun run;
  run.tick = kTick;
  rig.prepare(run);
  Measurement sensed = Measurement::zero(actuators, description.reactions);
  for (int i = 0; i < kTicks; ++i) {
    rig.read(TimePoint{Duration{static_cast<std::int64_t>(i * kTick * 1e9)}}, sensed);
    add(sensed.displacement, print);
    add(sensed.force, print);
    rig.write(ActuatorVector::Constant(actuators, 0.01 * std::sin(0.05 * i)));
  }
}

/// What a site server, and `trestle characterise`, make of their file.
void read_site(const std::string& path, Fingerprint& print) {
  config::SiteFile file;
  yaml::SourceMap where;
  yaml::read_yaml(path, {}, file, where);
  const bus::SiteEndpoint endpoint = composition::site_endpoint(file);
  for (const std::string& each :
       {endpoint.name, endpoint.listen, endpoint.integrator, endpoint.integrator_key})
    print.add(each);
  print.add(endpoint.security.insecure ? 1.0 : 0.0);
  const site_node::SiteSettings settings = composition::site_settings(file, "test");
  for (const ActuatorLimits& it : settings.limits)
    for (const double limit : {it.displacement, it.rate, it.force, it.tracking_error,
                               it.tracking_dwell, it.energy_error, it.acceleration})
      print.add(limit);
  for (const site_node::TargetLimit& it : settings.target_limits)
    for (const double limit : {it.displacement, it.rate, it.acceleration}) print.add(limit);
  for (const std::vector<double>& it :
       {settings.start_checks.zero_displacement, settings.start_checks.zero_force,
        settings.start_checks.polarity_motion})
    add(it, print);
  for (const RequiredItem& item : settings.start_checks.checklist) {
    print.add(item.ask + item.read);
    print.add(item.within);
  }
  for (const auto& [key, value] : settings.stated) print.add(key + value);
  print.add(static_cast<double>(settings.ticks.every));
  print.add(settings.ticks.coefficients ? 1.0 : 0.0);
  print.add(settings.insecure ? 1.0 : 0.0);
  print.add(static_cast<double>(settings.watch.overrun.count()));
  print.add(static_cast<double>(settings.watch.most_overruns));
  const safety::SafeAction& action = settings.safe_action;
  print.add(static_cast<double>(action.kind));
  for (const ActuatorVector* it :
       {&action.rate, &action.acceleration, &action.band, &action.travel})
    add(*it, print);
  const site_node::LongestTimes& longest = settings.longest;
  for (const double it : {longest.watchdog, longest.heartbeat, longest.step, longest.settle,
                          longest.average, longest.latency, longest.ahead})
    print.add(it);
  const site_node::ControlThreadSettings thread =
      composition::control_thread_of(file.control_thread());
  print.add(static_cast<double>(thread.priority));
  print.add(static_cast<double>(thread.spin.count()));
  print.add(static_cast<double>(thread.cpu.value_or(-1)));
  const std::unique_ptr<SiteAdapter> rig = composition::make_rig(file);
  const RigDescription description = rig->description();
  print.add(description.real_equipment ? 1.0 : 0.0);
  print.add(description.hardware_watchdog ? 1.0 : 0.0);
  composition::require_limits(settings.limits, settings, description, "");
  const InterfaceVector motion =
      InterfaceVector::Constant(settings.loading_frame->interface_dofs(), 0.01);
  const ActuatorVector stroke = settings.loading_frame->to_actuators(motion);
  add(stroke, print);
  add(settings.loading_frame->to_interface(stroke), print);
  const characterisation::CharacteriseSettings plan =
      characterisation::characterise_settings(file, where, description);
  for (const double it :
       {plan.tick, plan.noise ? 1.0 : 0.0, plan.lowest, plan.highest, plan.duration,
        static_cast<double>(plan.order.value_or(0)), plan.coupled ? 1.0 : 0.0,
        static_cast<double>(plan.seed), plan.hinf.weights.bandwidth,
        plan.hinf.widest ? 1.0 : 0.0, plan.hinf.weights.static_error,
        plan.hinf.weights.peak, plan.hinf.weights.drive_gain,
        plan.hinf.weights.drive_corner, plan.hinf.excess})
    print.add(it);
  add(plan.amplitude, print);
  add(plan.target_limits, print);
  exercise(*rig, print);
}

void read_gateway(const std::string& path, Fingerprint& print) {
  const std::unique_ptr<composition::GatewaySetup> setup =
      composition::set_up_gateway(path, {}, false, "test");
  add(setup->integrator, print);
  print.add(static_cast<double>(setup->integrator.mode));
  for (const char each : setup->integrator.model) print.add(static_cast<double>(each));
  print.add(static_cast<double>(setup->integrator.seed));
  print.add(setup->integrator.time_step);
  print.add(setup->integrator.insecure ? 1.0 : 0.0);
  print.add(setup->integrator.without_hardware_watchdog ? 1.0 : 0.0);
  const openfresco_server::GatewaySettings& settings = setup->settings;
  for (const std::vector<double>* it :
       {&settings.initial_stiffness, &settings.tangent_stiffness, &settings.damping,
        &settings.mass})
    add(*it, print);
  for (const double it :
       {settings.length, settings.force, static_cast<double>(settings.dialect),
        settings.move_on_time ? 1.0 : 0.0, static_cast<double>(settings.patience.count())})
    print.add(it);
  for (const composition::LocalSite& site : composition::gateway_sites(*setup)) {
    for (const auto& [key, value] : site.settings.stated) print.add(key + value);
    print.add(static_cast<double>(site.settings.ticks.every));
    print.add(site.settings.ticks.coefficients ? 1.0 : 0.0);
    if (site.link) add(*site.link, print);
    exercise(*site.rig, print);
  }
  add(setup->integrator.pace, print);
}

void read_link(const std::string& path, Fingerprint& print) {
  config::LinkFile file;
  yaml::SourceMap where;
  yaml::read_yaml(path, {}, file, where);
  for (const network_emulator::RelaySettings& relay : composition::make_relays(file)) {
    print.add(relay.name + network_emulator::text(relay.listen) +
              network_emulator::text(relay.to));
    add(relay.link, print);
  }
}

void read_campaign(const std::string& path, Fingerprint& print) {
  constexpr std::int64_t kDrawn = 3;
  const campaign::StudyFile file = campaign::read_study(path, {}, "test");
  const campaign::StudyPlan plan = campaign::study_plan(file);
  for (std::int64_t run = 0; run <= std::min(kDrawn, plan.runs); ++run)
    for (const std::string& each : campaign::drawn_overrides(plan, run)) print.add(each);
  print.add(plan.name);
  print.add(static_cast<double>(plan.runs));
  print.add(plan.unstable_above);
  print.add(plan.include_unstable ? 1.0 : 0.0);
  print.add(static_cast<double>(plan.sensitivity.groups));
  print.add(static_cast<double>(plan.sensitivity.bootstrap));
  for (const std::string& each : plan.results) print.add(each);
}

const fs::path kFolder = TRESTLE_SOURCE_DIR "/tests/data/schema_walk";

const char* const kAroundTransfer = R"(test: walk
time_step: 1/1024 s
seed: 7
duration: 0.2 s
excitation: {record: synthetic, scale: 0.4, synthetic: {duration: 2 s}}
numerical: {shear_building: {storeys: {first: {mass: 20 t}, roof: {mass: 15 t, stiffness: 20 MN/m}}}}
sites:
  lab:
    interface: [first.x]
    rig: {include: FILE, specimen: {kind: linear, stiffness: [[20e6]]}}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
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

std::vector<double> other_choices(const FieldDescriptor& field, int value) {
  std::vector<double> choices;
  for (int i = 0; i < field.enum_type()->value_count(); ++i)
    if (field.enum_type()->value(i)->number() != value)
      choices.push_back(field.enum_type()->value(i)->number());
  return choices;
}

std::vector<double> other_counts(std::uint32_t value) {
  std::vector<double> counts{value + 1.0};
  for (const double other : {3.0, 7.0})
    if (other != value) counts.push_back(other);
  return counts;
}

/// What no node, site, section, file or person is called.
const std::string kNoName = "no-such-name";

class Walk {
 public:
  Walk(const Subject& subject, std::set<std::string>& reached)
      : subject_(subject), reached_(reached) {
    if (subject.kind == "site")
      read<config::SiteFile>(read_site);
    else if (subject.kind == "gateway")
      read<config::GatewayFile>(read_gateway);
    else if (subject.kind == "link")
      read<config::LinkFile>(read_link);
    else if (subject.kind == "study")
      read<config::Study>(read_campaign);
    else if (subject.kind == "transfer")
      read<config::TransferSystemFile>([this](const std::string& file, Fingerprint& print) {
        run(folder_.write(replaced(kAroundTransfer, "FILE", file), "around.yaml"), print);
      });
    else
      read<config::Test>(run);
    usual_ = outcome();
    EXPECT_FALSE(usual_.starts_with("refused") || usual_.starts_with("thrown"))
        << subject.path << " " << usual_;
  }

  int walk() {
    walk(*message_, "");
    return tried_;
  }
  const std::vector<std::string>& ignored() const { return ignored_; }

 private:
  template <typename File>
  void read(std::function<void(const std::string&, Fingerprint&)> look) {
    auto file = std::make_unique<File>();
    yaml::SourceMap where;
    yaml::read_yaml(subject_.path, {}, *file, where);
    message_ = std::move(file);
    look_ = std::move(look);
  }
  std::string outcome() const {
    return outcome_of([this](Fingerprint& print) {
      look_(folder_.write(yaml::write_yaml(*message_)), print);
    });
  }

  /// A message stays as it was, whatever is tried with it.
  void walk(Message& message, const std::string& path) {
    const auto& reflection = *message.GetReflection();
    const auto& descriptor = *message.GetDescriptor();
    if (subject_.in_part(path)) reached_.insert(descriptor.full_name());
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      const std::string here = path + (path.empty() ? "" : ".") + field.name();
      if (!subject_.wanted(here) || subject_.has_effect_elsewhere(here)) continue;
      if (field.is_repeated()) {
        walk_list(message, field, here);
      } else if (field.message_type() != nullptr) {
        if (reflection.HasField(message, &field))
          walk(*reflection.MutableMessage(&message, &field), here);
        else if (field.real_containing_oneof() == nullptr && depth_ == 0 &&
                 subject_.in_part(here))
          walk_absent(message, field, here);
      } else if (subject_.in_part(here) && (field.real_containing_oneof() == nullptr ||
                                            reflection.HasField(message, &field))) {
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING)
          try_name(message, field, here);
        else
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
    for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
      const std::string here = path + "[" + std::to_string(i) + "]";
      if (!subject_.wanted(here) || subject_.has_effect_elsewhere(here)) continue;
      if (field.message_type() != nullptr)
        walk(*reflection.MutableRepeatedMessage(&message, &field, i), here);
      else if (subject_.in_part(here))
        try_entry(message, field, i, here);
    }
  }

  void try_entry(Message& message, const FieldDescriptor& field, int i,
                 const std::string& path) {
    const auto& reflection = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_DOUBLE: {
        if (i > 0) return;
        const double value = reflection.GetRepeatedDouble(message, &field, i);
        judge(path, others(field, value), [&](double other) {
          reflection.SetRepeatedDouble(&message, &field, i, other);
        });
        reflection.SetRepeatedDouble(&message, &field, i, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_ENUM: {
        const int value = reflection.GetRepeatedEnumValue(message, &field, i);
        judge(path, other_choices(field, value), [&](double other) {
          reflection.SetRepeatedEnumValue(&message, &field, i, static_cast<int>(other));
        });
        reflection.SetRepeatedEnumValue(&message, &field, i, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_UINT32: {
        const std::uint32_t value = reflection.GetRepeatedUInt32(message, &field, i);
        judge(path, other_counts(value), [&](double other) {
          reflection.SetRepeatedUInt32(&message, &field, i,
                                       static_cast<std::uint32_t>(other));
        });
        reflection.SetRepeatedUInt32(&message, &field, i, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_STRING: {
        const std::string value = reflection.GetRepeatedString(message, &field, i);
        judge(path, std::vector<std::string>{kNoName}, [&](const std::string& other) {
          reflection.SetRepeatedString(&message, &field, i, other);
        });
        reflection.SetRepeatedString(&message, &field, i, value);
        break;
      }
      default:
        ADD_FAILURE() << path << ": the walk knows no list of " << field.cpp_type_name();
    }
  }

  /// What is not there must be missed, or be seen in what comes of it.
  void try_name(Message& message, const FieldDescriptor& field, const std::string& path) {
    const auto& reflection = *message.GetReflection();
    if (field.options().GetExtension(config::key)) return;
    if (!reflection.HasField(message, &field)) return;
    const std::string value = reflection.GetString(message, &field);
    judge(path, std::vector<std::string>{kNoName},
          [&](const std::string& other) { reflection.SetString(&message, &field, other); });
    reflection.SetString(&message, &field, value);
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
        std::vector<double> others{value ? 0.0 : 1.0};
        // What is absent may be true by default.
        if (field.has_presence() && !given) others = {0.0, 1.0};
        judge(path, others,
              [&](double other) { reflection.SetBool(&message, &field, other != 0.0); });
        reflection.SetBool(&message, &field, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_ENUM: {
        const int value = reflection.GetEnumValue(message, &field);
        judge(path, other_choices(field, value), [&](double other) {
          reflection.SetEnumValue(&message, &field, static_cast<int>(other));
        });
        reflection.SetEnumValue(&message, &field, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_UINT32: {
        const std::uint32_t value = reflection.GetUInt32(message, &field);
        judge(path, other_counts(value), [&](double other) {
          reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(other));
        });
        reflection.SetUInt32(&message, &field, value);
        break;
      }
      case FieldDescriptor::CPPTYPE_UINT64: {
        const std::uint64_t value = reflection.GetUInt64(message, &field);
        const auto number = static_cast<double>(value);
        judge(path, std::vector<double>{number + 1.0, number + 4.0}, [&](double other) {
          reflection.SetUInt64(&message, &field, static_cast<std::uint64_t>(other));
        });
        reflection.SetUInt64(&message, &field, value);
        break;
      }
      default:
        ADD_FAILURE() << path << ": the walk knows no " << field.cpp_type_name();
    }
    if (!given) reflection.ClearField(&message, &field);
  }

  /// Any of the values must make a difference.
  template <typename Value>
  void judge(const std::string& path, const std::vector<Value>& values, const auto& set) {
    ++tried_;
    for (const Value& value : values) {
      set(value);
      if (outcome() != usual_) return;
    }
    if (!values.empty()) ignored_.push_back(path);
  }

  const Subject& subject_;
  std::set<std::string>& reached_;
  Folder folder_;
  std::unique_ptr<Message> message_;
  std::function<void(const std::string&, Fingerprint&)> look_;
  std::string usual_;
  std::vector<std::string> ignored_;
  int tried_ = 0;
  int depth_ = 0;
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.path().extension() == ".yaml") all.emplace_back(entry.path());
  std::sort(all.begin(), all.end(),
            [](const Subject& one, const Subject& other) { return one.path < other.path; });
  return all;
}

/// Messages that no file can reach, with the reason.
const std::map<std::string, std::string>& not_reached() {
  static const std::map<std::string, std::string> reasons{
      {"Peer", "a key of a socket: tests/core/bus"},
      {"Interlock", "of a shared object: tests/composition/hybrid_test/contacts_test.cc"},
      {"PluginAdapter", "of a shared object: tests/adapters/plugin"},
      {"SignalOutput",
       "of a shared object: tests/composition/hybrid_test/contacts_test.cc"},
  };
  return reasons;
}

TEST(NoKeyIsEverIgnored, InTheWholeSchema) {
  std::set<std::string> reached;
  const char* const only = std::getenv("TRESTLE_WALK");  // part of a file's name
  for (const Subject& subject : subjects()) {
    if (only != nullptr && subject.path.find(only) == std::string::npos) continue;
    Walk walk(subject, reached);
    EXPECT_GT(walk.walk(), 0) << subject.path;
    for (const std::string& path : walk.ignored())
      ADD_FAILURE() << fs::path(subject.path).filename().string() << ": " << path
                    << " is ignored";
  }
  if (only != nullptr) return;
  for (const google::protobuf::FileDescriptor* file :
       {config::Test::descriptor()->file(), config::Study::descriptor()->file()})
    for (int i = 0; i < file->message_type_count(); ++i) {
      const google::protobuf::Descriptor& message = *file->message_type(i);
      if (!message.options().map_entry() && !reached.contains(message.full_name()) &&
          !not_reached().contains(message.name()))
        ADD_FAILURE() << message.name() << " is in no file of " << kFolder;
    }
}

}  // namespace
}  // namespace trestle::schema_walk_test
