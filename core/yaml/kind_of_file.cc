#include "core/yaml/kind_of_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "core/yaml/diagnostics.h"
#include "core/yaml/tree_parser.h"

namespace trestle::yaml {
namespace {

struct Kind {
  std::string_view message;  ///< in proto/
  std::string_view key;      ///< that no other kind has
  std::string_view what;
  std::string_view verb;
};

constexpr Kind kKinds[] = {
    {"Test", "numerical", "a test", "trestle run"},
    {"SiteFile", "site", "a site", "trestle site"},
    {"Study", "runs", "a study of many runs", "trestle campaign"},
    {"Study", "design", "a study of many runs", "trestle campaign"},
    {"Study", "sensitivity", "a study of many runs", "trestle campaign"},
    {"Identification", "passes", "an identification", "trestle identify"},
    {"BondGraph", "components", "a bond graph", "trestle bondgraph"},
    {"GatewayFile", "gateway", "a gateway", "trestle gateway"},
    {"LinkFile", "relays", "a link", "trestle link"},
    {"Rig", "specimen", "a rig", "rig: {include: FILE}"},
};

constexpr int kDeepestInclude = 20;  // files that include one another

std::string kind_of_file_below(const std::string& file, int depth);

/// @param include  one file, or a list of them; relative to `file`
std::string kind_of_included(const std::string& file, const YamlNode& include, int depth) {
  namespace fs = std::filesystem;
  if (include.shape == YamlKind::kScalar)
    return kind_of_file_below((fs::path(file).parent_path() / include.text).string(),
                              depth + 1);
  for (const YamlNode& one : include.items)
    if (const std::string kind = kind_of_included(file, one, depth + 1); !kind.empty())
      return kind;
  return {};
}

std::string kind_of_file_below(const std::string& file, int depth) {
  std::error_code none;
  // A device such as /dev/zero has no end; the reader of the file itself reports the error.
  if (depth > kDeepestInclude || !std::filesystem::is_regular_file(file, none)) return {};
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  Diagnostics ignored;
  const auto root = parse_tree(text, ignored.add_source({file, {}}), false, ignored);
  if (!root) return {};
  for (const Kind& kind : kKinds)
    if (root->find(kind.key) != nullptr) return std::string(kind.message);
  const YamlNode* const include = root->find("include");
  return include == nullptr ? std::string() : kind_of_included(file, *include, depth);
}

}  // namespace

std::string wrong_kind_of_file(const YamlNode& root,
                               const google::protobuf::Descriptor& wanted) {
  const auto* const own = std::ranges::find(kKinds, wanted.name(), &Kind::message);
  if (own == std::end(kKinds)) return {};
  for (const Kind& kind : kKinds)
    if (kind.message == wanted.name() && root.find(kind.key) != nullptr) return {};
  for (const Kind& other : kKinds)
    if (root.find(other.key) != nullptr)
      return "is the file of " + std::string(other.what) + " (it has the key `" +
             std::string(other.key) + "`), which `" + std::string(other.verb) +
             "` reads; here the file of " + std::string(own->what) + " is needed";
  return {};
}

std::string kind_of_file(const std::string& file) {
  return kind_of_file_below(file, 0);
}

}  // namespace trestle::yaml
