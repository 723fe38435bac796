#include "cli/watch_verbs.h"

#include <cstdio>

#include "cli/exit_code.h"
#include "cli/operated_folder.h"
#include "cli/person_option.h"

namespace trestle {

WatchVerbs::WatchVerbs(CLI::App& app)
    : watch_(app.add_subcommand("watch", "show a running or finished test on one screen")) {
  watch_->add_option("where", options_.where, "folder of a run or a site, or a site's name")
      ->required();
  watch_->add_flag("--once", options_.once, "print one screen and end");
  watch_->add_flag("--plain", options_.plain, "ASCII letters, no colour");
  watch_
      ->add_option("--width", options_.width,
                   "columns of --once; default: the terminal's, else 80")
      ->check(CLI::Range(20, 1000));
  describe_person(*watch_, options_.as);
  watch_->footer(
      "Keys: 1-9 actuator, + - window, w whole time, h hold, ? keys, q leave.\n"
      "Exit codes: 0 left, 2 usage, no such folder, or no terminal.");
}

std::optional<int> WatchVerbs::run() const {
  if (!watch_->parsed()) return std::nullopt;
  const std::string folder = operated_folder(options_.where);
  if (!folder.empty()) return watch(folder, options_);
  std::fprintf(stderr, "%s\n", no_folder(options_.where).c_str());
  return kExitConfiguration;
}

}  // namespace trestle
