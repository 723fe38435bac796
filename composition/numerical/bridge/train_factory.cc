#include "composition/numerical/bridge/train_factory.h"

#include <algorithm>
#include <map>

#include "composition/numerical/bridge/vehicle_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_check.h"
#include "core/base/setting_error_collector.h"
#include "proto/config/bridge.pb.h"
#include "proto/config/rig.pb.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

using Eigen::Index;

constexpr double kGravity = 9.81;

/// The full-scale prototype of the physical vehicle.
bridge::LinearVehicleSettings prototype_of(bridge::LinearVehicleSettings settings,
                                           const bridge::Similitude& scale) {
  const double stiffness = scale.length / scale.force;
  settings.stiffness *= stiffness;
  settings.damping *= stiffness / scale.time;
  settings.mass *= stiffness / (scale.time * scale.time);
  return settings;
}

class TrainReader {
 public:
  TrainReader(const config::Test& test, BridgeSolution solution)
      : test_(test), bridge_(test.numerical().bridge()), solution_(solution) {}

  NamedTrain read() {
    for (int i = 0; i < bridge_.vehicles_size(); ++i) {
      const std::string path = "numerical.bridge.vehicles[" + std::to_string(i) + "]";
      try {
        read_vehicle(bridge_.vehicles(i), path);
      } catch (const SettingError& error) {
        problems_.add_below("", error);
      }
    }
    require_names();
    for (int i = 0; i < test_.sites_size(); ++i) read_site(i);
    require_sites();
    problems_.throw_if_any();
    for (const bridge::TrainContact& contact : train_.contacts)
      train_.length = std::max(train_.length, contact.behind);
    return std::move(train_);
  }

 private:
  double gravity() const { return bridge_.has_gravity() ? bridge_.gravity() : kGravity; }

  template <typename Wheel>
  double weight_of(const Wheel& wheel, const std::string& path) {
    if (wheel.has_weight() && wheel.has_static_mass())
      problems_.add(path, "has both a weight and a static_mass; give one of the two");
    const double weight =
        wheel.has_weight() ? wheel.weight() : wheel.static_mass() * gravity();
    if (!(weight >= 0.0)) problems_.add(path + ".weight", "must not be negative");
    return weight;
  }

  void read_vehicle(const config::BridgeVehicle& vehicle, const std::string& path) {
    if (vehicle.has_physical()) return read_physical(vehicle, path + ".physical");
    NamedVehicle named;
    std::vector<double> weights;
    std::vector<double> behind;
    if (vehicle.has_quarter_vehicle()) {
      const config::QuarterVehicle& quarter = vehicle.quarter_vehicle();
      named = make_vehicle(quarter, path + ".quarter_vehicle");
      weights = {gravity() *
                 (quarter.car_mass() + quarter.bogie_mass() + quarter.wheel_mass())};
      behind = {0.0};
      named.contacts = {"wheel"};
    } else if (vehicle.has_multi_body()) {
      const config::MultiBody& body = vehicle.multi_body();
      named = make_vehicle(body, path + ".multi_body");
      for (int i = 0; i < body.contacts_size(); ++i) {
        const std::string here = path + ".multi_body.contacts[" + std::to_string(i) + "]";
        weights.push_back(weight_of(body.contacts(i), here));
        behind.push_back(body.contacts(i).behind());
      }
    } else {
      throw SettingError(path, "has no kind");
    }
    bridge::TrainVehicle added{std::move(named.settings), {}};
    for (const std::string& name : named.free)
      added.free_nodes.push_back(vehicle.name() + "_" + name);
    for (std::size_t i = 0; i < named.contacts.size(); ++i)
      train_.contacts.push_back(
          {vehicle.name() + "_" + named.contacts[i], vehicle.behind() + behind[i],
           weights[i], static_cast<int>(train_.vehicles.size()), static_cast<Index>(i)});
    train_.vehicles.push_back(std::move(added));
  }

  void read_physical(const config::BridgeVehicle& vehicle, const std::string& path) {
    for (int i = 0; i < vehicle.physical().wheels_size(); ++i) {
      const config::Wheel& wheel = vehicle.physical().wheels(i);
      const std::string here = path + ".wheels[" + std::to_string(i) + "]";
      bridge::TrainContact contact{wheel.name(), vehicle.behind() + wheel.behind(),
                                   weight_of(wheel, here)};
      if (wheel.wheel_inertia() < 0.0)
        problems_.add(here + ".wheel_inertia", "must not be negative");
      wheels_[wheel.name() + ".y"] = {train_.contacts.size(), wheel.wheel_inertia(), here};
      train_.physical.push_back(train_.contacts.size());
      train_.contacts.push_back(contact);
    }
  }

