#include "cli/terminal/local_time.h"

#include <ctime>

namespace trestle::cli {
namespace {

std::string local_text(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char text[40];
  if (localtime_r(&now, &local) == nullptr) return {};
  return std::string(text, std::strftime(text, sizeof text, format, &local));
}

}  // namespace

std::string local_clock() {
  return local_text("%H:%M:%S");
}

std::string local_date() {
  return local_text("%Y-%m-%d %H:%M:%S %z");
}

}  // namespace trestle::cli
