#include "studies/identification/identification_factory.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "studies/identification/bridge_factory.h"
#include "studies/identification/crossing_factory.h"
#include "studies/identification/road_factory.h"
#include "studies/identification/vehicle_factory.h"

namespace trestle::identification {
namespace {

constexpr double kUnknownRoadPrior = 2.0;  // deviation of ln(ratios), where data are thin

std::string regularisation_name(config::TikhonovGn::Choice choice) {
  constexpr const char* kNames[] = {"gcv", "l-curve", "none"};
  return kNames[choice];
}

MethodSettings method_settings(const config::IdentificationMethod& method,
                               std::string& name) {
  if (method.has_tikhonov_gn()) {
    TikhonovSettings settings;
    settings.regularisation =
        static_cast<Regularisation>(method.tikhonov_gn().regularisation());
    if (method.has_most_iterations())
      settings.most_iterations = static_cast<int>(method.most_iterations());
    name = "tikhonov-gn, " + regularisation_name(method.tikhonov_gn().regularisation());
    return settings;
  }
  if (method.has_global()) {
    GlobalSettings settings;
    if (method.global().has_points())
      settings.points = static_cast<int>(method.global().points());
    if (method.global().has_factor()) settings.factor = method.global().factor();
    if (method.global().has_refined())
      settings.refined = static_cast<int>(method.global().refined());
    name = "global";
    return settings;
  }
  if (method.has_nodal()) {
    const config::NodalFit& given = method.nodal();
    NodalSettings settings;
    settings.order = static_cast<int>(given.order());  // 0: see set_nodal()
    constexpr Measures kQuantities[] = {Measures::kDisplacement, Measures::kVelocity,
                                        Measures::kAcceleration};
    settings.quantity = kQuantities[given.fits()];
    settings.points = {given.points().begin(), given.points().end()};
    settings.nodes.norm = static_cast<NodalNorm>(given.least());
    settings.nodes.regularisation = static_cast<Regularisation>(given.regularisation());
    settings.bias = static_cast<DetourBias>(given.bias());
    if (method.has_most_iterations())
      settings.most_iterations = static_cast<int>(method.most_iterations());
    name = "nodal, " + regularisation_name(given.regularisation());
    if (given.has_least() && settings.nodes.regularisation == Regularisation::kNone)
      throw SettingError("method.least",
                         "has no effect, for regularisation is none; leave it out");
    return settings;
  }
  name = "lm-reparam";
  return ReparametrisedSettings{};
}

NoiseModel noise_model(const config::ReadingNoise& noise) {
  NoiseModel model;
  model.kind = noise.of() == config::ReadingNoise::READING ? NoiseKind::kOfReading
                                                           : NoiseKind::kOfPeak;
  if (noise.has_level()) model.level = noise.level();
  return model;
}

RoadInterval stretch_of(const std::vector<CrossingPlan>& plans, const Girder& girder,
                        const VehicleModel& vehicle) {
  RoadInterval stretch{0.0, girder.length(), girder.length()};
  for (const CrossingPlan& plan : plans) {
    const PassageSettings& run = plan.settings;
    const double step = run.speed * run.sampling_period / run.substeps;
    stretch.from = std::min(stretch.from, -run.approach - step - vehicle.length());
    stretch.to =
        std::max(stretch.to,
                 run.speed * (run.first_sample + run.sampling_period * (run.samples - 1)));
  }
  // No reading before the first instant, at which the vehicle is at rest.
  const bool at_rest_on_the_bridge =
      std::all_of(plans.begin(), plans.end(), [](const CrossingPlan& plan) {
        return plan.settings.approach == 0.0 && plan.settings.first_sample == 0.0;
      });
  if (at_rest_on_the_bridge) stretch.from = -vehicle.length();
  return stretch;
}

/// Makes the readings that the study asks for.
class Simulation {
 public:
  Simulation(const config::Identification& study, const IdentificationStudy& made,
             const VehicleUnknowns& vehicle, const RoadInterval& stretch)
      : given_(study.synthetic()), made_(made), vehicle_(vehicle) {
    if (given_.has_elements())
      own_girder_ = bridge_girder(study.bridge(), static_cast<int>(given_.elements()));
    road_ = known_road(given_.has_road() ? given_.road() : study.road(), stretch,
                       given_.has_road() ? "synthetic.road" : "road");
    truth_.resize(static_cast<Eigen::Index>(vehicle.truth.size()));
    for (std::size_t i = 0; i < vehicle.truth.size(); ++i) {
      if (!vehicle.truth[i])
        throw SettingError("synthetic",
                           "needs the `truth` of every parameter that has a "
                           "guess; `" +
                               vehicle.model.elements[i].name + "` has none");
      truth_(static_cast<Eigen::Index>(i)) = *vehicle.truth[i];
    }
  }

