#pragma once

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

#include "core/host/person.h"

namespace trestle {

/// `--as NAME` of a verb by which a person acts; TRESTLE_AS where it is not given.
inline void describe_person(CLI::App& verb, std::string& name) {
  // Not CLI11's envname(): several verbs share the name, and it would win over the option.
  if (const char* const said = std::getenv("TRESTLE_AS"); said != nullptr && name.empty())
    name = said;
  verb.add_option("--as", name, "your name, for the audit; default: your login")
      ->check(CLI::Validator(refusal_of_name, "", "name"));
}

}  // namespace trestle
