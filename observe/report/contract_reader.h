#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::report {

/// The limits that were agreed for one actuator [SI]; nothing: no limit.
struct ContractLimits {
  std::optional<double> displacement;
  std::optional<double> rate;
  std::optional<double> acceleration;
  std::optional<double> force;
  std::optional<double> tracking_error;
  std::optional<double> energy_error;
};

/// A session contract as its text states it, line by line (session_contract.h writes it).
class ContractReader {
 public:
  ContractReader() = default;
  explicit ContractReader(std::string_view text);

  /// The value of a key; empty: the contract does not have it.
  std::string value(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;

  /// `actuators[0].name` and so on, in their order.
  std::vector<std::string> names(const std::string& list) const;
  ContractLimits limits(std::size_t actuator) const;
  /// The agreed limit of an interface DOF's target [m | rad]; nothing: no limit.
  std::optional<double> interface_displacement(std::size_t dof) const;

 private:
  /// Returns the number of the key that begins like this; its unit follows.
  std::optional<double> number_like(const std::string& beginning) const;

  std::vector<std::pair<std::string, std::string>> entries_;
};

}  // namespace trestle::report
