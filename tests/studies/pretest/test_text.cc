#include "tests/studies/pretest/test_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/yaml/yaml_reader.h"

namespace trestle::testing {

TextFile::TextFile(const std::string& text) {
  path_ = (std::filesystem::temp_directory_path() / "trestle_text_XXXXXX").string();
  const int file = ::mkstemp(path_.data());
  if (file < 0) throw std::runtime_error("no temporary file");
  ::close(file);
  std::ofstream(path_) << text;
}

TextFile::~TextFile() {
  std::filesystem::remove(path_);
}

config::Test test_of(const std::string& yaml) {
  const TextFile file(yaml);
  config::Test test;
  yaml::SourceMap where;
  try {
    yaml::read_edited_yaml(file.path(), {}, test, where);
  } catch (const yaml::ConfigError& error) {
    for (const std::string& line : error.lines()) ADD_FAILURE() << line;
  }
  return test;
}

std::string pulse(double time_step, double acceleration, double duration) {
  std::ostringstream text;
  text.precision(17);
  text << "0,0\n"
       << time_step << "," << acceleration << "\n"
       << 2.0 * time_step << ",0\n"
       << duration << ",0\n";
  return text.str();
}

}  // namespace trestle::testing
