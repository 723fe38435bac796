#include "core/yaml/message_reader.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "core/base/suggestion.h"
#include "core/yaml/field_reader.h"
#include "core/yaml/sugar.h"
#include "proto/config/options.pb.h"

namespace trestle::yaml {
namespace {

std::string joined(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

std::string indexed(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

std::string entries(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

}  // namespace

void MessageReader::fill(const YamlNode& root, google::protobuf::Message& into) {
  fill_message(root, into, "", "the file", false);
}

void MessageReader::note(const std::string& path, SourcePosition mark,
                         UnitClass unit_class) {
  where_.note(path, {mark.source, mark.line, mark.column, unit_class});
}

void MessageReader::fill_message(const YamlNode& node, Message& into,
                                 const std::string& path, const std::string& name,
                                 bool is_named) {
  note(path, node.mark);
  YamlNode storage;
  const YamlNode* mapping = &node;
  if (node.shape != YamlKind::kMapping) {
    storage = node;
    if (!expand_shorthand(storage, *into.GetDescriptor(), name, problems_)) return;
    mapping = &storage;
  }
  const Descriptor& descriptor = *into.GetDescriptor();
  Scope outer{&into, path};
  Scope inner{nullptr, path};
  const bool has_kind = kind_oneof(descriptor) != nullptr;
  if (has_kind && !choose_kind(*mapping, outer, inner)) return;
  const FieldDescriptor* kind = chosen_kind(*mapping, descriptor);
  const FieldDescriptor* key = is_named ? key_field(descriptor) : nullptr;
  const FieldDescriptor* attributes = attributes_field(descriptor);
  YamlNode others = YamlNode::mapping(mapping->mark);
  SeenFields seen;
  for (const YamlEntry& entry : mapping->entries) {
    if (has_kind && entry.key == "kind") continue;
    const FieldDescriptor* field = field_of(descriptor, kind, entry.key);
    if (field == nullptr && attributes != nullptr) {
      others.entries.push_back(entry);
    } else if (field == nullptr) {
      report_unknown_key(entry, descriptor, kind);
    } else if (field == key) {
      problems_.add(entry.mark, "the " + entry.key +
                                    " stands before the colon already; "
                                    "must not be given again");
    } else {
      fill_entry(entry, field->containing_type() == &descriptor ? outer : inner, *field,
                 seen);
    }
  }
  if (!others.entries.empty())
    fill_keyed(others, outer, *attributes, joined(path, attributes->name()));
  check_missing(*mapping, into, seen, is_named);
  if (inner.message != nullptr) check_missing(*mapping, *inner.message, seen, false);
}

bool MessageReader::choose_kind(const YamlNode& mapping, Scope& outer, Scope& inner) {
  const OneofDescriptor& kinds = *kind_oneof(*outer.message->GetDescriptor());
  const auto words = kind_words(kinds);
  const YamlNode* word = mapping.find("kind");
  if (word == nullptr || word->shape == YamlKind::kNull) {
    problems_.add(word == nullptr ? mapping.mark : word->mark,
                  "kind is missing; must be one of " + listed(words));
    return false;
  }
  if (word->shape != YamlKind::kScalar) {
    problems_.add(word->mark, "kind is " + std::string(shape_name(word->shape)) +
                                  "; must be one of " + listed(words));
    return false;
  }
  const FieldDescriptor* kind = find_kind(kinds, word->text);
  if (kind == nullptr) {
    const std::string meant = nearest(to_kebab_case(word->text), words);
    problems_.add(word->mark, "unknown kind " + quote(word->text) + "; " +
                                  (meant.empty() ? "must be one of " + listed(words)
                                                 : "did you mean " + quote(meant) + "?"));
    return false;
  }
  note(joined(outer.path, "kind"), word->mark);
  inner.message = outer.message->GetReflection()->MutableMessage(outer.message, kind);
  inner.path = joined(outer.path, kind->name());
  note(inner.path, mapping.mark);
  return true;
}

void MessageReader::report_unknown_key(const YamlEntry& entry, const Descriptor& message,
                                       const FieldDescriptor* kind) {
  if (kind != nullptr && field_of(message, nullptr, entry.key) != nullptr) {
    problems_.add(entry.mark, quote(entry.key) + " belongs to another kind than " +
                                  to_kebab_case(kind->name()) + "; " +
                                  "known here: " + listed(known_keys(message, kind)));
    return;
  }
  problems_.add(entry.mark, "unknown key " + quote(entry.key) + "; " +
                                suggestion(entry.key, known_keys(message, kind)));
}

void MessageReader::fill_entry(const YamlEntry& entry, const Scope& layer,
                               const FieldDescriptor& field, SeenFields& seen) {
  assert(layer.message != nullptr);
  seen.fields.insert(&field);
  if (const OneofDescriptor* oneof = exclusive_oneof(field)) {
    const auto [first, is_first] = seen.oneofs.emplace(oneof, &field);
    if (!is_first) {
      std::vector<std::string> names;
      for (int i = 0; i < oneof->field_count(); ++i)
        names.push_back(oneof->field(i)->name());
      problems_.add(entry.mark, field.name() + " stands beside " + first->second->name() +
                                    "; must be one of " + listed(names));
      return;
    }
  }
  const std::string path = joined(layer.path, field.name());
  if (field.is_repeated()) {
    fill_list(entry, layer, field);
  } else if (field.message_type() != nullptr) {
    Message* const child =
        layer.message->GetReflection()->MutableMessage(layer.message, &field);
    fill_message(entry.value, *child, path, field.name(), false);
  } else if (is_text_of_tree(field) && entry.value.shape != YamlKind::kScalar) {
    layer.message->GetReflection()->SetString(layer.message, &field,
                                              lines_of(entry.value, path, ""));
  } else {
    note(path, entry.value.mark,
         read_field(entry.value, {*layer.message, field}, problems_));
  }
}

/// A line `inner: value` for each value below a node; `path` is the node's.
std::string MessageReader::lines_of(const YamlNode& node, const std::string& path,
                                    const std::string& inner) {
  note(path, node.mark);
  if (node.shape == YamlKind::kScalar) {
    if (node.text.find('\n') == std::string::npos) return inner + ": " + node.text + "\n";
    problems_.add(node.mark, inner + " has several lines; a value here has one");
  }
  std::string lines;
  for (const YamlEntry& entry : node.entries) {
    if (entry.key.find_first_of(".:[]\n") != std::string::npos)
      problems_.add(entry.mark, "the name " + quote(entry.key) +
                                    " must not hold a dot, a colon or a bracket");
    lines += lines_of(entry.value, joined(path, entry.key), joined(inner, entry.key));
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    lines += lines_of(node.items[i], indexed(path, i), indexed(inner, i));
  return lines;
}

void MessageReader::fill_list(const YamlEntry& entry, const Scope& layer,
                              const FieldDescriptor& field) {
  assert(layer.message != nullptr);
  const std::string path = joined(layer.path, field.name());
  const YamlNode& node = entry.value;
  const Descriptor* message = field.message_type();
  const bool is_keyed = message != nullptr && key_field(*message) != nullptr;
  note(path, node.mark);
  std::size_t count = node.items.size() + node.entries.size();
  if (node.shape == YamlKind::kMapping && is_keyed) {
    fill_keyed(node, layer, field, path);
  } else if (node.shape == YamlKind::kSequence) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::string at = indexed(path, i);
      if (message == nullptr)
        note(at, node.items[i].mark,
             read_field(node.items[i], {*layer.message, field}, problems_));
      else
        fill_message(node.items[i],
                     *layer.message->GetReflection()->AddMessage(layer.message, &field), at,
                     "an entry of " + field.name(), false);
    }
    if (is_keyed) check_names(node, field, *layer.message, path);
    const std::string& word = field.options().GetExtension(config::if_empty);
    if (count == 0 && !word.empty())
      read_field(YamlNode::scalar(word, node.mark), {*layer.message, field}, problems_);
  } else if (node.shape == YamlKind::kScalar && is_keyed &&
             scalar_field(*message) == key_field(*message)) {
    // A name alone is a list of one.
    count = 1;
    fill_message(node, *layer.message->GetReflection()->AddMessage(layer.message, &field),
                 indexed(path, 0), "an entry of " + field.name(), false);
  } else if (node.shape == YamlKind::kScalar && message == nullptr) {
    // One value is a list of one.
    count = 1;
    note(indexed(path, 0), node.mark, read_field(node, {*layer.message, field}, problems_));
  } else if (node.shape != YamlKind::kNull) {
    problems_.add(node.mark, field.name() + " is " + std::string(shape_name(node.shape)) +
                                 "; must be " +
                                 (is_keyed ? "a mapping of names, or " : "") + "a list");
    return;
  }
  const std::size_t least = field.options().GetExtension(config::min_entries);
  if (count < least)
    problems_.add(node.mark, field.name() + " has " + entries(count) +
                                 "; must have at least " + std::to_string(least));
}

void MessageReader::fill_keyed(const YamlNode& mapping, const Scope& layer,
                               const FieldDescriptor& field, const std::string& path) {
  const auto& reflection = *layer.message->GetReflection();
  for (std::size_t i = 0; i < mapping.entries.size(); ++i) {
    const YamlEntry& entry = mapping.entries[i];
    if (entry.key.empty())
      problems_.add(entry.mark, "an entry of " + field.name() +
                                    " has an empty name; "
                                    "must have one");
    Message& child = *reflection.AddMessage(layer.message, &field);
    const FieldDescriptor& key = *key_field(*child.GetDescriptor());
    const std::string at = indexed(path, i);
    read_field(YamlNode::scalar(entry.key, entry.mark), {child, key}, problems_);
    where_.add_alias(joined(path, entry.key), at);
    note(joined(at, key.name()), entry.mark);
    fill_message(entry.value, child, at, entry.key, true);
  }
}

void MessageReader::check_names(const YamlNode& list, const FieldDescriptor& field,
                                Message& message, const std::string& path) {
  const FieldDescriptor& key = *key_field(*field.message_type());
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Message& entry =
        message.GetReflection()->GetRepeatedMessage(message, &field, static_cast<int>(i));
    const std::string name = entry.GetReflection()->GetString(entry, &key);
    if (name.empty()) {
      problems_.add(list.items[i].mark, key.name() + " is missing; an entry of " +
                                            field.name() + " must have one");
      continue;
    }
    where_.add_alias(joined(path, name), indexed(path, i));
    const auto [twin, is_new] = first.emplace(name, i);
    if (!is_new)
      problems_.add(list.items[i].mark,
                    key.name() + " " + quote(name) + " is given on line " +
                        std::to_string(list.items[twin->second].mark.line) +
                        " already; must be unique");
  }
}

void MessageReader::check_missing(const YamlNode& mapping, const Message& message,
                                  const SeenFields& seen, bool is_named) {
  const Descriptor& descriptor = *message.GetDescriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    const auto& options = field.options();
    if (seen.fields.contains(&field)) continue;
    if (is_named && options.GetExtension(config::key)) continue;
    const std::size_t least = options.GetExtension(config::min_entries);
    if (options.GetExtension(config::required))
      problems_.add(mapping.mark, field.name() + " is missing; must be given");
    else if (least > 0)
      problems_.add(mapping.mark,
                    field.name() + " is missing; must have at least " + entries(least));
  }
}

}  // namespace trestle::yaml
