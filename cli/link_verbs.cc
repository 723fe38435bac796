#include "cli/link_verbs.h"

#include "cli/study_verbs.h"

namespace trestle {

LinkVerbs::LinkVerbs(CLI::App& app)
    : link_(app.add_subcommand(
          "link", "relay between integrator and sites, with the delays of a network")) {
  link_->add_option("link", options_.file, "LINK.yaml")->required();
  link_->add_option("--set", options_.overrides, kSetHelp)->allow_extra_args(false);
  link_->add_option("--for", options_.duration, "seconds; default until Ctrl-C")
      ->check(CLI::PositiveNumber);
}

std::optional<int> LinkVerbs::run() const {
  if (link_->parsed()) return link_relay(options_);
  return std::nullopt;
}

}  // namespace trestle