  const bridge::TrackProfile& road() const { return *road_; }

  Eigen::VectorXd readings(const VehiclePassage& passage, std::size_t number) const {
    PassageSettings run = passage.settings();
    if (given_.has_time_step())
      run.substeps = static_cast<int>(
          std::max(1.0, std::round(run.sampling_period / given_.time_step())));
    const VehiclePassage real(own_girder_ ? *own_girder_ : *made_.girder,
                              vehicle_.model.axle_offsets, passage.sensors(), run);
    Eigen::VectorXd values =
        real.respond(vehicle_.model, truth_, road_under(real, *road_), {}, {}).values;
    add_noise(values, static_cast<Eigen::Index>(passage.sensors().size()), number);
    return values;
  }

 private:
  void add_noise(Eigen::VectorXd& values, Eigen::Index sensors, std::size_t number) const {
    const NoiseModel& noise = made_.problem.noise;
    const double level = noise.level.value_or(0.0);
    if (level == 0.0) return;
    for (Eigen::Index s = 0; s < sensors; ++s) {
      auto channel = values(Eigen::seqN(s, values.size() / sensors, sensors));
      const double peak = channel.cwiseAbs().maxCoeff();
      for (Eigen::Index k = 0; k < channel.size(); ++k) {
        const double draw =
            standard_normal({given_.seed(), stream_id("readings") + number,
                             static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(k)});
        channel(k) += level * draw * (noise.kind == NoiseKind::kOfPeak ? peak : channel(k));
      }
    }
  }

