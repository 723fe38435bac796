#include "cli/rig_verbs.h"

#include "cli/study_verbs.h"

namespace trestle {

RigVerbs::RigVerbs(CLI::App& app)
    : characterise_(
          app.add_subcommand("characterise", "measure a laboratory's rig before a test")) {
  characterise_->add_option("site", characterise_options_.site, "SITE.yaml")->required();
  characterise_->add_option("--out", characterise_options_.out,
                            "FILE of the result; default transfer_system.yaml");
  characterise_->add_option(
      "--folder", characterise_options_.folder,
      "FOLDER of the record, where `trestle arm` finds real equipment; "
      "default runs/characterise-SITE-TIME");
  characterise_->add_option("--set", characterise_options_.overrides, kSetHelp)
      ->allow_extra_args(false);
  characterise_->add_option("--report", characterise_options_.report,
                            "FILE.html: tables and pictures, beside the screen");
  characterise_->add_flag("--json", characterise_options_.json,
                          "print all that was found as JSON, and nothing else");
}

std::optional<int> RigVerbs::run() const {
  if (characterise_->parsed()) return characterise(characterise_options_);
  return std::nullopt;
}

}  // namespace trestle
