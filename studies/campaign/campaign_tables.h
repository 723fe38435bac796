#pragma once

#include <string>

#include "observe/export/number_table.h"
#include "studies/campaign/campaign_sensitivity.h"
#include "studies/campaign/campaign_store.h"
#include "studies/campaign/study_plan.h"

namespace trestle::campaign {

/// The facts in the tables of a campaign beside its runs.
struct CampaignFacts {
  std::string folder;
  std::string study;  ///< the file, and `--set`, as one types them again
  std::string software;
  CampaignSensitivity sensitivity = {};  ///< where the plan has one
};

/// Returns one row per drawn run: `run`, `stable`, the draws, the results. An unstable run
/// has only `steps_done`, so that the rest is not averaged, unless the plan includes it; an
/// impossible one has nothing.
/// The texts `outcome` and `reason` are separate columns.
exports::NumberTable campaign_table(const StudyPlan& plan, const CampaignRecord& record,
                                    const CampaignFacts& facts);

/// summary.json: counts, and per result the statistics over the stable runs and the value
/// of the nominal run; where the plan includes unstable runs, under `with_unstable` those
/// over both. Ends with a newline.
std::string campaign_json(const StudyPlan& plan, const CampaignRecord& record,
                          const CampaignFacts& facts);

/// Formats a summary of one screen.
std::string campaign_text(const StudyPlan& plan, const CampaignRecord& record,
                          const CampaignFacts& facts);

/// Why no drawn run of the record could be run, in one sentence; empty if one could, or if
/// none was drawn.
std::string why_none_could_run(const CampaignRecord& record);

}  // namespace trestle::campaign
