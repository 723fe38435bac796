#include "cli/terminal/common_options.h"

#include <cstdlib>

#include "core/host/person.h"

namespace trestle::cli {

void add_person_option(CLI::App& verb, std::string& name) {
  // Not CLI11's envname(): several verbs share the name, and it would win over the option.
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there is no other thread yet
  if (const char* const said = std::getenv("TRESTLE_AS"); said != nullptr && name.empty())
    name = said;
  verb.add_option("--as", name, "your name, for the audit; default: your login")
      ->check(CLI::Validator(host::refusal_of_name, "", "name"));
}

void add_override_option(CLI::App& verb, std::vector<std::string>& overrides) {
  verb.add_option(
          "--set", overrides,
          "change a value as if it stood so in the file: sites.west.compensator.kind=ats")
      ->allow_extra_args(false);
}

}  // namespace trestle::cli
