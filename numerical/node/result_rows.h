#pragma once

#include <span>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/ports/row_sink.h"
#include "core/types/message.h"
#include "numerical/node/accounted_site.h"
#include "numerical/node/run_schema.h"

namespace trestle::integrator_node {

/// The rows of the integrator's record: targets, responses, and the motion computed from
/// them. Sized at set-up; no step allocates.
///
/// A row is of one step: its targets, the answers to them, the motion that it computed.
/// With latency the responses arrive some steps later, and the row is written then; a
/// missing value is not a number.
class ResultRows {
 public:
  /// @param pending  closed steps whose rows still wait for answers, >= 0
  ResultRows(const std::vector<AccountedSite>& sites,
             const NumericalSubstructure& substructure, int pending = 0);

  const RunSchema& schema() const noexcept { return schema_; }
  void set_sink(RowSink& intent, RowSink& result) noexcept;

  /// Before the targets of a step go out.
  /// @returns false if the row was lost
  bool intend(std::int64_t step, std::span<const SiteTarget> requests) noexcept;
  /// Takes a site's response to a step whose row is not written yet. Ignores other
  /// responses, and a second response to the same step.
  /// @pre its report fits the columns, and measured and force are as long as was agreed
  /// @returns whether it was taken
  bool answer(std::size_t site, const StepResponse& response) noexcept;
  /// Takes a site's response to the initial measurement.
  void open(std::size_t site, const StepResponse& response) noexcept;
  /// All have. @returns false if the row was lost
  bool record_opening(RowSink& sink) const noexcept {
    return sink.push({kInitialStep, opening_row_});
  }
  /// Returns true if the step's row is still in the buffer and contains this site's answer.
  bool answered(std::size_t site, std::int64_t step) const noexcept;
  /// All answers are in, and the substructure has used them.
  /// @returns false if the row was lost
  bool close(std::int64_t step, const NumericalSubstructure& substructure) noexcept;

  /// Writes the rows that still wait. @returns false if one was lost
  bool flush() noexcept;

  /// Returns the substructure's motion of the last closed step.
  std::span<const double> motion() const noexcept {
    return std::span(rows_[closed_].values).subspan(schema_.motion());
  }

 private:
  struct Row {
    std::int64_t step = kInitialStep;
    bool closed = false;
    std::vector<bool> in;  ///< per site
    std::vector<double> values;
  };
  std::size_t place(std::int64_t step) const noexcept;
  Row& row_of(std::int64_t step) noexcept { return rows_[place(step)]; }
  bool write(Row& row) noexcept;

  RunSchema schema_;
  std::vector<double> intent_row_;
  std::vector<double> opening_row_;
  std::vector<Row> rows_;   ///< a ring
  std::size_t closed_ = 0;  ///< the row closed last
  RowSink* intent_ = nullptr;
  RowSink* result_ = nullptr;
};

}  // namespace trestle::integrator_node
