#pragma once

#include "core/ports/row_sink.h"

namespace trestle::integrator_node {

/// Rows up to the one that a record ended with are in it already: a replay makes them
/// again.
class ResumedRowSink final : public RowSink {
 public:
  /// @param sink  outlives this
  void follow(RowSink& sink, std::int64_t last) noexcept {
    sink_ = &sink;
    last_ = last;
  }
  bool push(const RecordRow& row) noexcept override {
    return row.index <= last_ || sink_->push(row);
  }

 private:
  RowSink* sink_ = nullptr;
  std::int64_t last_ = 0;
};

/// For a record that is replayed and not extended: it already has all rows.
class NoSink final : public RowSink {
 public:
  bool push(const RecordRow& /*row*/) noexcept override { return true; }
};

}  // namespace trestle::integrator_node
