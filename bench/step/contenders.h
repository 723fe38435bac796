#pragma once

#include <memory>
#include <string>
#include <vector>

namespace trestle::bench {

/// One way of carrying a step's exchange: command out, response back, 2 interface DOFs.
class Contender {
 public:
  virtual ~Contender() = default;

  /// One whole exchange, by the integrator's thread.
  virtual void exchange() = 0;
};

/// A contender by its name, and by the name of the floor that it is held against.
struct Entry {
  std::string name;
  std::string floor;
  std::unique_ptr<Contender> contender;
};

/// CPUs of the two ends; equal: both on one.
struct Placement {
  std::string name;
  int integrator = 0;
  int site = 0;
};

/// Puts the calling thread, and all that it starts from now on, on one CPU.
void pin(int cpu);

/// All contenders, their sites' threads waiting. `folder` is for ipc sockets.
std::vector<Entry> make_contenders(const Placement& placement, const std::string& folder);

}  // namespace trestle::bench
