#pragma once

#include "observe/document/html_document.h"
#include "observe/report/run_data.h"

namespace trestle {

/// Writes how the time of the steps was spent, site by site, and the course of the test
/// over session time. Writes nothing if the record has no ledger.
void write_ledger_chapter(HtmlDocument& document, const RunData& run);

}  // namespace trestle
