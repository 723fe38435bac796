#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trestle {

/// One wait: who is waited for, since when, until when, and what happens then.
struct Wait {
  std::string whom;    ///< "site east (tcp://lab-east:7001)", "the operator", ...
  std::string what;    ///< "answer to step 412", "word to arm", ...
  double since = 0.0;  ///< so long ago [s]
  double until = 0.0;  ///< in so many seconds [s]; infinite: for ever
  std::string then;    ///< "the test holds", "the test is stopped", ...
};

/// How another node stands, as this one sees it.
struct PeerStanding {
  std::string name;
  std::string where;
  std::string state;       ///< OFFLINE, ..., FAULT: as it said last, so long ago
  std::int64_t step = -1;  ///< answered last
  double heard = 0.0;      ///< so long ago [s]; negative: never
  std::string rig = {};    ///< "moves", "asked to hold" or "holds"; empty: not known
};

/// How a node stands, for people and programs.
struct Standing {
  std::string node;     ///< "integrator", or the site's name
  std::string test;     ///< empty: none
  std::string session;  ///< hexadecimal; empty: none
  std::string state;   ///< OFFLINE, CONNECTED, ..., FAULT; an integrator's: CONNECTING, ...
  std::string reason;  ///< why it holds or is in FAULT; else empty
  std::int64_t step = -1;  ///< done last
  std::int64_t steps = 0;  ///< planned
  double time_step = 0.0;  ///< [s]
  std::vector<PeerStanding> peers;
  std::vector<Wait> waits;  ///< empty: it works
  /// "moves", "asked to hold": it was told to, and nothing confirms it yet, or "holds": a
  /// control cycle was completed since; empty: no rig here.
  std::string rig = {};
};

/// A node that a person may ask and tell while it runs. Called by the thread that drives
/// the node, between two ticks.
///
/// A command returns an empty text where it is followed, else one sentence: why not, and
/// what to do. @param by  user@host
class Operated {
 public:
  virtual ~Operated() = default;

  virtual Standing standing() const = 0;

  virtual std::string arm(const std::string& by) = 0;
  virtual std::string hold(const std::string& by, const std::string& reason) = 0;
  virtual std::string resume(const std::string& by) = 0;
  virtual std::string stop(const std::string& by, const std::string& reason) = 0;
  /// A latched fault; at a site only.
  virtual std::string clear(const std::string& by) = 0;
  /// The same, and which drive the equipment has in force: a site that cannot know it asks
  /// for it. @param drive  "14.94 mm, -3 mm" or "measured"; empty: nothing is said of it
  virtual std::string clear_from(const std::string& by, const std::string& drive) {
    return drive.empty() ? clear(by) : "nobody asks for the drive in force here";
  }
};

}  // namespace trestle
