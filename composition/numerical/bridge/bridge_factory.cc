#include "composition/numerical/bridge/bridge_factory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "composition/numerical/bridge/bridge_summary.h"
#include "composition/numerical/bridge/girder_factory.h"
#include "composition/numerical/bridge/preview_factory.h"
#include "composition/numerical/bridge/track_factory.h"
#include "composition/numerical/bridge/train_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "numerical/bridge/loop_gain.h"
#include "numerical/excitation/excitation.h"
#include "proto/config/bridge.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

constexpr double kLead = 1.0;  // [s]
// Steps while a wheel goes over the shortest span, and in the longest period, at least.
constexpr double kLeastSteps = 20.0;
constexpr double kLeastStepsOfPeriod = 10.0;

std::string number(double value) {
  return in_words(value);
}

class BridgeReader {
 public:
  BridgeReader(const config::Test& test, BridgeSolution solution,
               bridge::ProfileChecks checks)
      : test_(test),
        bridge_(test.numerical().bridge()),
        solution_(solution),
        checks_(checks) {
    parts_.speed = bridge_.speed();
    parts_.lead_in = bridge_.has_lead_in() ? bridge_.lead_in() : kLead;
    parts_.similitude = similitude_of(test);
    parts_.time_step = test.time_step();
  }

  bridge::BridgeParts read() {
    check_numbers();
    collect([&] { read_girders(); });
    collect([&] { read_train(); });
    problems_.throw_if_any();
    collect([&] { read_time(); });
    check_sampling();
    problems_.throw_if_any();
    collect([&] { read_track(); });
    problems_.throw_if_any();
    list_stations();
    return std::move(parts_);
  }

  const bridge::Girders& girders() const { return girders_; }
  double train_length() const { return train_length_; }
  double on_bridge() const { return (length_ + train_length_) / parts_.speed; }

 private:
  template <typename Part>
  void collect(Part part) {
    try {
      part();
    } catch (const SettingError& error) {
      problems_.add_below("", error);
    }
  }

  void check_numbers() {
    const auto positive = [&](double value, const char* name) {
      if (!(value > 0.0) || !std::isfinite(value))
        problems_.add(path_ + "." + name, "is " + number(value) + "; must be above 0");
    };
    positive(parts_.speed, "speed");
    positive(parts_.similitude.length, "similitude.length");
    positive(parts_.similitude.force, "similitude.force");
    positive(parts_.similitude.time, "similitude.time");
    if (parts_.lead_in < 0.0) problems_.add(path_ + ".lead_in", "must not be negative");
    if (test_.numerical().has_integrator())
      problems_.add("numerical.integrator",
                    "a bridge with vehicles has its own; leave this out");
    const std::string& record = test_.excitation().record();
    if ((!record.empty() && record != "none") || !test_.excitation().moving_loads().empty())
      problems_.add("excitation",
                    "a bridge is excited by its vehicles alone; leave this out");
    if (test_.reference().has_numerical())
      problems_.add("reference", "of a bridge must be `undivided`");
  }

  void read_girders() {
    girders_ = make_girders(bridge_, path_);
    for (const auto& girder : girders_.spans)
      for (const bridge::GirderSpan& span : girder) {
        length_ += span.length;
        shortest_ = std::min(shortest_, span.length);
      }
    parts_.modes = make_modes(bridge_, girders_, path_);
    parts_.damping = make_damping(bridge_, parts_.modes, path_);
  }

  void read_train() {
    NamedTrain train = make_train(test_, solution_);
    parts_.contacts = std::move(train.contacts);
    parts_.vehicles = std::move(train.vehicles);
    parts_.physical = std::move(train.physical);
    if (solution_ == BridgeSolution::kHybrid)
      parts_.interfaces = std::move(train.interfaces);
    train_length_ = train.length;
  }

