#include "observe/records/note_file.h"

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "core/base/lasting_file.h"
#include "core/base/sha256.h"

namespace trestle::records {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = 64ULL << 20U;
constexpr std::size_t kDigitsInName = 16;
constexpr std::size_t kLongestOwnName = 60;

/// Letters, digits, points, lines: the name is for every file system and every shell.
std::string plain_name(std::string name) {
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '.' &&
        letter != '-')
      letter = '_';
  if (name.size() > kLongestOwnName) name.erase(0, name.size() - kLongestOwnName);
  return name;
}

std::string read_whole(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size =
      fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  if (error || !fs::is_regular_file(path, error))
    throw std::runtime_error("there is no file " + path);
  if (size > kLargestFile)
    throw std::runtime_error(path + " has " + std::to_string(size) +
                             " bytes; a note takes files of up to 64 MiB: note where it "
                             "lies instead");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file || text.size() != size) throw std::runtime_error(path + " cannot be read");
  return text;
}

std::string path_of(const std::string& folder, const Note& note) {
  return folder + "/files/" + note.file;
}

}  // namespace

void keep_note_file(const std::string& folder, const std::string& file, Note& note) {
  const std::string content = read_whole(file);
  note.sha256 = sha256(content);
  note.file = note.sha256.substr(0, kDigitsInName) + "-" +
              plain_name(fs::path(file).filename().string());
  const std::string kept = path_of(folder, note);
  make_folders(folder + "/files");
  std::error_code none;
  if (fs::exists(kept, none) && sha256(read_whole(kept)) == note.sha256) return;
  keep_file(kept, content);
}

std::string read_note_file(const std::string& folder, const Note& note) {
  // The name comes from a record: it must not lead out of the folder.
  if (note.file.empty() || note.file.find('/') != std::string::npos) return {};
  try {
    std::string content = read_whole(path_of(folder, note));
    return sha256(content) == note.sha256 ? content : std::string();
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace trestle::records
