#include "core/yaml/config_query.h"

#include <google/protobuf/message.h>
#include <google/protobuf/reflection.h>

#include <optional>
#include <utility>

#include "core/base/suggestion.h"
#include "core/yaml/override_path.h"
#include "core/yaml/schema.h"

namespace trestle::yaml {
namespace {

using google::protobuf::Message;
using yaml::FieldDescriptor;
using yaml::PathSegment;

Error wrong(std::string detail) {
  return {ErrorCode::kMalformed, std::move(detail)};
}

/// The chosen member of a message's oneof `kind`, or null.
const FieldDescriptor* kind_field(const Message& message) {
  const auto* kinds = yaml::kind_oneof(*message.GetDescriptor());
  return kinds == nullptr
             ? nullptr
             : message.GetReflection()->GetOneofFieldDescriptor(message, kinds);
}

bool is_number(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
    case FieldDescriptor::CPPTYPE_ENUM:
    case FieldDescriptor::CPPTYPE_STRING:
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return false;
    default:
      return true;
  }
}

bool is_double(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
}

double single(const Message& message, const FieldDescriptor& field) {
  const auto& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.GetDouble(message, &field);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return static_cast<double>(reflection.GetFloat(message, &field));
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.GetInt32(message, &field);
    case FieldDescriptor::CPPTYPE_INT64:
      return static_cast<double>(reflection.GetInt64(message, &field));
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.GetUInt32(message, &field);
    default:
      return static_cast<double>(reflection.GetUInt64(message, &field));
  }
}

/// Walks down a message by the parts of a path.
class Walk {
 public:
  Walk(const Message& root, std::vector<PathSegment> parts)
      : message_(&root), parts_(std::move(parts)) {}

  Result<NumericField> numbers() {
    while (at_ < parts_.size()) {
      if (auto end = into_field()) return *end;
    }
    return of_message();
  }

 private:
  bool is_last() const { return at_ + 1 == parts_.size(); }

  /// One key of a message, and the index behind it.
  /// @returns the answer if the path ends here; empty if it continues
  std::optional<Result<NumericField>> into_field() {
    const std::string& name = parts_[at_].name;
    const FieldDescriptor* kind = kind_field(*message_);
    const auto& descriptor = *message_->GetDescriptor();
    const auto* field = yaml::field_of(descriptor, kind, name);
    if (name == "kind" && field == nullptr) return wrong("is a word; must be a number");
    if (field == nullptr)
      return wrong("has no key " + quote(name) + "; " +
                   suggestion(name, yaml::known_keys(descriptor, kind)));
    if (field->containing_type() != &descriptor) {
      if (kind == nullptr) return wrong("has no " + name + " in the test; choose a kind");
      message_ = &message_->GetReflection()->GetMessage(*message_, kind);
    }
    if (field->is_repeated()) return into_list(*field);
    if (field->message_type() == nullptr) {
      if (!is_last()) return wrong("goes on behind " + quote(name) + ", a single value");
      return of_single(*field);
    }
    if (!message_->GetReflection()->HasField(*message_, field))
      return wrong("has no " + name + " in the test; give it one there");
    message_ = &message_->GetReflection()->GetMessage(*message_, field);
    ++at_;
    return std::nullopt;
  }

  std::optional<Result<NumericField>> into_list(const FieldDescriptor& list) {
    const auto& reflection = *message_->GetReflection();
    const int size = reflection.FieldSize(*message_, &list);
    if (is_last()) return whole_list(list);
    ++at_;
    const int index = entry(list, size);
    if (index < 0)
      return wrong("has no entry " + parts_[at_].name + " in " + list.name() +
                   ", which has " + std::to_string(size) + ", counted from 0");
    ++at_;
    if (list.message_type() != nullptr) {
      message_ = &reflection.GetRepeatedMessage(*message_, &list, index);
      return std::nullopt;
    }
    if (!is_double(list)) return wrong("is no number that may vary");
    if (at_ != parts_.size()) return wrong("goes on behind a single value");
    return NumericField{{reflection.GetRepeatedDouble(*message_, &list, index)},
                        false,
                        false,
                        false,
                        list.options().GetExtension(config::dimension)};
  }

