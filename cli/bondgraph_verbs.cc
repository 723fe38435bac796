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
                    "FILE.svg; default: beside the model's name, here");
  draw_->add_flag("--dot", options_.text, "print Graphviz's text in place of the SVG");
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
  return std::nullopt;
}

}  // namespace trestle
