#pragma once

#include <vector>

#include "observe/document/html_document.h"
#include "observe/report/limit_use.h"
#include "observe/report/run_data.h"

namespace trestle::report {

/// The chapter of one site: how its actuators followed, hysteresis, synchronisation, delay,
/// energy, spectra, and how near it came to its limits.
void write_site_chapter(document::HtmlDocument& document, const RunData& run,
                        const RecordedSiteData& site, const std::vector<LimitUse>& uses);

}  // namespace trestle::report
