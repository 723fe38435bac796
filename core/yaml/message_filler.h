#pragma once

#include <google/protobuf/message.h>

#include <map>
#include <set>
#include <string>

#include "core/yaml/problems.h"
#include "core/yaml/schema.h"
#include "core/yaml/source_map.h"
#include "core/yaml/tree_node.h"

namespace trestle::yaml {

/// Fills a message from a tree by reflection; what does not fit becomes a problem.
/// The tree has no `include`, no `like` and no override left in it.
class MessageFiller {
 public:
  MessageFiller(Problems& problems, SourceMap& where)
      : problems_(problems), where_(where) {}

  void fill(const TreeNode& root, google::protobuf::Message& into);

 private:
  using Message = google::protobuf::Message;

  /// One message that keys of a mapping may belong to: the one that stands there, or the
  /// one of its kind.
  struct Layer {
    Message* message;
    std::string path;
  };
  struct Seen {
    std::set<const FieldDescriptor*> fields;
    std::map<const OneofDescriptor*, const FieldDescriptor*> oneofs;
  };

  void fill_message(const TreeNode& node, Message& into, const std::string& path,
                    const std::string& name, bool is_named);
  bool choose_kind(const TreeNode& mapping, Layer& outer, Layer& inner);
  void fill_entry(const TreeEntry& entry, const Layer& layer, const FieldDescriptor& field,
                  Seen& seen);
  std::string lines_of(const TreeNode& node, const std::string& path,
                       const std::string& inner);
  void fill_list(const TreeEntry& entry, const Layer& layer, const FieldDescriptor& field);
  void fill_keyed(const TreeNode& mapping, const Layer& layer, const FieldDescriptor& field,
                  const std::string& path);
  void check_names(const TreeNode& list, const FieldDescriptor& field, Message& message,
                   const std::string& path);
  void say_unknown(const TreeEntry& entry, const Descriptor& message,
                   const FieldDescriptor* kind);
  void check_missing(const TreeNode& mapping, const Message& message, const Seen& seen,
                     bool is_named);
  void note(const std::string& path, Mark mark, UnitClass unit_class = UnitClass::kNone);

  Problems& problems_;
  SourceMap& where_;
};

}  // namespace trestle::yaml
