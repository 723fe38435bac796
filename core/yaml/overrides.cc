#include "core/yaml/overrides.h"

#include <optional>
#include <utility>
#include <vector>

#include "core/base/suggestion.h"
#include "core/yaml/field_reader.h"
#include "core/yaml/override_path.h"
#include "core/yaml/sugar.h"
#include "core/yaml/tree_parser.h"

namespace trestle::yaml {
namespace {

constexpr std::size_t kMostParts = 32;

std::string path_of(const Override& change) {
  return change.text.substr(0, change.text.find('='));
}

/// Walks down to the place and puts the value there.
class Edit {
 public:
  Edit(const Override& change, std::vector<PathSegment> parts, YamlNode value,
       Diagnostics& problems)
      : path_(path_of(change)),
        origin_(change.origin),
        parts_(std::move(parts)),
        value_(std::move(value)),
        problems_(problems) {}

  void apply(YamlNode& root, const Descriptor& message) {
    node_ = &root;
    slot_ = {&message, nullptr};
    for (at_ = 0; at_ < parts_.size();)
      if (!(is_free_                   ? into_tree()
            : slot_.message != nullptr ? into_message()
                                       : slot_.list != nullptr && into_list()))
        return;
    *node_ = value_;
  }

 private:
  bool is_last() const { return at_ + 1 == parts_.size(); }
  SourcePosition mark() const { return value_.mark; }

  /// Says a problem of the present part, with the path up to it.
  bool fail(const std::string& what) {
    const std::string upto = is_last() ? path_ : path_.substr(0, parts_[at_].end) + "...";
    const std::size_t source = problems_.add_source({origin_ + " " + upto, {}});
    problems_.add({source, 0, 0}, what);
    return false;
  }

  bool fail_unknown(const std::string& name, const std::vector<std::string>& known) {
    return fail("unknown key " + quote(name) + "; " + suggestion(name, known));
  }

  bool into_message() {
    const Descriptor& message = *slot_.message;
    const std::string& name = parts_[at_].name;
    if (!expand_shorthand(*node_, message, at_ == 0 ? "the file" : parts_[at_ - 1].name,
                          problems_))
      return false;
    const bool sets_kind = name == "kind" && kind_oneof(message) != nullptr;
    const bool sets_like = name == "like" && key_field(message) != nullptr;
    if ((sets_kind || sets_like) && is_last()) {
      if (sets_kind) drop_what_the_kind_does_not_know(message);
      enter(name, {});
      return true;
    }
    const auto* kind = chosen_kind(*node_, message);
    const auto* field = field_of(message, kind, name);
    if (field == nullptr && attributes_field(message) != nullptr && is_last()) {
      enter(name, {});
      return true;
    }
    if (field == nullptr) return fail_unknown(name, known_keys(message, kind));
    const SchemaContext slot = slot_of(*field);
    is_free_ = is_text_of_tree(*field);
    if (!is_last() && slot.message == nullptr && slot.list == nullptr && !is_free_)
      return fail(quote(name) + " is a single value; the path must end here");
    enter(name, slot);
    return true;
  }

  bool into_list() {
    const FieldDescriptor& list = *slot_.list;
    const Descriptor* message = list.message_type();
    const bool is_keyed = message != nullptr && key_field(*message) != nullptr;
    if (node_->shape == YamlKind::kNull)
      *node_ = is_keyed ? YamlNode::mapping(mark()) : list_of({});
    // `ratio: 0.02` is a list of one.
    if (node_->shape == YamlKind::kScalar) *node_ = list_of({*node_});
    if (node_->shape == YamlKind::kMapping) return into_keyed_mapping(message);
    std::vector<std::string> names;
    for (std::size_t i = 0; is_keyed && i < node_->items.size(); ++i) {
      const YamlNode* name = node_->items[i].find(key_field(*message)->name());
      if (name == nullptr) continue;
      names.push_back(name->text);
      if (!parts_[at_].in_brackets && name->text == parts_[at_].name)
        return enter_item(i, message);
    }
    const auto index = index_of(parts_[at_]);
    if (!index && !names.empty()) return fail_unknown(parts_[at_].name, names);
    if (!index) return fail(quote(parts_[at_].name) + " is no index; must be 0, 1, ...");
    if (*index >= node_->items.size())
      return fail(list.name() + " has " + std::to_string(node_->items.size()) +
                  " entries here, counted from 0; there is no " + std::to_string(*index));
    return enter_item(*index, message);
  }

