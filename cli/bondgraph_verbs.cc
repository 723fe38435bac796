#include "cli/bondgraph_verbs.h"

#include "cli/study_verbs.h"

namespace trestle {

BondgraphVerb::BondgraphVerb(CLI::App& app)
    : verb_(app.add_subcommand(
          "bondgraph", "a structure as a bond graph: its cut and its virtual junction")),
      check_(add("check", "say what follows from a model, and what is wrong with it")),
      derive_(add("derive", "print the matrices that follow from a model")),
      draw_(add("draw", "draw a model with its causality and its cut, as SVG")) {
  verb_->require_subcommand(1);
  check_->add_flag("--json", options_.json, "print it as JSON, and nothing else");
  derive_->add_flag("--json", options_.json, "print them as JSON, and nothing else");
  draw_->add_option("--out", options_.out,
                    "FILE.svg; default: the model's name, in this folder");
  draw_->add_flag("--dot", options_.text, "print Graphviz's text in place of the SVG");
  add_plot();
  add_identify();
}

void BondgraphVerb::add_identify() {
  BondgraphIdentifyOptions& to = identify_options_;
  identify_ = verb_->add_subcommand(
      "identify", "measure stiffness and damping of a laboratory's transfer systems");
  identify_->add_option("site", to.site, "SITE.yaml")->required();
  identify_->add_option("--mass", to.mass, "in kg: what moves of each transfer system")
      ->required()
      ->check(CLI::PositiveNumber);
  identify_->add_option("--load", to.load,
                        "part of the specimen's force that it feels; default 1");
  identify_->add_option("--amplitude", to.amplitude, "of the steps, in m; default 0.001")
      ->check(CLI::PositiveNumber);
  identify_->add_option("--rise", to.rise, "of the steps, in s; default 0.02")
      ->check(CLI::PositiveNumber);
  identify_->add_option("--tick", to.tick, "control tick, in s; default 0.001")
      ->check(CLI::PositiveNumber);
  identify_->add_option("--out", to.out, "FILE of the result; default transfer.yaml");
  identify_->add_option("--set", to.overrides, kSetHelp)->allow_extra_args(false);
  identify_->add_flag("--json", to.json, "print all that was found as JSON");
}

void BondgraphVerb::add_plot() {
  plot_ = verb_->add_subcommand("plot", "measured against wanted motion of a run's ports");
  plot_->add_option("run", plot_options_.folder, "a run's folder")->required();
  plot_->add_option("--out", plot_options_.out,
                    "FILE.svg; default: synchronisation.svg in the run's folder");
  plot_->add_option("--from", plot_options_.from, "TIME in s; default: the beginning");
  plot_->add_option("--until", plot_options_.until, "TIME in s; default: the end");
  plot_
      ->add_option("--frequency", plot_options_.frequencies,
                   "in Hz: gain and phase there, too")
      ->allow_extra_args(false);
  plot_->add_flag("--json", plot_options_.json, "print the numbers as JSON, and no table");
}

CLI::App* BondgraphVerb::add(const char* name, const char* what) {
  CLI::App* verb = verb_->add_subcommand(name, what);
  verb->add_option("model", options_.file, "MODEL.yaml")->required();
  verb->add_option("--set", options_.overrides, kSetHelp)->allow_extra_args(false);
  return verb;
}

std::optional<int> BondgraphVerb::run() const {
  if (check_->parsed()) return bondgraph_check(options_);
  if (derive_->parsed()) return bondgraph_derive(options_);
  if (draw_->parsed()) return bondgraph_draw(options_);
  if (plot_->parsed()) return bondgraph_plot(plot_options_);
  if (identify_->parsed()) return bondgraph_identify(identify_options_);
  return std::nullopt;
}

}  // namespace trestle
