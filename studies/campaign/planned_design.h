#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proto/config/options.pb.h"
#include "proto/config/study.pb.h"
#include "studies/campaign/study_plan.h"

namespace trestle::campaign {

/// Gives a plan with parameters its design, its number of runs and its sensitivities.
/// @param dimensions  of what a sample of each parameter is
/// @throws SettingError
void plan_design(const config::Study& study,
                 const std::vector<config::Dimension>& dimensions, StudyPlan& plan);

/// What of a design must be the same for the runs of two campaigns to be of one; empty: as
/// if no design was chosen. The content of a file of samples is not in it.
std::string design_identity(const config::Study& study);

}  // namespace trestle::campaign
