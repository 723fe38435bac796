#include "core/yaml/likes.h"

#include <set>
#include <string>
#include <vector>

#include "core/base/suggestion.h"
#include "core/yaml/tree_merge.h"

namespace trestle::yaml {
namespace {

class Siblings {
 public:
  Siblings(YamlNode& mapping, const SchemaContext& entry, Diagnostics& problems)
      : mapping_(mapping), entry_(entry), problems_(problems) {}

  void resolve_all() {
    for (const YamlEntry& entry : mapping_.entries) {
      std::vector<std::string> chain;
      // Follows the chain to its end first: the last entry refers to no other.
      std::string name = entry.key;
      while (!name.empty()) {
        chain.push_back(name);
        name = next(name);
        if (seen(chain, name)) break;
      }
      for (auto link = chain.rbegin(); link != chain.rend(); ++link) lay_over(*link);
    }
  }

 private:
  /// The sibling that an entry is like, or empty; a name that is none becomes a problem.
  std::string next(const std::string& name) {
    const YamlNode* node = mapping_.find(name);
    const YamlNode* like = node->shape == YamlKind::kMapping ? node->find("like") : nullptr;
    if (like == nullptr) return {};
    if (like->shape == YamlKind::kScalar && mapping_.find(like->text) != nullptr)
      return like->text;
    std::vector<std::string> others;
    for (const YamlEntry& entry : mapping_.entries)
      if (entry.key != name) others.push_back(entry.key);
    if (like->shape == YamlKind::kScalar)
      problems_.add(like->mark, "like " + quote(like->text) + ", which does not exist; " +
                                    suggestion(like->text, others));
    else
      problems_.add(like->mark, "like is " + std::string(shape_name(like->shape)) +
                                    "; must be the name of another entry");
    mapping_.find(name)->erase("like");
    return {};
  }

  bool seen(const std::vector<std::string>& chain, const std::string& name) {
    bool found = false;
    for (const std::string& link : chain) found = found || link == name;
    if (!found) return false;
    YamlNode* last = mapping_.find(chain.back());
    problems_.add(
        last->find("like")->mark,
        "like " + quote(name) + " goes in a circle; one of them must stand alone");
    last->erase("like");
    return true;
  }

  void lay_over(const std::string& name) {
    YamlNode& node = *mapping_.find(name);
    if (node.shape != YamlKind::kMapping) return;
    const YamlNode* like = node.find("like");
    if (like == nullptr) return;
    const YamlNode base = *mapping_.find(like->text);
    node.erase("like");
    YamlNode result = merged(base, node, entry_);
    result.mark = node.mark;
    node = std::move(result);
  }

  YamlNode& mapping_;
  SchemaContext entry_;
  Diagnostics& problems_;
};

}  // namespace

void resolve_like_references(YamlNode& node, const SchemaContext& slot,
                             Diagnostics& problems) {
  if (slot.list != nullptr && slot.list->message_type() == nullptr) return;
  if (slot.list != nullptr && node.shape == YamlKind::kMapping &&
      key_field(*slot.list->message_type()) != nullptr)
    Siblings(node, {slot.list->message_type(), nullptr}, problems).resolve_all();
  for (YamlNode& item : node.items)
    if (slot.list != nullptr)
      resolve_like_references(item, {slot.list->message_type(), nullptr}, problems);
  for (YamlEntry& entry : node.entries) {
    const SchemaContext child = child_slot(slot, node, entry.key);
    if (child.list != nullptr || child.message != nullptr)
      resolve_like_references(entry.value, child, problems);
  }
}

}  // namespace trestle::yaml
