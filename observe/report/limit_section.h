#pragma once

#include <vector>

#include "observe/document/html_document.h"
#include "observe/report/limit_use.h"
#include "observe/report/run_data.h"

namespace trestle::report {

/// Writes how near a site came to its limits: a bar for each limit, a table of the largest
/// values, and what they mean.
/// @param uses  of all sites
void write_limit_section(document::HtmlDocument& document, const RunData& run,
                         const RecordedSiteData& site, const std::vector<LimitUse>& uses);

}  // namespace trestle::report
