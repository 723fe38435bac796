#pragma once

#include <nlohmann/json.hpp>

#include "observe/document/html_document.h"

namespace trestle::report {

/// The criteria of one run, or of two side by side, each with a sentence that says what it
/// is (docs/reference/criteria.md). The columns of a run that did not come to its end say
/// until which step they are.
/// @param evaluations  as evaluation_of() gave them
/// @param names        "first", "second", where there are several runs
void write_criteria_chapter(document::HtmlDocument& document,
                            const std::vector<nlohmann::ordered_json>& evaluations,
                            const std::vector<std::string>& names = {});

}  // namespace trestle::report
