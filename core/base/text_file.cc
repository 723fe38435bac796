#include "core/base/text_file.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace trestle {

std::string why_no_plain_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  if (!fs::exists(status)) return "there is no such file";
  if (fs::is_directory(status)) return "it is a folder; name a file";
  if (!fs::is_regular_file(status)) return "it is a device or a pipe; name a file";
  return {};
}

std::string open_text_file(const std::string& path, std::ifstream& stream) {
  if (std::string why = why_no_plain_file(path); !why.empty()) return why;
  stream.open(path, std::ios::binary);
  if (!stream) return "cannot be opened; is it yours to read?";
  constexpr std::string_view kMark("\xEF\xBB\xBF");
  std::array<char, kMark.size()> head{};
  stream.read(head.data(), head.size());
  if (std::string_view(head.data(), static_cast<std::size_t>(stream.gcount())) == kMark)
    return {};
  stream.clear();
  stream.seekg(0);
  return {};
}

}  // namespace trestle
