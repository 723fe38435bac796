#include "numerical/node/record_replay.h"

#include <bit>
#include <cstdint>
#include <utility>

namespace trestle {

bool targets_equal(std::span<const double> row,
                   std::span<const SiteTarget> requests) noexcept {
  std::size_t column = 0;
  for (const SiteTarget& request : requests)
    for (const double target : request.target.displacement) {
      if (column >= row.size()) return false;
      if (std::bit_cast<std::uint64_t>(target) !=
          std::bit_cast<std::uint64_t>(row[column++]))
        return false;
    }
  return true;
}

void parse_responses(std::span<const double> row,
                     std::span<SiteResponse> answers) noexcept {
  const double* in = row.data();
  for (SiteResponse& answer : answers) {
    for (Eigen::Index i = 0; i < answer.measured.size(); ++i) {
      answer.measured[i] = *in++;
      answer.force[i] = *in++;
    }
    for (Eigen::Index i = answer.measured.size(); i < answer.force.size(); ++i)
      answer.force[i] = *in++;
  }
}

RecordReplay::RecordReplay(NumericalSubstructure& substructure,
                           std::unique_ptr<RecordedSession> record,
                           std::span<const SiteTarget> requests,
                           std::span<const SiteResponse> opening)
    : substructure_(substructure),
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
  if (!record_->row("intent", step_, row_) || !targets_equal(row_, requests_)) return false;
  if (!record_->row("answer", step_, row_)) return false;
  parse_responses(row_, answers_);
  return substructure_.correct(step_, answers_);
}

}  // namespace trestle
