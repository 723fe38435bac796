#pragma once

#include <string>

#include "observe/export/number_table.h"
#include "studies/campaign/campaign_store.h"
#include "studies/campaign/study_plan.h"

namespace trestle {

/// What the tables of a campaign say beside its runs.
struct CampaignFacts {
  std::string folder;
  std::string study;  ///< the file, and `--set`, as one types them again
  std::string software;
};

/// One row per drawn run: `run`, `stable`, what was drawn, the results. Of an unstable run
/// only `steps_done` stands there, so that nobody averages the rest; of an impossible one
/// nothing. The texts `outcome` and `reason` stand beside it.
NumberTable campaign_table(const StudyPlan& plan, const CampaignRecord& record,
                           const CampaignFacts& facts);

/// summary.json: counts, and per result the statistics over the stable runs and the value
/// of the nominal run. Ends with a newline.
std::string campaign_json(const StudyPlan& plan, const CampaignRecord& record,
                          const CampaignFacts& facts);

/// Formats a summary of one screen.
std::string campaign_text(const StudyPlan& plan, const CampaignRecord& record,
                          const CampaignFacts& facts);

/// Why no drawn run of the record could be run, in one sentence; empty if one could, or if
/// none was drawn.
std::string why_none_could_run(const CampaignRecord& record);

}  // namespace trestle
