#pragma once

#include <vector>

#include "core/base/setting_error.h"
#include "proto/config/rig.pb.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {

/// No key is ever ignored: adds a sentence for every setting at a place where nothing uses
/// it, as the rest of the test is. Settings of the modes of pace may stand beside one
/// another, each used in its mode, and those of a record's file beside those of a synthetic
/// one; with `undivided` what belongs to sites may stay.
void refuse_unused_keys(const config::Test& test, std::vector<SettingIssue>& problems);

/// The same of a laboratory's own file with a simulated rig.
void refuse_unused_keys(const config::SiteFile& file, std::vector<SettingIssue>& problems);

/// The same of a simulated rig alone, wherever it is described.
/// @param path  of the rig
void refuse_unused_keys(const config::Rig& rig, const std::string& path,
                        std::vector<SettingIssue>& problems);

}  // namespace trestle::composition
