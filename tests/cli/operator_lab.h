#pragma once

#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {

/// The shipped distributed test over ipc sockets in the test's folder, with people who ask
/// it and tell it what to do. The site west stands for real equipment.
class OperatorLab : public ProgramTestCase {
 protected:
  using Words = std::vector<std::string>;
  using Json = nlohmann::json;

  static Words set(const Words& values);
  /// A site's server; its records go to `<site>-records`.
  Words serving(const std::string& site, const Words& settings = {}) const;
  /// The same, as if it could break.
  Words real(const std::string& site, Words settings = {}) const;
  /// The distributed test; its records go to `run`.
  Words running(const Words& settings = {}) const;
  /// Asks until the node is in this state. @returns the last answer
  /// @throws std::runtime_error  a minute passed
  Json until(const std::string& folder, const std::string& state,
             std::int64_t step = -1) const;
  /// The same without a command, whose start alone may take longer than the state lasts.
  void until_asked(const std::string& folder, const std::string& state,
                   std::int64_t step = -1) const;
  std::string why(const std::string& folder) const;
  /// Asks why until the answer holds this. @throws std::runtime_error  a minute passed
  void until_why(const std::string& folder, const std::string& text) const;
  /// Says it, and expects that it is followed.
  void tell(const Words& words) const;
  /// Says it, and expects a refusal. @returns its sentence
  std::string refusal(const Words& words) const;
  /// One column of the ticks that west's record holds.
  std::vector<double> ticks(const std::string& column) const;
  std::string socket(const std::string& site) const {
    return "ipc://" + path(site + ".ipc");
  }
};

bool holds(const std::string& text, const std::string& part);

}  // namespace trestle::cli
