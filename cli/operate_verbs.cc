#include "cli/operate_verbs.h"

#include "cli/person_option.h"

namespace trestle {
namespace {

struct Described {
  OperatorVerb verb;
  const char* help;
};

using enum OperatorVerb;

constexpr std::array<Described, 7> kDescribed{
    {{kStatus, "show how a running test or site stands"},
     {kWhy, "say who waits for whom, until when, and what happens then"},
     {kArm, "tell a running test to arm its sites"},
     {kHold, "tell a running test or site to hold its rigs where they are"},
     {kResume, "go on with a test that holds, or that died"},
     {kStop, "end a running test, or the test at a site, for good"},
     {kClear, "clear a site's fault, after its cause was removed"}}};

}  // namespace

OperateVerbs::OperateVerbs(CLI::App& app) {
  for (std::size_t i = 0; i < verbs_.size(); ++i) {
    const auto& [verb, help] = kDescribed[i];
    verbs_[i] = app.add_subcommand(std::string(name(verb)), help);
    verbs_[i]
        ->add_option("where", options_.where, "folder of a run or a site, or a site's name")
        ->required();
    if (verb == kHold || verb == kStop)
      verbs_[i]->add_option("--reason", options_.reason, "for the record and the others");
    if (verb == kClear)
      verbs_[i]->add_option("--drive", options_.drive,
                            "where the site asks for it: the drive that the equipment's "
                            "controller has in force, 14.94mm for each actuator, or "
                            "`measured`");
    if (verb != kStatus && verb != kWhy) describe_person(*verbs_[i], options_.as);
    if (verb == kStop)
      verbs_[i]->add_flag("--yes", options_.sure, "do not ask whether that is meant");
    verbs_[i]
        ->add_option("--patience", options_.patience,
                     "seconds to wait for an answer; default 5")
        ->check(CLI::Range(0.001, 3600.0));
    verbs_[i]->add_flag("--json", options_.json, "print the answer as JSON");
    verbs_[i]->footer(
        "Exit codes: 0 followed, 2 usage or no such folder, 3 refused, 4 no process there, "
        "or it does not answer.");
  }
}

std::optional<int> OperateVerbs::run() const {
  for (std::size_t i = 0; i < verbs_.size(); ++i)
    if (verbs_[i]->parsed()) return operate(kDescribed[i].verb, options_);
  return std::nullopt;
}

}  // namespace trestle
