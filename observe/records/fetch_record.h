#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "core/ports/clock.h"
#include "core/ports/transport.h"

namespace trestle::records {

/// A site that does not answer, or not any more.
class SiteTimeout final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The site whose record is fetched, and how long it may stay silent.
struct RecordRequestTarget {
  int peer = 0;       ///< its place on the bus
  std::string name;   ///< of the site
  std::string where;  ///< its address, for sentences
  SessionId session{};
  Duration patience = std::chrono::seconds(10);  ///< for each answer
};

/// Fetches a site's record of a session over the bus, into `<run_dir>/<site>.db`: piece by
/// piece, each requested again until it arrives. The existing file stays until the copy is
/// complete.
///
/// @param progress  called after each piece with the bytes so far and in all; may be empty
/// @throws SiteTimeout          if an answer did not come in time
/// @throws std::runtime_error  if the site has no such record, or it cannot be written
void fetch_record(const RecordRequestTarget& record, Transport& transport, Clock& clock,
                  const std::string& run_dir,
                  const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace trestle::records
