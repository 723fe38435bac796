#include "site-servers/node/rig_preparation.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "core/host/line_writer.h"

namespace trestle::site_node {
namespace {

constexpr std::chrono::seconds kFarewellOfAdapter(3);
constexpr int kExitHeld = 3;  // stopped, and the rig is asked to hold

}  // namespace

struct RigPreparation::Outcome {
  std::string problem;
  std::optional<RigFound> found;
  std::atomic<bool> done{false};
};

RigFound find_rig(SiteAdapter& adapter) {
  const RigDescription& rig = adapter.description();
  RigFound found{
      AdapterStatus::kOk,
      Measurement::zero(static_cast<Eigen::Index>(rig.actuators.size()), rig.reactions)};
  found.status = adapter.read(TimePoint{}, found.seen);
  return found;
}

void release_rig(SiteAdapter& adapter) {
  if (!adapter.release())
    throw std::runtime_error(
        "the driver of this rig offers no release of its pressure; release it by the "
        "equipment's own means");
}

RigPreparation::RigPreparation(SiteAdapter& adapter, const RigRun& run,
                               AfterPreparation then)
    : adapter_(adapter), outcome_(std::make_unique<Outcome>()) {
  thread_ = std::thread([outcome = outcome_.get(), &adapter, run, then] {
    try {
      if (then != AfterPreparation::kReleaseAlone) adapter.prepare(run);
      if (then == AfterPreparation::kLook) outcome->found = find_rig(adapter);
      if (then == AfterPreparation::kRelease || then == AfterPreparation::kReleaseAlone)
        release_rig(adapter);
    } catch (const std::exception& error) {
      outcome->problem = error.what();
      if (outcome->problem.empty()) outcome->problem = "the rig does not say why";
    } catch (...) {
      outcome->problem = "the rig does not say why";
    }
    outcome->done.store(true, std::memory_order_release);
    outcome->done.notify_all();
  });
}

RigPreparation::~RigPreparation() {
  using Steady = std::chrono::steady_clock;
  for (const auto end = Steady::now() + kFarewellOfAdapter; !done();) {
    adapter_.hold();
    if (Steady::now() >= end) {
      host::write_last_words(
          STDERR_FILENO,
          "the rig's adapter does not come back from getting ready; this program ends "
          "without it, and the rig was asked to hold\n");
      std::_Exit(kExitHeld);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  thread_.join();
}

bool RigPreparation::done() const noexcept {
  return outcome_->done.load(std::memory_order_acquire);
}

const std::string& RigPreparation::problem() const noexcept {
  return outcome_->problem;
}

const std::optional<RigFound>& RigPreparation::found() const noexcept {
  return outcome_->found;
}

}  // namespace trestle::site_node
