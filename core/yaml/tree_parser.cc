#include "core/yaml/tree_parser.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/suggestion.h"
#include "core/yaml/plain_text.h"

namespace trestle::yaml {
namespace {

constexpr std::size_t kMostAliasedNodes = 100'000;  // a "billion laughs" ends here

struct Extent {
  int height = 1;
  std::size_t nodes = 1;
};

Extent extent(const YamlNode& node) {
  Extent whole;
  const auto add = [&](const YamlNode& child) {
    const Extent part = extent(child);
    whole.height = std::max(whole.height, part.height + 1);
    whole.nodes += part.nodes;
  };
  for (const YamlNode& item : node.items) add(item);
  for (const YamlEntry& entry : node.entries) add(entry.value);
  return whole;
}

/// Ends the document if it cannot be read further.
struct Abandoned {
  SourcePosition mark;
  std::string what;
};

/// Builds the tree from yaml-cpp's events: its own graph would lose the positions of
/// duplicate keys, and would expand without bound.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::size_t source, bool is_override, Diagnostics& problems)
      : source_(source), is_override_(is_override), problems_(problems) {}

  std::optional<YamlNode> take() { return std::move(root_); }

  SourcePosition mark_of(const YAML::Mark& mark) const {
    if (is_override_) return {source_, 0, 0};
    return {source_, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root_) throw Abandoned{mark_of(mark), "a second document; must be one"};
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode node;
    node.mark = mark_of(mark);
    finish(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw Abandoned{mark_of(mark), "an alias inside its own anchor"};
    const Extent size = extent(found->second);
    aliased_nodes_ += size.nodes;
    if (aliased_nodes_ > kMostAliasedNodes)
      throw Abandoned{mark_of(mark), "aliases that repeat too much; write it out"};
    check_depth(mark, size.height);
    finish(found->second, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    finish(YamlNode::scalar(value, mark_of(mark)), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    start(mark, tag, anchor, YamlKind::kSequence);
  }
  void OnSequenceEnd() override { end(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    start(mark, tag, anchor, YamlKind::kMapping);
  }
  void OnMapEnd() override { end(); }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    std::optional<std::pair<std::string, SourcePosition>> key;  // waits for its value
    std::set<std::string> keys;
  };

  void start(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
             YamlKind shape) {
    check_tag(mark, tag);
    check_depth(mark, 1);
    Open open{{}, anchor, std::nullopt, {}};
    open.node.shape = shape;
    open.node.mark = mark_of(mark);
    open_.push_back(std::move(open));
  }

  void end() {
    Open done = std::move(open_.back());
    open_.pop_back();
    finish(std::move(done.node), done.anchor);
  }

  void finish(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Open& parent = open_.back(); parent.node.shape == YamlKind::kSequence) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      if (node.shape != YamlKind::kScalar)
        problems_.add(node.mark, "a key is " + std::string(shape_name(node.shape)) +
                                     "; must be a word");
      parent.key.emplace(node.text, node.mark);
    } else {
      add_entry(parent, std::move(node));
    }
  }

  void add_entry(Open& parent, YamlNode node) {
    const std::pair<std::string, SourcePosition> name =
        *std::exchange(parent.key, std::nullopt);
    const std::string& key = name.first;
    const SourcePosition mark = name.second;
    if (node.shape != YamlKind::kScalar) node.mark = mark;
    auto& entries = parent.node.entries;
    if (parent.keys.insert(key).second) {
      entries.push_back({key, mark, std::move(node)});
      return;
    }
    const auto twin =
        std::find_if(entries.begin(), entries.end(),
                     [&](const YamlEntry& entry) { return entry.key == key; });
    problems_.add(mark, "duplicate key " + quote(key) + "; it is given on line " +
                            std::to_string(twin->mark.line) + " already");
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    static constexpr std::string_view kStandard = "tag:yaml.org,2002:";
    if (tag.empty() || tag == "?" || tag == "!" || tag.starts_with(kStandard)) return;
    problems_.add(mark_of(mark), "the tag " + quote(tag) + " has no meaning here");
  }

  void check_depth(const YAML::Mark& mark, int more) {
    if (static_cast<int>(open_.size()) + more > kDeepestTree)
      throw Abandoned{mark_of(mark), "nested deeper than " + std::to_string(kDeepestTree) +
                                         " levels; must be flatter"};
  }

  std::size_t source_;
  bool is_override_;
  Diagnostics& problems_;
  std::optional<YamlNode> root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t aliased_nodes_ = 0;
};

}  // namespace

std::optional<YamlNode> parse_tree(const std::string& text, std::size_t source,
                                   bool is_override, Diagnostics& problems) {
  if (const auto bad = find_invalid_utf8(text)) {
    const SourcePosition mark = is_override
                                    ? SourcePosition{source, 0, 0}
                                    : SourcePosition{source, bad->line, bad->column};
    problems.add(mark, "a byte that is no text; must be UTF-8 without control characters");
    return std::nullopt;
  }
  TreeBuilder builder(source, is_override, problems);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    auto root = builder.take();
    if (!root) {
      root.emplace();
      root->mark =
          is_override ? SourcePosition{source, 0, 0} : SourcePosition{source, 1, 1};
    }
    return root;
  } catch (const Abandoned& abandoned) {
    problems.add(abandoned.mark, abandoned.what);
  } catch (const YAML::Exception& error) {
    if (const auto tab = first_indenting_tab(text); tab && !is_override)
      problems.add(
          {source, tab->line, tab->column},
          "a tab indents this line; YAML allows spaces only. Replace it by spaces");
    else
      problems.add(builder.mark_of(error.mark), "cannot be read as YAML: " + error.msg);
  } catch (const std::exception& error) {
    // yaml-cpp lets errors of the standard library through on some malformed texts.
    problems.add(builder.mark_of(YAML::Mark()),
                 std::string("cannot be read as YAML: ") + error.what());
  }
  return std::nullopt;
}

}  // namespace trestle::yaml
