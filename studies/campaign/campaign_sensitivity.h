#pragma once

#include <string>
#include <vector>

#include "studies/campaign/campaign_store.h"
#include "studies/campaign/study_plan.h"
#include "studies/sensitivity/elementary_effects.h"
#include "studies/sensitivity/sobol_indices.h"

namespace trestle::campaign {

/// What the parameters do to one result.
struct ResultSensitivity {
  std::string result;      ///< its name; `unstable`: 1 of an unstable run, else 0
  std::size_t groups = 0;  ///< rows or trajectories that it is made of
  sensitivity::SobolIndices indices;                    ///< where the plan has them
  std::vector<sensitivity::ElementaryEffects> effects;  ///< where the plan has them
};

/// What the parameters do to the results of a campaign.
struct CampaignSensitivity {
  SensitivityPlan::Kind kind = SensitivityPlan::Kind::kNone;
  std::int64_t groups = 0;      ///< rows or trajectories of the plan
  std::int64_t unstable = 0;    ///< of them with an unstable run and no impossible one
  std::int64_t impossible = 0;  ///< of them with an impossible run
  /// Too many were taken out: what is left is of another population. Nothing but the
  /// measures of `unstable` is given then.
  bool withheld = false;
  std::vector<ResultSensitivity> results = {};
};

/// Of the results that the plan shows. A row or trajectory with an unstable run is taken
/// out as a whole; that a run was unstable is a separate result, of all of them. One with
/// an impossible run is taken out of everything.
/// @param record  complete
/// @param force   withholds nothing
CampaignSensitivity sensitivity_of(const StudyPlan& plan, const CampaignRecord& record,
                                   bool force);

/// One line per result and parameter; an empty cell where there is no number.
std::string sensitivity_csv(const StudyPlan& plan, const CampaignSensitivity& sensitivity);

/// JSON of the same, as the value of one key.
std::string sensitivity_json(const StudyPlan& plan, const CampaignSensitivity& sensitivity);

/// Human-readable, a few lines; ends with a newline.
std::string sensitivity_text(const StudyPlan& plan, const CampaignSensitivity& sensitivity);

/// What was taken out or withheld, in one sentence; empty: nothing.
std::string sensitivity_caveat(const CampaignSensitivity& sensitivity);

/// Parameters of a result, the one with the largest measure (total index, μ*) first.
std::vector<std::size_t> by_sensitivity(const ResultSensitivity& result);

}  // namespace trestle::campaign
