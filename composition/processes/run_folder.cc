#include "composition/processes/run_folder.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "core/base/lasting_file.h"

namespace trestle::composition {
namespace {

// Letters of a test's name; a folder's may have 255, the time and a number among them.
constexpr std::size_t kMostOfAName = 100;

}  // namespace

std::string to_folder_name(const std::string& test) {
  std::string name;
  for (const char letter : test) {
    const auto code = static_cast<unsigned char>(letter);
    if (std::isalnum(code) != 0 || letter == '_' || letter == '.')
      name += letter;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  name.resize(std::min(name.size(), kMostOfAName));
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "test" : name;
}

std::string utc_timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

std::string new_run_folder(const std::string& name) {
  const std::string begin = "runs/" + name + "-" + utc_timestamp();
  make_folders("runs");
  std::string folder = begin;
  std::error_code error;
  for (int number = 2; !std::filesystem::create_directory(folder, error) && !error;
       ++number)
    folder = begin + "-" + std::to_string(number);
  if (!error) sync_folder("runs");
  return folder;  // where it cannot be made, make_run_folder() says why
}

void make_run_folder(const std::string& folder) {
  try {
    make_folders(folder);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string(error.what()) + "; choose another with --out");
  }
  if (std::filesystem::exists(folder + "/journal.db"))
    throw std::runtime_error(folder +
                             ": already holds the record of a run, which is never written "
                             "over; choose another with --out");
}

}  // namespace trestle::composition
