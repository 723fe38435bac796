#include "observe/report/contract_reader.h"

#include "core/base/number_text.h"

namespace trestle::report {

ContractReader::ContractReader(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos)
      entries_.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
}

std::string ContractReader::value(std::string_view key) const {
  for (const auto& [name, value] : entries_)
    if (name == key) return value;
  return {};
}

std::optional<double> ContractReader::number(std::string_view key) const {
  return parse_number(value(key));
}

std::optional<double> ContractReader::number_like(const std::string& beginning) const {
  for (const auto& [name, value] : entries_)
    if (name.starts_with(beginning)) return parse_number(value);
  return std::nullopt;
}

std::vector<std::string> ContractReader::names(const std::string& list) const {
  std::vector<std::string> names;
  for (;;) {
    const std::string name = value(list + "[" + std::to_string(names.size()) + "].name");
    if (name.empty()) return names;
    names.push_back(name);
  }
}

ContractLimits ContractReader::limits(std::size_t actuator) const {
  const std::string at = "limits.actuators[" + std::to_string(actuator) + "].";
  return {.displacement = number_like(at + "displacement_"),
          .rate = number_like(at + "rate_"),
          .acceleration = number_like(at + "acceleration_"),
          .force = number_like(at + "force_"),
          .tracking_error = number_like(at + "tracking_error_"),
          .energy_error = number_like(at + "energy_error")};
}

std::optional<double> ContractReader::interface_displacement(std::size_t dof) const {
  return number_like("interface[" + std::to_string(dof) + "].displacement_");
}

}  // namespace trestle::report
