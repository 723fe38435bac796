#include "cli/test_verbs.h"

#include "cli/person_option.h"
#include "cli/study_verbs.h"

namespace trestle {

TestVerbs::TestVerbs(CLI::App& app)
    : run_(app.add_subcommand("run", "run a test")),
      site_(app.add_subcommand("site", "serve a laboratory's rig")),
      check_(app.add_subcommand("check", "look at a test before it runs")),
      export_(app.add_subcommand("export", "write a record as CSV, HDF5 or MAT")),
      collect_(app.add_subcommand("collect",
                                  "bring the records of site servers into a run's folder")),
      audit_(app.add_subcommand("audit", "who armed, stopped, overrode, and when")) {
  describe_tests();
  describe_records();
}

void TestVerbs::describe_tests() {
  run_->add_option("test", run_options_.test, "TEST.yaml")->required();
  run_->add_option("--out", run_options_.out,
                   "folder of the record; default runs/<test>-<UTC>");
  run_->add_option("--set", run_options_.overrides, kSetHelp)->allow_extra_args(false);
  describe_person(*run_, run_options_.as);
  run_->add_flag("--json", run_options_.json,
                 "print the summary as JSON, and nothing else");
  run_->add_flag("--resume", run_options_.resume,
                 "go on with a run of this very test that was cut off, if there is one in "
                 "its folder; real equipment waits for `trestle resume`");

  site_->add_option("site", site_options_.site, "SITE.yaml")->required();
  site_->add_option("--out", site_options_.out,
                    "folder of the records; default runs/site-<name>");
  site_->add_option("--set", site_options_.overrides, kSetHelp)->allow_extra_args(false);
  describe_person(*site_, site_options_.as);
  site_->add_flag("--once", site_options_.once, "end after one test");

  check_->add_option("test", check_options_.test, "TEST.yaml")->required();
  check_->add_option("--set", check_options_.overrides, kSetHelp)->allow_extra_args(false);
  check_->add_flag("--json", check_options_.json, "print the result as JSON");
}

void TestVerbs::describe_records() {
  export_->add_option("folder", export_options_.folder, "folder of a run")->required();
  export_->add_option("--csv", export_options_.csv, "FILE; - for standard output");
  export_->add_option("--hdf5", export_options_.hdf5, "FILE");
  export_->add_option("--mat", export_options_.mat, "FILE, for MATLAB");
  export_->add_option("--ledger", export_options_.ledger,
                      "FILE.csv: where the time of each step went, site by site");
  export_->add_flag("--ticks", export_options_.ticks,
                    "the control-rate record of the sites");

  collect_->add_option("folder", collect_options_.folder, "folder of a run")->required();
  collect_->add_option("sites", collect_options_.sites,
                       "folders of site servers; none: fetch over the bus");
  collect_
      ->add_option("--patience", collect_options_.patience,
                   "seconds to wait for a site that does not answer; default 10")
      ->check(CLI::PositiveNumber);

  audit_
      ->add_option("folder", audit_options_.folder, "folder of a run, or of a site server")
      ->required();
  audit_->add_flag("--json", audit_options_.json, "print the tables as JSON");
}

std::optional<int> TestVerbs::run() const {
  if (run_->parsed()) return trestle::run(run_options_);
  if (site_->parsed()) return trestle::site(site_options_);
  if (check_->parsed()) return trestle::check(check_options_);
  if (export_->parsed()) return export_record(export_options_);
  if (collect_->parsed()) return collect_sites(collect_options_);
  if (audit_->parsed()) return audit(audit_options_);
  return std::nullopt;
}

}  // namespace trestle
