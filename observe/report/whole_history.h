#pragma once

#include <string>

#include "observe/document/html_document.h"
#include "observe/plot/chart.h"
#include "observe/records/stream_envelope.h"
#include "observe/records/tick_times.h"
#include "observe/report/run_data.h"

namespace trestle::report {

/// The smallest and the largest value of each part of a stream as one line: what a chart
/// shows of all its rows if a part is not wider than a pixel or two.
/// @param times  of its indices
plot::Series envelope_series(const records::StreamEnvelope& envelope, std::size_t place,
                             const records::TickTimes& times);

/// ", 120.00 to 185.53 s": the window of a long record, for a heading; else empty.
std::string window_words(const RunData& run);

/// Of a long record: a picture of the whole test for each actuator, and which rows the
/// pictures after it show.
void write_whole_histories(document::HtmlDocument& document, const RunData& run,
                           const RecordedSiteData& site);

}  // namespace trestle::report
