#pragma once

#include <string>

#include "observe/document/html_document.h"
#include "observe/report/run_data.h"

namespace trestle::report {

/// Writes the notes of people; a kept PNG or JPEG picture is shown. Nothing if there are
/// none.
void write_notes_chapter(document::HtmlDocument& document, const RunData& run);
/// Writes the events of the session, by time.
void write_events_chapter(document::HtmlDocument& document, const RunData& run);
/// Writes the commands of people, and whether their chain is intact.
void write_audit_chapter(document::HtmlDocument& document, const RunData& run);
/// The test as it ran, and what integrator and sites agreed on.
void write_configuration_chapter(document::HtmlDocument& document, const RunData& run);
/// Writes the past of each measuring channel, and the channels of real equipment for which
/// none is stated. Nothing if there are none.
void write_calibration_chapter(document::HtmlDocument& document, const RunData& run);
/// Which specimen stood at each site that states it. Nothing if none does.
void write_specimen_chapter(document::HtmlDocument& document, const RunData& run);
/// Session, software, and the digests of all files.
/// @param title  of the chapter
void write_provenance_chapter(document::HtmlDocument& document, const RunData& run,
                              const std::string& title = "Provenance");

}  // namespace trestle::report
