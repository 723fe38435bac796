#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "tests/system/lab_run.h"

namespace trestle::testing {

/// What is put into a test on purpose. Each function says how long something takes on the
/// virtual clock; null: no time.
struct Disturbances {
  std::function<Duration(std::int64_t step)> predict;  ///< of the substructure
  std::function<Duration(std::int64_t step)> correct;
  /// A row of this stream is pushed: "intent", "result" of the integrator, or of a site as
  /// "west.result".
  std::function<Duration(const std::string& stream, std::int64_t index)> record;
  /// Of the rig of a site; reads count from 0, the opening one, writes likewise.
  std::function<Duration(std::size_t site, std::int64_t read)> read;
  std::function<Duration(std::size_t site, std::int64_t write)> write;

  /// A site's process does nothing from `from` on, session time, for `length`.
  struct Stall {
    std::size_t site = 0;
    Duration from{};
    Duration length{};
  };
  std::vector<Stall> stalls;

  double loss = 0.0;  ///< share of messages that vanish, and of those that come twice
  unsigned seed = 0;  ///< of them

  /// The sites' clocks are ahead by this time, unknown to the integrator.
  Duration clock_ahead{};
  /// The integrator keeps a ledger although lock-step on a virtual clock takes no time.
  bool ledger_in_lockstep = false;
};

/// All that the integrator recorded.
struct BenchRun : LabRun {
  struct Stream {
    Channels channels;
    std::vector<std::int64_t> steps;
    Eigen::MatrixXd values;  ///< one row per channel, one column per row of the record
  };
  std::map<std::string, Stream> streams;
  std::vector<std::string> events;  ///< "kind: text"

  /// One column of the ledger, `<site>.<stamp>_ns`.
  Eigen::VectorXd stamp(const std::string& site, const std::string& stamp) const;
  /// From one stamp to another, step by step [ns].
  Eigen::VectorXd between(const std::string& site, const std::string& from,
                          const std::string& to) const {
    return stamp(site, to) - stamp(site, from);
  }
};

/// As run_lab(), with everything that the integrator records kept, and disturbed. Where it
/// kept a ledger, a test failure for every step whose accounts are not the whole of it, or
/// are below zero if all have one clock.
BenchRun run_bench(const std::string& yaml, const std::vector<std::string>& overrides,
                   const Disturbances& disturbances = {});

}  // namespace trestle::testing
