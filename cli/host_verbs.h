#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/doctor.h"

namespace trestle {

/// The command line of the verbs that look at this host, and at no test.
class HostVerbs {
 public:
  /// @param app  must live as long as this
  explicit HostVerbs(CLI::App& app);

  /// Runs the verb that was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  DoctorOptions doctor_options_;
  CLI::App* doctor_;
};

}  // namespace trestle
