#pragma once

namespace trestle {

inline constexpr const char* kIntegratorJournal = "journal.db";  ///< in a run's folder

}  // namespace trestle
