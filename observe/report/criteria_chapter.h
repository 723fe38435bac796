#pragma once

#include <nlohmann/json.hpp>

#include "observe/document/html_document.h"

namespace trestle::report {

/// The criteria of one run, or of two side by side, each with a sentence that says what it
/// is (docs/reference/criteria.md).
/// @param evaluations  as evaluation_of() gave them
/// @param names        of the runs, where there are several
void write_criteria_chapter(document::HtmlDocument& document,
                            const std::vector<nlohmann::ordered_json>& evaluations,
                            const std::vector<std::string>& names = {});

}  // namespace trestle::report
