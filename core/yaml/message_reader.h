#pragma once

#include <google/protobuf/message.h>

#include <map>
#include <set>
#include <string>

#include "core/yaml/diagnostics.h"
#include "core/yaml/schema.h"
#include "core/yaml/source_map.h"
#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// Fills a message from a tree by reflection; what does not fit becomes a problem.
/// The tree has no `include`, no `like` and no override left in it.
class MessageReader {
 public:
  MessageReader(Diagnostics& problems, SourceMap& where)
      : problems_(problems), where_(where) {}

  void fill(const YamlNode& root, google::protobuf::Message& into);

 private:
  using Message = google::protobuf::Message;

  /// A message to which keys of a mapping may belong: the message itself, or that of its
  /// kind.
  struct Scope {
    Message* message;
    std::string path;
  };
  struct SeenFields {
    std::set<const FieldDescriptor*> fields;
    std::map<const OneofDescriptor*, const FieldDescriptor*> oneofs;
  };

  void fill_message(const YamlNode& node, Message& into, const std::string& path,
                    const std::string& name, bool is_named);
  bool choose_kind(const YamlNode& mapping, Scope& outer, Scope& inner);
  void fill_entry(const YamlEntry& entry, const Scope& layer, const FieldDescriptor& field,
                  SeenFields& seen);
  std::string lines_of(const YamlNode& node, const std::string& path,
                       const std::string& inner);
  void fill_list(const YamlEntry& entry, const Scope& layer, const FieldDescriptor& field);
  void fill_keyed(const YamlNode& mapping, const Scope& layer, const FieldDescriptor& field,
                  const std::string& path);
  void check_names(const YamlNode& list, const FieldDescriptor& field, Message& message,
                   const std::string& path);
  void report_unknown_key(const YamlEntry& entry, const Descriptor& message,
                          const FieldDescriptor* kind);
  void check_missing(const YamlNode& mapping, const Message& message,
                     const SeenFields& seen, bool is_named);
  void note(const std::string& path, SourcePosition mark,
            UnitClass unit_class = UnitClass::kNone);

  Diagnostics& problems_;
  SourceMap& where_;
};

}  // namespace trestle::yaml