  void read_time() {
    const double out = bridge_.has_lead_out() ? bridge_.lead_out() : kLead;
    const double scale = parts_.similitude.time;
    const double needed = scale * (parts_.lead_in + on_bridge());
    double duration = needed + scale * out;
    if (test_.has_duration()) {
      duration = test_.duration();
      if (duration < needed)
        problems_.add("duration", "is " + number(duration) + " s; the last wheel, " +
                                      number(train_length_) +
                                      " m behind the first, leaves the bridge of " +
                                      number(length_) + " m only after " + number(needed) +
                                      " s");
    }
    excitation::require_countable_steps(duration, parts_.time_step);
    parts_.steps =
        static_cast<std::int64_t>(std::floor(duration / parts_.time_step + 1e-9)) + 1;
    duration_ = static_cast<double>(parts_.steps - 1) * parts_.time_step / scale;
  }

  void read_track() {
    TrackExtent extent{length_, -parts_.speed * parts_.lead_in - train_length_,
                       parts_.speed * (duration_ - parts_.lead_in)};
    parts_.track = make_track(bridge_.track(), extent, path_ + ".track", checks_);
    double weight = 0.0;
    for (const bridge::TrainContact& contact : parts_.contacts) weight += contact.weight;
    if (weight == 0.0 && parts_.track == nullptr)
      problems_.add(path_ + ".vehicles",
                    "no wheel has a weight and the track is smooth, so nothing would move; "
                    "give the wheels their weight or static_mass");
  }

  void check_sampling() {
    const double step = parts_.time_step / parts_.similitude.time;
    const auto limit = [&](double most, const std::string& why) {
      if (step > most)
        problems_.add("time_step",
                      "is " + number(1e3 * parts_.time_step) + " ms; must be at most " +
                          number(1e3 * most * parts_.similitude.time) + " ms: " + why);
    };
    limit(shortest_ / parts_.speed / kLeastSteps,
          "a wheel needs " + number(shortest_ / parts_.speed) +
              " s for the shortest span, and 20 steps are the least for that");
    const double lowest = parts_.modes.frequency.minCoeff();
    limit(2.0 * std::numbers::pi / lowest / kLeastStepsOfPeriod,
          "the bridge's longest period is " + number(2.0 * std::numbers::pi / lowest) +
              " s, and 10 steps are the least for that");
    const double wave = shortest_wave(bridge_.track());
    limit(wave > 0.0 ? 0.5 * wave / parts_.speed : HUGE_VAL,
          "the track's shortest wave of " + number(wave) + " m passes in " +
              number(wave / parts_.speed) + " s, and 2 steps are the least for that");
  }

  /// Lists midspans and elastic supports.
  void list_stations() {
    double x = 0.0;
    std::size_t count = 0;
    for (const auto& girder : girders_.spans)
      for (const bridge::GirderSpan& span : girder) {
        if (count > 0 && std::isfinite(girders_.piers[count].stiffness))
          parts_.stations.push_back({"pier" + std::to_string(count), x});
        parts_.stations.push_back(
            {"span" + std::to_string(++count), x + 0.5 * span.length});
        x += span.length;
      }
  }

  const config::Test& test_;
  const config::Bridge& bridge_;
  BridgeSolution solution_;
  bridge::ProfileChecks checks_;
  std::string path_ = "numerical.bridge";
  bridge::BridgeParts parts_;
  bridge::Girders girders_;
  double length_ = 0.0;
  double shortest_ = std::numeric_limits<double>::infinity();
  double train_length_ = 0.0;
  double duration_ = 0.0;
  SettingErrorCollector problems_;
};

/// Nodes as configured, what is compared, and the interface.
std::vector<std::string> recorded_nodes(const config::Test& test,
                                        const bridge::BridgeParts& parts) {
  const auto& wanted = test.recording().nodes();
  if (wanted.empty()) return {};
  std::vector<std::string> known;
  for (const bridge::TrainContact& contact : parts.contacts) known.push_back(contact.node);
  for (const bridge::TrainVehicle& vehicle : parts.vehicles)
    known.insert(known.end(), vehicle.free_nodes.begin(), vehicle.free_nodes.end());
  for (const bridge::BridgeStation& station : parts.stations) known.push_back(station.node);
  std::vector<std::string> kept(wanted.begin(), wanted.end());
  SettingErrorCollector problems;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (std::find(known.begin(), known.end(), kept[i]) == known.end())
      problems.add("recording.nodes[" + std::to_string(i) + "]",
                   "the bridge has no node `" + kept[i] + "`" + suggest(kept[i], known));
  problems.throw_if_any();
  for (const std::size_t contact : parts.physical)
    kept.push_back(parts.contacts[contact].node);
  for (const std::string& dof : test.criteria().responses())
    kept.push_back(dof.substr(0, dof.rfind('.')));
  return kept;
}

