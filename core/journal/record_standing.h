#pragma once

#include <string>

namespace trestle {

/// The state of the record in the folder of a run.
struct RecordStanding {
  enum class Kind {
    kNothing,   ///< no record was begun
    kNotBegun,  ///< one was, and it is proven that it ended before the initial measurement
    kUnfinished,  ///< an interrupted session, which can be resumed
    kEnded,       ///< a session that was brought to its end
    kInUse,       ///< a process that lives writes it
    kUnknown,     ///< unknown: `why` states the reason
  };
  Kind kind = Kind::kNothing;
  std::string why = {};      ///< of kUnknown: one sentence that names the file
  std::string session = {};  ///< 32 hexadecimal digits; empty: not known
};

/// Looks at the record of an integrator, `journal.db` in a run's folder, and at those of
/// the sites beside it. Changes nothing but this: what a killed process had pushed, and had
/// not written yet, is brought into the journal.
///
/// That there was no initial measurement is proven where a record is whole, was begun since
/// the system was started (so that no loss of power has taken anything of it), and holds
/// none; and where there is no record, and none of a site beside it asked its rig for a
/// step.
RecordStanding standing_of_record(const std::string& folder);

}  // namespace trestle
