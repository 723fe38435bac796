#include "core/yaml/includes.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/file_descriptor.h"
#include "core/base/suggestion.h"
#include "core/yaml/tree_merge.h"
#include "core/yaml/tree_parser.h"

namespace trestle::yaml {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100;
constexpr std::size_t kMostBytes = 64U << 20U;
constexpr int kPatience = 10'000;  // [ms]
constexpr const char* kTooLarge = "is larger than 64 MB; must be a YAML file";

/// The bytes of a pipe, as of `trestle check <(sed ... test.yaml)`. A plain open would
/// block until a writer comes.
std::optional<std::string> contents_of_pipe(const std::string& file, std::string& why) {
  const FileDescriptor pipe(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!pipe) {
    why = "cannot be read; is it yours to read?";
    return std::nullopt;
  }
  std::string text;
  std::vector<char> block(1U << 16U);
  while (text.size() <= kMostBytes) {
    pollfd ready{pipe.number(), POLLIN, 0};
    if (::poll(&ready, 1, kPatience) == 0) {
      why = "is a pipe into which no process writes; must be a YAML file";
      return std::nullopt;
    }
    const ssize_t count = ::read(pipe.number(), block.data(), block.size());
    if (count == 0) return text;
    if (count > 0) text.append(block.data(), static_cast<std::size_t>(count));
    if (count < 0 && errno != EAGAIN && errno != EINTR) {
      why = "cannot be read; " + std::generic_category().message(errno);
      return std::nullopt;
    }
  }
  why = kTooLarge;
  return std::nullopt;
}

/// The bytes of a file, or why there are none.
std::optional<std::string> contents(const std::string& file, std::string& why) {
  std::error_code none;
  if (fs::is_directory(file, none)) {
    why = "cannot be read; it is a folder, must be a YAML file";
    return std::nullopt;
  }
  if (fs::is_fifo(file, none)) return contents_of_pipe(file, why);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    why = fs::exists(file, none) ? "cannot be read; is it yours to read?"
                                 : "cannot be read; there is no such file";
    return std::nullopt;
  }
  std::string text;
  std::vector<char> block(1U << 16U);
  while (stream && text.size() <= kMostBytes) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > kMostBytes) {
    why = kTooLarge;
    return std::nullopt;
  }
  return text;
}

class IncludeReader {
 public:
  explicit IncludeReader(Diagnostics& problems) : problems_(problems) {}

  /// @param slot   context of the file
  /// @param asked  place of the include; null for the first file
  std::optional<YamlNode> read(const std::string& file, const SchemaContext& slot,
                               const SourcePosition* asked) {
    std::error_code none;
    const fs::path path = fs::absolute(fs::path(file), none).lexically_normal();
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      problems_.add(*asked, "includes " + quote(file) +
                                ", which includes this file; must not go in a circle");
      return std::nullopt;
    }
    if (++files_ > kMostFiles) {
      problems_.add(*asked, "more than " + std::to_string(kMostFiles) +
                                " files are included; must be fewer");
      return std::nullopt;
    }
    std::string why;
    const auto text = contents(file, why);
    if (!text && asked != nullptr) {
      problems_.add(*asked, quote(file) + " " + why);
      return std::nullopt;
    }
    const std::size_t source = problems_.add_source({file, path.parent_path()});
    if (!text) problems_.add({source, 0, 0}, why);
    if (!text) return std::nullopt;

    open_.push_back(path);
    auto root = parse_tree(*text, source, false, problems_);
    if (root) resolve(*root, slot, file);
    open_.pop_back();
    return root;
  }

 private:
  /// The innermost file first: a file is complete before it is merged into another.
  void resolve(YamlNode& node, const SchemaContext& slot, const std::string& file) {
    for (YamlNode& item : node.items)
      if (slot.list != nullptr && slot.list->message_type() != nullptr)
        resolve(item, {slot.list->message_type(), nullptr}, file);
    for (YamlEntry& entry : node.entries) {
      const SchemaContext child = child_slot(slot, node, entry.key);
      if (child.list != nullptr || child.message != nullptr)
        resolve(entry.value, child, file);
    }
    if (node.shape == YamlKind::kMapping && node.find("include") != nullptr)
      node = over_its_bases(std::move(node), slot, file);
  }

  YamlNode over_its_bases(YamlNode root, const SchemaContext& slot,
                          const std::string& file) {
    const YamlNode include = *root.find("include");
    root.erase("include");
    if (include.shape != YamlKind::kScalar && include.shape != YamlKind::kSequence) {
      problems_.add(include.mark, "include is " + std::string(shape_name(include.shape)) +
                                      "; must be a file, or a list of files");
      return root;
    }
    const std::vector<YamlNode> bases =
        include.shape == YamlKind::kScalar ? std::vector<YamlNode>{include} : include.items;
    std::optional<YamlNode> below;
    for (const YamlNode& base : bases) {
      if (base.shape != YamlKind::kScalar || base.text.empty()) {
        problems_.add(base.mark, "include has an entry that is no file; must be a file");
        continue;
      }
      const auto path = (fs::path(file).parent_path() / base.text).lexically_normal();
      auto tree = read(path.string(), slot, &base.mark);
      if (!tree) continue;
      below = below ? merged(*below, *tree, slot) : std::move(*tree);
    }
    if (!below) return root;
    YamlNode result = merged(*below, root, slot);
    result.mark = root.mark;
    return result;
  }

  Diagnostics& problems_;
  std::vector<fs::path> open_;
  std::size_t files_ = 0;
};

}  // namespace

std::optional<YamlNode> read_with_includes(const std::string& file,
                                           const Descriptor& message,
                                           Diagnostics& problems) {
  return IncludeReader(problems).read(file, {&message, nullptr}, nullptr);
}

}  // namespace trestle::yaml
