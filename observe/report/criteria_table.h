#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/evaluation/criteria.h"

namespace trestle::report {

/// `criteria` of summary.json; a number that is not finite becomes null.
nlohmann::ordered_json criteria_json(const evaluation::Criteria& criteria);

/// Formats one line per criterion of this run, units at the end; empty if it has none.
std::string criteria_table(const evaluation::Criteria& criteria);

}  // namespace trestle::report
