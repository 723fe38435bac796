#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/host/person.h"

namespace trestle {

/// `--as NAME` of a verb by which a person acts.
inline void describe_person(CLI::App& verb, std::string& name) {
  verb.add_option("--as", name, "your name, for the audit; default: your login")
      ->envname("TRESTLE_AS")
      ->check(CLI::Validator(refusal_of_name, "", "name"));
}

}  // namespace trestle