  Result<NumericField> whole_list(const FieldDescriptor& list) const {
    if (!is_double(list)) return wrong("is a list; name one of its entries");
    const auto& values =
        message_->GetReflection()->GetRepeatedFieldRef<double>(*message_, &list);
    return NumericField{{values.begin(), values.end()},
                        true,
                        false,
                        false,
                        list.options().GetExtension(config::dimension)};
  }

  /// The entry that the present part names, by index or by key; a key may hold dots.
  /// @returns −1 if no such entry exists
  int entry(const FieldDescriptor& list, int size) {
    const auto* key =
        list.message_type() == nullptr ? nullptr : yaml::key_field(*list.message_type());
    std::string name;
    int found = -1;
    std::size_t last = at_;
    for (std::size_t i = at_; key != nullptr && i < parts_.size(); ++i) {
      if (parts_[i].in_brackets) break;
      name += (i == at_ ? "" : ".") + parts_[i].name;
      for (int j = 0; j < size; ++j) {
        const Message& one =
            message_->GetReflection()->GetRepeatedMessage(*message_, &list, j);
        if (one.GetReflection()->GetString(one, key) != name) continue;
        found = j;
        last = i;
      }
    }
    if (found >= 0) {
      at_ = last;
      return found;
    }
    const auto index = yaml::index_of(parts_[at_]);
    return index && *index < static_cast<std::size_t>(size) ? static_cast<int>(*index) : -1;
  }

  Result<NumericField> of_single(const FieldDescriptor& field) const {
    if (!is_number(field)) return wrong("is a word; must be a number");
    NumericField found{{},
                       false,
                       false,
                       !is_double(field),
                       field.options().GetExtension(config::dimension)};
    if (!field.has_presence() || message_->GetReflection()->HasField(*message_, &field))
      found.values.push_back(single(*message_, field));
    return found;
  }

  /// A message that may be written as a list of numbers, or as one number.
  Result<NumericField> of_message() const {
    const auto& descriptor = *message_->GetDescriptor();
    const auto fields = yaml::positional_fields(descriptor);
    if (fields.size() == 1 && fields.front()->is_repeated()) return whole_list(*fields[0]);
    NumericField found{{}, true, true, false, config::PLAIN};
    for (const FieldDescriptor* field : fields) {
      if (field->is_repeated() || !is_double(*field))
        return wrong("is a list with whole numbers in it; name one of its values");
      found.values.push_back(single(*message_, *field));
    }
    if (!found.values.empty()) return found;
    const auto* scalar = yaml::scalar_field(descriptor);
    if (scalar != nullptr && is_number(*scalar)) return of_single(*scalar);
    return wrong("is a mapping; name one of its numbers");
  }

  const Message* message_;
  std::vector<PathSegment> parts_;
  std::size_t at_ = 0;
};

void add_files(const Message& message, std::vector<std::string>& files) {
  const auto& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> given;
  reflection.ListFields(message, &given);
  for (const FieldDescriptor* field : given) {
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      if (field->message_type() != nullptr) {
        add_files(field->is_repeated() ? reflection.GetRepeatedMessage(message, field, i)
                                       : reflection.GetMessage(message, field),
                  files);
        continue;
      }
      const auto& options = field->options();
      if (!options.GetExtension(config::is_path)) continue;
      std::string file = field->is_repeated()
                             ? reflection.GetRepeatedString(message, field, i)
                             : reflection.GetString(message, field);
      bool is_keyword = file.empty();
      for (int j = 0; j < options.ExtensionSize(config::keyword); ++j)
        is_keyword = is_keyword || options.GetExtension(config::keyword, j) == file;
      if (!is_keyword) files.push_back(std::move(file));
    }
  }
}

}  // namespace

Result<NumericField> query_numbers(const Message& message, const std::string& path) {
  auto parts = yaml::split_path(path);
  if (!parts) return wrong("cannot be read; must be a path, as sites.west.rig");
  return Walk(message, std::move(*parts)).numbers();
}

std::vector<std::string> referenced_files(const Message& message) {
  std::vector<std::string> files;
  add_files(message, files);
  return files;
}

}  // namespace trestle::yaml
