#pragma once

#include "observe/document/html_document.h"
#include "observe/report/run_data.h"

namespace trestle {

/// Where the time of the steps went, site by site, and the course of the test over the
/// time of the session. Nothing is written if the record has no ledger.
void write_ledger_chapter(HtmlDocument& document, const RunData& run);

}  // namespace trestle
