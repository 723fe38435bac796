#include "cli/gateway_verbs.h"

#include "cli/person_option.h"
#include "cli/study_verbs.h"

namespace trestle {

GatewayVerbs::GatewayVerbs(CLI::App& app) {
  CLI::App* gateway =
      app.add_subcommand("gateway", "let a foreign integrator drive our sites");
  gateway->require_subcommand(1);
  openfresco_ = gateway->add_subcommand(
      "openfresco", "OpenSees and OpenFresco, by their own protocols (docs/openfresco.md)");
  openfresco_->add_option("--listen", options_.listen,
                          "HOST:PORT where the client calls in; port 0: any free one");
  openfresco_->add_option("--transport", options_.transport, "tcp or udp")
      ->check(CLI::IsMember({"tcp", "udp"}));
  openfresco_->add_option("--site", options_.site, "SITE.yaml: what it drives")->required();
  openfresco_->add_option("--out", options_.out,
                          "folder of the records; default runs/gateway-<name>");
  openfresco_->add_option("--set", options_.overrides, kSetHelp)->allow_extra_args(false);
  describe_person(*openfresco_, options_.as);
  openfresco_
      ->add_option("--spin", options_.spin,
                   "microseconds for which it waits awake for the client's next word, "
                   "before it sleeps; 0: sleeps at once")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  openfresco_->add_flag("--once", options_.once, "end after one client");
}

std::optional<int> GatewayVerbs::run() const {
  if (openfresco_->parsed()) return openfresco_gateway(options_);
  return std::nullopt;
}

}  // namespace trestle
