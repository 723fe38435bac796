#pragma once

#include "observe/document/html_document.h"
#include "observe/report/run_data.h"

namespace trestle {

/// What happened during the session, by time.
void write_events_chapter(HtmlDocument& document, const RunData& run);
/// Who did what, and whether the chain of it can be believed.
void write_audit_chapter(HtmlDocument& document, const RunData& run);
/// The test as it ran, and what integrator and sites agreed on.
void write_configuration_chapter(HtmlDocument& document, const RunData& run);
/// Session, software, and the digests of all files.
void write_provenance_chapter(HtmlDocument& document, const RunData& run);

}  // namespace trestle
