#pragma once

#include <string>

namespace trestle::cli {

/// Prints an HTML file as PDF by Chromium, if that is installed.
/// @returns why there is no PDF, in one sentence; empty: it was written
std::string print_pdf(const std::string& html, const std::string& pdf);

}  // namespace trestle::cli
