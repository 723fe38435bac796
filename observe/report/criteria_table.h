#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/evaluation/criteria.h"

namespace trestle {

/// `criteria` of summary.json; a number that is not finite becomes null.
nlohmann::ordered_json criteria_json(const Criteria& criteria);

/// For people: one line per criterion that this run has, units at the end; empty where
/// there is nothing to tell.
std::string criteria_table(const Criteria& criteria);

}  // namespace trestle
