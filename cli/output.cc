#include "cli/output.h"

#include <cctype>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace trestle {

std::string software_version() {
  return TRESTLE_VERSION;
}

std::string folder_name(const std::string& test) {
  std::string name;
  for (const char letter : test) {
    const auto code = static_cast<unsigned char>(letter);
    if (std::isalnum(code) != 0 || letter == '_' || letter == '.')
      name += letter;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "test" : name;
}

std::string utc_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

void make_run_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error(folder + ": cannot be made (" + error.message() +
                             "); choose another with --out");
  if (std::filesystem::exists(folder + "/journal.db"))
    throw std::runtime_error(folder +
                             ": already holds the record of a run, which is never written "
                             "over; choose another with --out");
}

void write_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".part";
  {
    std::ofstream file(draft, std::ios::binary);
    file << text;
    file.flush();
    if (!file) {
      std::remove(draft.c_str());
      throw std::runtime_error(path + ": cannot be written; is the disk full?");
    }
  }
  std::filesystem::rename(draft, path);
}

}  // namespace trestle
