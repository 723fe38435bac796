#pragma once

#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/ports/numerical_substructure.h"
#include "core/session/session.h"
#include "core/timing/exchange_book.h"
#include "core/types/message.h"
#include "numerical/node/integrator_settings.h"

namespace trestle {

/// One site as the integrator sees it: what was agreed, and when it was last spoken to.
struct SiteLink {
  SiteInTest expected;
  Session session;  ///< our view of the site's state
  std::vector<ActuatorDescription> actuators;
  int actuators_said = 0;       ///< in its hello
  SiteDescription description;  ///< the same
  std::string contract;         ///< what both agreed on
  bool real_equipment = false;
  InterfaceLayout layout;  ///< with the limits that hold
  std::vector<std::string> tightened;
  std::int64_t steps = 0;  ///< answered
  bool held = false;       ///< it said so after a Halt, or met the fault itself
  bool faulted = false;    ///< it met a fault, and has not gone on since
  bool stopped = false;    ///< it said so
  bool kept = false;       ///< it said that its rig is held, and moves by a person's word
  bool lost = false;       ///< nothing more is expected of it
  bool away = false;       ///< held for: it was silent, or restarted, and is not yet back
  std::string contract_hash;              ///< of what both agreed on, hexadecimal
  bool can_resume = false;                ///< as its hello says
  bool asked_for_past = false;            ///< whether it has a session beside that one
  std::int64_t last_step = kOpeningStep;  ///< the same
  bool came_back = false;                 ///< since the test last ran
  /// Recorded targets that it shall follow again, as its own record had lost them.
  std::vector<StepCommand> again;
  std::vector<SiteAnswer> answers;  ///< that it gave to them
  std::size_t caught_up = 0;        ///< of them
  TimePoint sent{};
  TimePoint beat_sent{};                     ///< of a heartbeat with our system clock
  TimePoint heard{};                         ///< any word of the session
  TimePoint alive{};                         ///< a word of a control loop that goes on
  std::string said{};                        ///< state that it said last; empty: none
  std::string rig{};                         ///< how its rig is, as it said last
  std::int64_t cycles = 0;                   ///< of its control loop, as it said last
  const char* awaited = nullptr;             ///< of it, and
  std::int64_t awaited_step = kOpeningStep;  ///< for which step,
  TimePoint awaited_since{};                 ///< since when
  ExchangeBook book{};                       ///< of its clock
  TimePoint asked{};                         ///< for its agreement
  TimePoint arm_sent{};                      ///< of Arm, then of Start
  Duration round_trip{};                     ///< of Configure, then of Arm, then of Start
  PaceAccount pace{};                        ///< said at the end

  /// A word of it that tells its state.
  void says(SessionState state, const char* its_rig, TimePoint now) {
    said = name(state);
    rig = its_rig;
    heard = now;
  }
};

/// For the record: `a1 m,a2 rad`, and back.
std::string text_of(const std::vector<ActuatorDescription>& actuators);
std::vector<ActuatorDescription> actuators_from(const std::string& text);

/// "2.5 s".
std::string duration_text(Duration duration);

/// Why this site cannot take part with this description, or empty.
std::string mismatch(const Hello& hello, const IntegratorSettings& settings,
                     const SiteLink& link);

/// Why what the site agreed to is not what the test needs, or empty.
std::string mismatch(const Configured& configured, const SiteLink& link);

/// What the site is told at configuration.
/// @param resume  the session goes on
Configure configure_message(const IntegratorSettings& settings, const SiteInTest& site,
                            bool resume);

/// ` (limit of the test, test.yaml:41:44)` where it is the test's limit that was met.
std::string test_limit_note(const SiteInTest& site, const Fault& fault);

}  // namespace trestle
