#include "observe/live/status_json.h"

#include <nlohmann/json.hpp>

#include "observe/live/actuator_json.h"

namespace trestle::live {

std::string add_to_status_json(const std::string& answer, const TestView& view) {
  using OrderedJson = nlohmann::ordered_json;
  OrderedJson json = OrderedJson::parse(answer, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return answer;
  json["time_s"] = view.time_step > 0.0 ? OrderedJson(view.time()) : OrderedJson(nullptr);
  json["eta_s"] = view.left ? OrderedJson(view.left->seconds) : OrderedJson(nullptr);
  json["actuators"] = OrderedJson::array();
  for (const ActuatorView& actuator : view.actuators)
    json["actuators"].push_back(actuator_json(actuator));
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace trestle::live