  void require_names() {
    std::map<std::string, int> seen;
    for (const bridge::TrainContact& contact : train_.contacts)
      if (++seen[contact.node] == 2)
        problems_.add("numerical.bridge.vehicles",
                      "two wheels are called `" + contact.node + "`");
  }

  /// Reads which wheels a site moves; in the undivided structure its specimen is on them.
  void read_site(int index) {
    const config::Site& site = test_.sites(index);
    const std::string path = "sites[" + std::to_string(index) + "]";
    std::vector<std::string> known;
    for (const auto& [name, wheel] : wheels_) known.push_back(name);
    std::vector<std::size_t> contacts;
    for (int i = 0; i < site.interface_size(); ++i) {
      const std::string here = path + ".interface[" + std::to_string(i) + "]";
      const auto found = wheels_.find(site.interface(i));
      if (found == wheels_.end()) {
        problems_.add(here, "the bridge has no physical wheel of the DOF `" +
                                site.interface(i) + "`; wheels are `<wheel>.y`" +
                                suggest(site.interface(i), known));
        continue;
      }
      if (found->second.claimed)
        problems_.add(here, "`" + site.interface(i) + "` belongs to two sites");
      found->second.claimed = true;
      contacts.push_back(found->second.contact);
    }
    if (site.force_only_size() > 0)
      problems_.add(path + ".force_only[0]", "a bridge knows no force-only DOFs");
    train_.interfaces.push_back(contacts);
    if (solution_ == BridgeSolution::kUndivided &&
        static_cast<int>(contacts.size()) == site.interface_size())
      put_on_bridge(site, contacts, path);
  }

  void put_on_bridge(const config::Site& site, const std::vector<std::size_t>& contacts,
                     const std::string& path) {
    if (!site.rig().has_specimen())
      return problems_.add(path, "undivided needs the specimen of every site; " +
                                     site.name() + " has no rig in this file");
    try {
      NamedVehicle named = make_vehicle(site.rig().specimen(), site.interface_size(),
                                        path + ".rig.specimen");
      bridge::TrainVehicle added{
          prototype_of(std::move(named.settings), similitude_of(test_)), {}};
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        bridge::TrainContact& contact = train_.contacts[contacts[i]];
        contact.vehicle = static_cast<int>(train_.vehicles.size());
        contact.of_vehicle = static_cast<Index>(i);
        const auto at = static_cast<Index>(i);
        added.settings.mass(at, at) += wheels_[contact.node + ".y"].inertia;
      }
      for (const std::string& name : named.free)
        added.free_nodes.push_back(site.name() + "_" + name);
      train_.vehicles.push_back(std::move(added));
    } catch (const SettingError& error) {
      problems_.add_below("", error);
    }
  }

  void require_sites() {
    for (const auto& [name, wheel] : wheels_) {
      if (!wheel.claimed)
        problems_.add(wheel.path, "`" + name +
                                      "` is the interface DOF of no site; a physical wheel "
                                      "stands in a laboratory");
      if (solution_ == BridgeSolution::kUndivided || !(wheel.inertia > 0.0)) continue;
      bridge::TrainContact& contact = train_.contacts[wheel.contact];
      contact.vehicle = static_cast<int>(train_.vehicles.size());
      const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(1, 1);
      train_.vehicles.push_back(
          {{Eigen::MatrixXd::Constant(1, 1, wheel.inertia), zero, zero, 1}, {}});
    }
  }

  struct PhysicalWheel {
    std::size_t contact = 0;
    double inertia = 0.0;
    std::string path;
    bool claimed = false;
  };

  const config::Test& test_;
  const config::Bridge& bridge_;
  BridgeSolution solution_;
  NamedTrain train_;
  std::map<std::string, PhysicalWheel> wheels_;  // by DOF
  SettingErrorCollector problems_;
};

}  // namespace

NamedTrain make_train(const config::Test& test, BridgeSolution solution) {
  return TrainReader(test, solution).read();
}

bridge::Similitude similitude_of(const config::Test& test) {
  const config::Similitude& given = test.numerical().bridge().similitude();
  return {given.has_length() ? given.length() : 1.0,
          given.has_force() ? given.force() : 1.0, given.has_time() ? given.time() : 1.0};
}

}  // namespace trestle::composition
