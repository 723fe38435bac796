#include "studies/characterisation/measurement_folder.h"

#include <filesystem>
#include <stdexcept>

#include "composition/hybrid_test/rig_factory.h"
#include "core/base/file_descriptor.h"
#include "core/base/lasting_file.h"
#include "core/base/setting_error.h"
#include "core/yaml/source_map.h"
#include "core/yaml/yaml_reader.h"
#include "gateway/operator/operator_socket.h"
#include "proto/config/site_file.pb.h"
#include "studies/characterisation/measurement_refusal.h"

namespace trestle::characterisation {
namespace {

constexpr const char* kAnother = "; choose another with --folder";

void refuse_used_folder(const std::string& folder, const std::string& site) {
  if (operators::connect_operator_socket(folder))
    throw MeasurementRefusal(folder + ": a program serves this folder already" + kAnother);
  for (const std::string& name : {std::string("journal.db"), site + ".db"})
    if (std::filesystem::exists(std::filesystem::path(folder) / name))
      throw MeasurementRefusal(folder + ": already holds a record (" + name +
                               "), which is never written over" + kAnother);
}

/// Whether a plug-in says so without opening its rig.
bool is_known_to_be_real(const config::SiteFile& site) {
  try {
    const auto rig = composition::describe_rig(site);
    return rig != nullptr && rig->description().real_equipment;
  } catch (const SettingError&) {
    return false;
  }
}

}  // namespace

void make_measurement_folder(const std::string& folder, const std::string& site) {
  refuse_used_folder(folder, site);
  try {
    make_folders(folder);
  } catch (const std::runtime_error& error) {
    throw MeasurementRefusal(error.what() + std::string(kAnother));
  }
}

void check_measurement_folder(const std::string& file,
                              const std::vector<std::string>& overrides,
                              const std::string& folder) {
  if (folder.empty()) return;
  config::SiteFile site;
  yaml::SourceMap where;
  yaml::read_yaml(file, overrides, site, where);
  if (is_known_to_be_real(site)) refuse_used_folder(folder, site.site());
}

}  // namespace trestle::characterisation
