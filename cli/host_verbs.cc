#include "cli/host_verbs.h"

namespace trestle {

HostVerbs::HostVerbs(CLI::App& app)
    : doctor_(app.add_subcommand("doctor", "say whether this host can do real time")) {
  doctor_
      ->add_option("--seconds", doctor_options_.seconds,
                   "how long each of two schedulings is measured; default 3")
      ->check(CLI::Range(0.01, 86'400.0));
  doctor_->add_flag("--json", doctor_options_.json, "print the result as JSON");
}

std::optional<int> HostVerbs::run() const {
  if (doctor_->parsed()) return doctor(doctor_options_);
  return std::nullopt;
}

}  // namespace trestle
