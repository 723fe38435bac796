#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/yaml/source_map.h"
#include "proto/config/test.pb.h"

namespace trestle::yaml::test {

/// A folder of YAML files that lives as long as a test.
class ConfigFiles {
 public:
  ConfigFiles();
  ~ConfigFiles();
  ConfigFiles(const ConfigFiles&) = delete;
  ConfigFiles& operator=(const ConfigFiles&) = delete;

  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Lines of the ConfigError that reading `text` into the message throws, without the folder
/// in front of file names; empty if all is well.
std::vector<std::string> problems_of(const std::string& text,
                                     google::protobuf::Message& into,
                                     const std::vector<std::string>& overrides = {});

/// The same for a file that stands there already.
std::vector<std::string> problems_in(const ConfigFiles& files, const std::string& file,
                                     google::protobuf::Message& into,
                                     const std::vector<std::string>& overrides = {});

/// The test of what people see first: two columns in two laboratories.
extern const char* const kTwoSiteFrame;

/// A field as text format, for comparisons that print well.
std::string text_of(const google::protobuf::Message& message);

}  // namespace trestle::yaml::test
