#include "studies/campaign/shared_reference.h"

#include <utility>

#include "numerical/substructure/substructure_with_reference.h"
#include "studies/campaign/recalled_reference.h"
#include "studies/campaign/remembering_reference.h"

namespace trestle::campaign {
namespace {

/// A separate structure as reference knows nothing of the sites; the undivided one has
/// their specimens in it, so there the whole test counts.
std::string what_it_depends_on(const config::Test& test) {
  config::Test counts = test;
  if (test.reference().has_numerical()) counts.clear_sites();
  return counts.SerializeAsString();
}

}  // namespace

void SharedReference::serve(composition::HybridTestSetup& setup) {
  auto* const both =
      dynamic_cast<substructure::SubstructureWithReference*>(setup.substructure.get());
  if (both == nullptr) return;  // nothing to share
  std::string of = what_it_depends_on(setup.test);
  std::shared_ptr<const ReferenceRows> rows;
  {
    const std::lock_guard lock(mutex_);
    if (rows_ != nullptr && of_ != of) return;
    rows = rows_;
  }
  const std::int64_t steps = both->steps();
  both->exchange_reference([&](std::unique_ptr<NumericalSubstructure> own)
                               -> std::unique_ptr<NumericalSubstructure> {
    if (rows != nullptr) return std::make_unique<RecalledReference>(std::move(rows), steps);
    std::vector<std::size_t> columns =
        substructure::SubstructureWithReference::recorded_of(own->channels());
    return std::make_unique<RememberingReference>(
        std::move(own), steps, std::move(columns),
        [this, of = std::move(of)](std::shared_ptr<const ReferenceRows> whole) {
          keep(of, std::move(whole));
        });
  });
}

void SharedReference::keep(const std::string& of,
                           std::shared_ptr<const ReferenceRows> rows) {
  const std::lock_guard lock(mutex_);
  if (rows_ != nullptr) return;
  of_ = of;
  rows_ = std::move(rows);
}

}  // namespace trestle::campaign
