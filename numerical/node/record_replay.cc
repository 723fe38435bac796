#include "numerical/node/record_replay.h"

#include <utility>

#include "core/types/record_names.h"

namespace trestle::integrator_node {

RecordReplay::RecordReplay(NumericalSubstructure& substructure, const RunSchema& schema,
                           std::unique_ptr<RecordedSession> record,
                           std::span<const SiteTarget> requests,
                           std::span<const SiteResponse> opening)
    : substructure_(substructure),
      schema_(schema),
      record_(std::move(record)),
      requests_(requests.begin(), requests.end()),
      answers_(opening.begin(), opening.end()) {
  substructure_.snapshot(present_);
  substructure_.prepare();
  substructure_.correct(-1, answers_);
}

RecordReplay::~RecordReplay() {
  SnapshotReader present(present_.values());
  substructure_.restore(present);
}

bool RecordReplay::next() {
  ++step_;
  substructure_.predict(step_, requests_);
  if (!record_->row(stream_name::kIntent, step_, row_)) return false;
  if (!schema_.holds_targets(row_, requests_)) return false;
  if (!record_->row(stream_name::kAnswer, step_, row_)) return false;
  schema_.unpack_used(row_, answers_);
  return substructure_.correct(step_, answers_);
}

}  // namespace trestle::integrator_node
