#include "cli/study_verbs.h"

namespace trestle {

StudyVerbs::StudyVerbs(CLI::App& app)
    : campaign_(app.add_subcommand("campaign", "run a test many times, with random draws")),
      compare_(
          app.add_subcommand("compare", "run several tests, and set them side by side")),
      identify_(app.add_subcommand(
          "identify", "find a vehicle's parameters from its bridge's response")) {
  campaign_->add_option("study", campaign_options_.study, "STUDY.yaml")->required();
  campaign_->add_option("--out", campaign_options_.out,
                        "folder of the results; default runs/campaign-<study>");
  campaign_->add_option("--set", campaign_options_.overrides, kSetHelp)
      ->allow_extra_args(false);
  campaign_->add_option("--jobs", campaign_options_.jobs, "threads; default all cores")
      ->check(CLI::Range(1, 4096));
  campaign_->add_option("--runs", campaign_options_.runs, "in place of the study's number")
      ->check(CLI::Range(1, 100'000'000));
  campaign_->add_option("--run", campaign_options_.run,
                        "this run alone, with its whole record; 0 is the nominal one");
  campaign_->add_flag("--json", campaign_options_.json,
                      "print the summary as JSON, and nothing else");

  compare_->add_option("tests", compare_options_.tests, "TEST.yaml ...")->required();
  compare_->add_option("--set", compare_options_.overrides, kSetHelp)
      ->allow_extra_args(false);
  compare_
      ->add_option("--results", compare_options_.results,
                   "rows of the table: criteria.J2, sites.*.nrmse; default the criteria, "
                   "else how the actuators tracked")
      ->delimiter(',')
      ->allow_extra_args(false);
  compare_->add_option("--out", compare_options_.out, "FILE in place of the screen");
  compare_->add_option("--report", compare_options_.report,
                       "FILE.html: tables and pictures, beside the screen");
  compare_->add_flag("--markdown", compare_options_.markdown, "the table as Markdown");
  compare_->add_flag("--json", compare_options_.json, "all results as JSON");

  identify_->add_option("study", identify_options_.study, "STUDY.yaml")->required();
  identify_->add_option("--out", identify_options_.out,
                        "folder of the results; default runs/identify-<study>");
  identify_->add_option("--set", identify_options_.overrides, kSetHelp)
      ->allow_extra_args(false);
  identify_->add_flag("--json", identify_options_.json,
                      "print the summary as JSON, and nothing else");
}

std::optional<int> StudyVerbs::run() const {
  if (campaign_->parsed()) return campaign(campaign_options_);
  if (compare_->parsed()) return compare(compare_options_);
  if (identify_->parsed()) return identify(identify_options_);
  return std::nullopt;
}

}  // namespace trestle