void require_responses(const config::Test& test, const Channels& channels) {
  std::vector<std::string> known;
  for (const Channel& channel : channels)
    if (const std::size_t end = channel.name.find(".disp_"); end != std::string::npos)
      known.push_back(channel.name.substr(0, end));
  SettingErrorCollector problems;
  for (int i = 0; i < test.criteria().responses_size(); ++i) {
    const std::string& name = test.criteria().responses(i);
    if (std::find(known.begin(), known.end(), name) == known.end())
      problems.add("criteria.responses[" + std::to_string(i) + "]",
                   "the bridge has no DOF `" + name + "`" + suggest(name, known));
  }
  problems.throw_if_any();
}

/// For the vehicles in laboratories, if their specimens are known and linear.
void add_loop_gain(const config::Test& test, const bridge::BridgeParts& parts,
                   const bridge::Girders& girders, BridgeReport& report) {
  NamedTrain train;
  try {
    train = make_train(test, BridgeSolution::kUndivided);
  } catch (const SettingError&) {
    return;
  }
  std::set<int> in_laboratories;
  for (const std::size_t contact : train.physical)
    in_laboratories.insert(train.contacts[contact].vehicle);
  if (in_laboratories.empty()) return;
  std::vector<bridge::LinearVehicleSettings> vehicles;
  for (const int vehicle : in_laboratories)
    vehicles.push_back(train.vehicles[static_cast<std::size_t>(vehicle)].settings);
  constexpr double kHighest = 200.0;  // [Hz]
  report.loop_gain = 0.0;
  double x = 0.0;
  std::set<std::pair<double, double>> seen;  // spans that are alike
  for (const auto& girder : girders.spans)
    for (const bridge::GirderSpan& span : girder) {
      const bool alone = girder.size() == 1 && girders.simply_supported();
      if (!alone || seen.insert({span.length, span.stiffness / span.mass}).second) {
        const bridge::ContactLoopGain gain =
            bridge::loop_gain(parts.modes, parts.damping, x + 0.5 * span.length, vehicles,
                              std::min(report.highest, kHighest));
        if (gain.gain > report.loop_gain) {
          report.loop_gain = gain.gain;
          report.loop_frequency = gain.frequency;
        }
      }
      x += span.length;
    }
}

}  // namespace

std::unique_ptr<NumericalSubstructure> make_bridge(
    const config::Test& test, BridgeSolution solution,
    const std::vector<bridge::TransferResponse>& transfers, BridgeReport* report,
    bridge::ProfileChecks checks) {
  BridgeReader reader(test, solution, checks);
  bridge::BridgeParts parts = reader.read();
  if (solution == BridgeSolution::kHybrid)
    parts.preview = make_preview(test, parts, transfers);
  if (report != nullptr) {
    *report = summary_of(parts, reader.girders());
    report->length = reader.train_length();
    report->on_bridge = reader.on_bridge();
    add_loop_gain(test, parts, reader.girders(), *report);
    report->form = test.numerical().bridge().has_finite_elements() ||
                           !reader.girders().simply_supported()
                       ? "finite elements"
                       : "sine modes";
  }
  if (solution == BridgeSolution::kHybrid || test.undivided())
    parts.recorded = recorded_nodes(test, parts);
  auto bridge = std::make_unique<bridge::BridgeSubstructure>(std::move(parts));
  require_responses(test, bridge->channels());
  return bridge;
}

}  // namespace trestle::composition
