#pragma once

#include <string>
#include <vector>

namespace trestle::journal {

/// The state of the record in the folder of a run.
struct RecordStanding {
  enum class Kind {
    kNothing,   ///< no record was begun
    kNotBegun,  ///< one was, and it is proven that it ended before the initial measurement
    kUnfinished,  ///< an interrupted session, which can be resumed
    kEnded,       ///< a session that was brought to its end
    kInUse,       ///< a process that lives writes it
    kBlocked,     ///< the system does not let it be read or completed now: `why`
    kUnknown,     ///< unknown: `why` states the reason
  };
  Kind kind = Kind::kNothing;
  std::string why = {};      ///< of kBlocked and kUnknown: one sentence that names the file
  std::string session = {};  ///< 32 hexadecimal digits; empty: not known
  /// Journals that were changed: what their killed process had not written is in them now.
  std::vector<std::string> completed = {};
};

/// Examines the record of an integrator, `journal.db` in a run's folder, and those of the
/// sites beside it. Changes only this: data that a killed process had pushed and not
/// written is copied into the journal of its session, and its ring file, which is empty
/// then, is removed. Other ring files stay where they are until a program resumes the
/// record.
///
/// The absence of an initial measurement is proven in two cases: the record is complete,
/// was begun since the system started (so no loss of power has removed rows), and has none;
/// or no record exists, and no record of a site beside it contains a step.
RecordStanding standing_of_record(const std::string& folder);

}  // namespace trestle::journal
