#include "core/config/kind_of_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/config/problems.h"
#include "core/config/tree_parser.h"

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
    {"Identification", "passes", "an identification", "trestle identify"},
    {"BondGraph", "components", "a bond graph", "trestle bondgraph"},
    {"GatewayFile", "gateway", "a gateway", "trestle gateway"},
    {"LinkFile", "relays", "a link", "trestle link"},
    {"Rig", "specimen", "a rig", "rig: {include: FILE}"},
};

}  // namespace

std::string wrong_kind_of_file(const TreeNode& root,
                               const google::protobuf::Descriptor& wanted) {
  const auto* const own = std::ranges::find(kKinds, wanted.name(), &Kind::message);
  if (own == std::end(kKinds) || root.find(own->key) != nullptr) return {};
  for (const Kind& other : kKinds)
    if (root.find(other.key) != nullptr)
      return "is the file of " + std::string(other.what) + " (it has the key `" +
             std::string(other.key) + "`), which `" + std::string(other.verb) +
             "` reads; here the file of " + std::string(own->what) + " is needed";
  return {};
}

std::string kind_of_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) return {};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  Problems ignored;
  const auto root = parse_tree(text, ignored.add_source({file, {}}), false, ignored);
  if (!root) return {};
  for (const Kind& kind : kKinds)
    if (root->find(kind.key) != nullptr) return std::string(kind.message);
  return {};
}

}  // namespace trestle::yaml
