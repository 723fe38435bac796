#pragma once

#include "observe/document/html_document.h"
#include "observe/report/run_data.h"

namespace trestle::report {

/// Writes how the time of the steps was spent, site by site, and the course of the test
/// over session time. Writes nothing if the record has no ledger.
void write_ledger_chapter(document::HtmlDocument& document, const RunData& run);

}  // namespace trestle::report
