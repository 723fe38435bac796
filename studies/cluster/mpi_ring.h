#pragma once

#include <memory>
#include <string>

#include "studies/cluster/launch.h"
#include "studies/cluster/task_ring.h"

namespace trestle::cluster {

/// The ranks of an MPI program. MPI is in a module that is loaded here, as no two MPIs have
/// the same binary interface: the program itself is linked with none.
class MpiRing final : public TaskRing {
 public:
  /// Loads the module, and starts MPI in it.
  /// @param module  a file; empty: the one that came with the program
  /// @param launch  what the launcher said; rank and size must be the same in MPI
  /// @throws std::runtime_error with one sentence: no module, or of another MPI than the
  ///         launcher's
  MpiRing(const std::string& module, const Launch& launch);
  ~MpiRing() override;

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }
  void send(int to, std::string bytes) override;
  std::optional<RingMessage> poll() override;
  bool all_sent() override;
  void close() override;

 private:
  struct Functions;

  std::unique_ptr<Functions> mpi_;
  int rank_ = 0;
  int size_ = 1;
};

/// Where the module that came with the program is.
std::string bundled_mpi_module();

}  // namespace trestle::cluster