  const config::SimulatedReadings& given_;
  const IdentificationStudy& made_;
  const VehicleUnknowns& vehicle_;
  std::unique_ptr<Girder> own_girder_;
  std::unique_ptr<const bridge::TrackProfile> road_;
  Eigen::VectorXd truth_;
};

void set_road(const config::Identification& study, const RoadInterval& stretch,
              IdentificationStudy& made) {
  if (!study.road().has_unknown()) return;
  if (!(made.problem.noise.level.value_or(0.0) > 0.0))
    throw SettingError(
        "noise",
        "has no level; with an unknown road it must be told, for it says how "
        "much of the record the road may explain");
  if (std::holds_alternative<TikhonovSettings>(made.method))
    throw SettingError("method",
                       "is tikhonov-gn, which needs a known road; use lm-reparam");
  if (std::holds_alternative<NodalSettings>(made.method))
    throw SettingError("method", "is nodal, which needs a known road; use lm-reparam");
  made.unknown_road = {unknown_road(study.road().unknown(), stretch), stretch.from,
                       stretch.to};
  made.problem.road_shapes = static_cast<Eigen::Index>(made.unknown_road.shapes.size());
  made.problem.prior_deviation = kUnknownRoadPrior;
}

void set_passes(const config::Identification& study, const VehicleUnknowns& vehicle,
                IdentificationStudy& made) {
  const std::vector<Sensor> sensors = bridge_sensors(study, *made.girder);
  std::vector<CrossingPlan> plans;
  for (int i = 0; i < study.passes_size(); ++i)
    plans.push_back(crossing_plan(study, i, *made.girder, vehicle.model));
  const RoadInterval stretch = stretch_of(plans, *made.girder, vehicle.model);
  set_road(study, stretch, made);
  std::unique_ptr<Simulation> simulation;
  const bool unknown = made.problem.road_shapes > 0;
  const auto road = unknown ? nullptr : known_road(study.road(), stretch, "road");
  for (std::size_t p = 0; p < plans.size(); ++p) {
    RecordedPass pass;
    pass.passage = std::make_unique<VehiclePassage>(
        *made.girder, vehicle.model.axle_offsets, sensors, plans[p].settings);
    pass.road = unknown ? road_under(*pass.passage, bridge::HarmonicProfile({}))
                        : road_under(*pass.passage, *road);
    for (const bridge::HarmonicProfile& shape : made.unknown_road.shapes)
      pass.shapes.push_back(road_under(*pass.passage, shape));
    pass.measured = plans[p].measured;
    if (pass.measured.size() == 0) {
      if (!simulation)
        simulation = std::make_unique<Simulation>(study, made, vehicle, stretch);
      pass.measured = simulation->readings(*pass.passage, p);
    }
    made.problem.passes.push_back(std::move(pass));
  }
  if (!simulation) return;
  for (const Eigen::Index element : vehicle.unknown)
    made.truth.push_back(vehicle.truth[static_cast<std::size_t>(element)]);
  if (unknown && study.synthetic().has_road())
    made.true_road = known_road(study.synthetic().road(), stretch, "synthetic.road");
}

/// Completes the order of a nodal fit by the samples, and checks all of it.
void set_nodal(IdentificationStudy& made) {
  auto* const nodal = std::get_if<NodalSettings>(&made.method);
  if (nodal == nullptr) return;
  if (nodal->order == 0) {
    nodal->order = NodalSettings{}.order;
    for (const RecordedPass& pass : made.problem.passes)
      nodal->order =
          std::min(nodal->order,
                   OrthogonalFunctions::largest_order(pass.passage->settings().samples));
  }
  if (const auto reason = validate_nodal(made.problem, *made.girder, *nodal))
    throw SettingError("method", *reason);
}

void check_counts(const IdentificationStudy& made) {
  Eigen::Index readings = 0;
  for (const RecordedPass& pass : made.problem.passes) readings += pass.measured.size();
  if (readings < 2 * made.problem.parameter_count())
    throw SettingError("passes", "give " + std::to_string(readings) + " readings for " +
                                     std::to_string(made.problem.parameter_count()) +
                                     " parameters; too few");
}

}  // namespace

IdentificationStudy read_identification(const std::string& file,
                                        const std::vector<std::string>& overrides) {
  config::Identification study;
  yaml::SourceMap where;
  yaml::read_yaml(file, overrides, study, where);
  IdentificationStudy made;
  made.name = study.study();
  yaml::ConfigErrorCollector problems(where);
  VehicleUnknowns vehicle;
  problems.attempt([&] { made.girder = bridge_girder(study.bridge(), elements(study)); });
  problems.attempt([&] {
    vehicle = sought_vehicle(study.vehicle(),
                             study.has_start_factor() ? study.start_factor() : 1.0);
  });
  problems.throw_if_any();
  made.problem.vehicle = vehicle.model;
  made.problem.values = vehicle.values;
  made.problem.unknown = vehicle.unknown;
  made.problem.noise = noise_model(study.noise());
  problems.attempt(
      [&] { made.method = method_settings(study.method(), made.method_name); });
  problems.throw_if_any();
  if (study.method().has_most_iterations())
    made.limits.most_iterations = static_cast<int>(study.method().most_iterations());
  if (study.has_identifiable_below()) made.identifiable_below = study.identifiable_below();
  problems.attempt([&] {
    set_passes(study, vehicle, made);
    if (study.method().has_prior_deviation())
      made.problem.prior_deviation = study.method().prior_deviation();
    check_counts(made);
    set_nodal(made);
  });
  problems.throw_if_any();
  return made;
}

}  // namespace trestle::identification