  bool into_keyed_mapping(const Descriptor* message) {
    if (parts_[at_].in_brackets) {
      const auto index = index_of(parts_[at_]);
      if (!index || *index >= node_->entries.size())
        return fail("there is no entry " + quote(parts_[at_].name) + "; there are " +
                    std::to_string(node_->entries.size()) + ", counted from 0");
      enter(node_->entries[*index].key, {message, nullptr});
      return true;
    }
    // Names may hold dots: the longest one that exists is meant.
    std::string name;
    std::string longest;
    std::size_t last = at_;
    for (std::size_t i = at_; i < parts_.size() && !parts_[i].in_brackets; ++i) {
      name += (i == at_ ? "" : ".") + parts_[i].name;
      if (node_->find(name) == nullptr) continue;
      longest = name;
      last = i;
    }
    if (longest.empty()) {
      // A new entry: named by the rest of the path, if the path cannot continue inside it.
      const bool is_name = message != nullptr && scalar_field(*message) != nullptr &&
                           !is_last() &&
                           field_of(*message, nullptr, parts_[at_ + 1].name) == nullptr;
      if (!is_last() && !is_name) {
        std::vector<std::string> known;
        for (const YamlEntry& entry : node_->entries) known.push_back(entry.key);
        return fail_unknown(parts_[at_].name, known);
      }
      longest = name;
      last = parts_.size() - 1;
    }
    at_ = last;
    enter(longest, {message, nullptr});
    return true;
  }

  /// Handles a field that may contain any YAML.
  bool into_tree() {
    if (node_->shape == YamlKind::kSequence) {
      const auto index = index_of(parts_[at_]);
      if (!index || *index >= node_->items.size())
        return fail("there is no entry " + quote(parts_[at_].name) + "; there are " +
                    std::to_string(node_->items.size()) + ", counted from 0");
      node_ = &node_->items[*index];
      ++at_;
      return true;
    }
    if (node_->shape != YamlKind::kMapping) *node_ = YamlNode::mapping(mark());
    enter(parts_[at_].name, {});
    return true;
  }

  void enter(const std::string& key, const SchemaContext& slot) {
    if (node_->find(key) == nullptr) {
      YamlNode empty;
      empty.mark = mark();
      node_->entries.push_back({key, mark(), std::move(empty)});
    }
    node_ = node_->find(key);
    slot_ = slot;
    ++at_;
  }

  bool enter_item(std::size_t index, const Descriptor* message) {
    if (!is_last() && message == nullptr)
      return fail("entry " + std::to_string(index) +
                  " is a single value; the path must end here");
    node_ = &node_->items[index];
    slot_ = {message, nullptr};
    ++at_;
    return true;
  }

  void drop_what_the_kind_does_not_know(const Descriptor& message) {
    const FieldDescriptor* kind = chosen_kind(value_, message);
    if (kind == nullptr) return;
    std::erase_if(node_->entries, [&](const YamlEntry& entry) {
      return entry.key != "kind" && field_of(message, kind, entry.key) == nullptr &&
             field_of(message, nullptr, entry.key) != nullptr;
    });
  }

  YamlNode list_of(std::vector<YamlNode> items) const {
    YamlNode node;
    node.shape = YamlKind::kSequence;
    node.mark = mark();
    node.items = std::move(items);
    return node;
  }

  std::string path_;
  std::string origin_;
  std::vector<PathSegment> parts_;
  YamlNode value_;
  Diagnostics& problems_;
  YamlNode* node_ = nullptr;
  SchemaContext slot_;
  bool is_free_ = false;  // inside a field that keeps any YAML
  std::size_t at_ = 0;
};

}  // namespace

void apply_override(YamlNode& root, const Descriptor& message, const Override& change,
                    Diagnostics& problems) {
  const std::size_t equals = change.text.find('=');
  const std::string path = path_of(change);
  const std::size_t source =
      problems.add_source({change.origin + " " + path, change.directory});
  auto parts = split_path(path);
  if (equals == std::string::npos || !parts || parts->size() > kMostParts) {
    problems.add({source, 0, 0},
                 "cannot be read; must be path=value, as sites.west.rig=...");
    return;
  }
  auto value = parse_tree(change.text.substr(equals + 1), source, true, problems);
  if (!value) return;
  Edit(change, std::move(*parts), std::move(*value), problems).apply(root, message);
}

}  // namespace trestle::yaml
