#include "composition/sites/control_chain_factory.h"

#include "composition/sites/compensator_factory.h"
#include "composition/sites/control_text.h"
#include "composition/sites/controller_factory.h"

namespace trestle::composition {
namespace {

class SchemaControlChainFactory final : public ControlChainFactory {
 public:
  std::unique_ptr<Compensator> make_compensator(std::string_view bytes, int actuators,
                                                double tick) const override {
    return trestle::composition::make_compensator(bytes, actuators, tick, "compensator");
  }
  std::unique_ptr<ActuatorController> make_controller(std::string_view bytes, int actuators,
                                                      double tick) const override {
    return trestle::composition::make_controller(bytes, actuators, tick, "controller");
  }
  std::string format_compensator(std::string_view bytes) const override {
    return trestle::composition::format_compensator(bytes);
  }
  std::string format_controller(std::string_view bytes) const override {
    return trestle::composition::format_controller(bytes);
  }
};

}  // namespace

const ControlChainFactory& control_chain_factory() {
  static const SchemaControlChainFactory factory;
  return factory;
}

}  // namespace trestle::composition
