#include "composition/processes/interrupted_runs.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "composition/processes/hybrid_test_setup.h"
#include "core/base/journal_names.h"
#include "core/journal/ring_file.h"
#include "core/journal/unfinished_journal.h"
#include "core/yaml/yaml_writer.h"

namespace trestle::composition {
namespace {

/// `20261120T101500Z`, as utc_timestamp() makes it, or `20261120T101500Z-2`.
bool is_stamp(const std::string& text) {
  const std::string digits = text.substr(0, 16);
  return digits.size() == 16 && digits[8] == 'T' && digits[15] == 'Z' &&
         digits.find_first_not_of("0123456789TZ") == std::string::npos &&
         (text.size() == 16 ||
          (text[16] == '-' && text.size() > 17 &&
           text.find_first_not_of("0123456789", 17) == std::string::npos));
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An older program wrote the same test without the keys that came later, which have their
/// defaults then.
bool is_of_this_test(const std::string& file, const EffectiveTest& test) {
  const std::string there = whole_file(file);
  if (there.empty()) return false;
  if (there == test.yaml) return true;
  try {
    return yaml::write_yaml(load_hybrid_test(file, {}, test.software)->test) == test.yaml;
  } catch (const yaml::ConfigError&) {
    return false;
  }
}

}  // namespace

bool holds_interrupted_run(const std::string& folder, const EffectiveTest& test) {
  const std::string journal = folder + "/" + kIntegratorJournal;
  try {
    std::optional<journal::RingFile> ring;
    return journal::find_interrupted_session(journal) &&
           journal::RingFile::find(journal::RingFile::path_beside(journal), ring) !=
               journal::RingFile::Status::kLocked &&
           is_of_this_test(folder + "/effective.yaml", test);
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::string find_interrupted_run(const std::string& name, const EffectiveTest& test) {
  namespace fs = std::filesystem;
  std::string newest;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator("runs", none)) {
    const std::string folder = entry.path().filename();
    if (!folder.starts_with(name + "-") || !is_stamp(folder.substr(name.size() + 1)))
      continue;
    const std::string path = "runs/" + folder;
    if (path > newest && holds_interrupted_run(path, test)) newest = path;
  }
  return newest;
}

}  // namespace trestle::composition
