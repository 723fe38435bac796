#pragma once

#include <string>

#include "core/session/specimen_papers.h"

namespace trestle::config {
class SpecimenPapers;
}  // namespace trestle::config

namespace trestle::composition {

/// Reads which specimen stands at a site.
/// @param path  of the key in the configuration
/// @throws SettingError with everything that is wrong: no day of the calendar, texts of
///         more than 200 bytes or with a line break
session::SpecimenPapers make_specimen_papers(const config::SpecimenPapers& message,
                                             const std::string& path);

}  // namespace trestle::composition
