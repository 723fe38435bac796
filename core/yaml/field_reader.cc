#include "core/yaml/field_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>

#include "core/base/suggestion.h"
#include "core/yaml/dimensions.h"
#include "core/yaml/schema.h"
#include "proto/config/options.pb.h"

namespace trestle::yaml {
namespace {

using google::protobuf::FieldOptions;
using google::protobuf::Reflection;

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

std::string plain(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

/// The sentence `must be at least 0 and below 1`, or empty if all is well.
std::string out_of_range(double number, const FieldOptions& options) {
  const double above = options.GetExtension(config::above);
  const double at_least = options.GetExtension(config::at_least);
  const bool has_above = options.HasExtension(config::above);
  const bool has_at_least = options.HasExtension(config::at_least);
  const bool has_below = options.HasExtension(config::below);
  const bool has_at_most = options.HasExtension(config::at_most);
  const double below = options.GetExtension(config::below);
  const double at_most = options.GetExtension(config::at_most);
  if ((!has_above || number > above) && (!has_at_least || number >= at_least) &&
      (!has_below || number < below) && (!has_at_most || number <= at_most))
    return {};
  if (!has_below && !has_at_most) {
    if (has_above && above == 0) return "must be positive";
    if (has_at_least && at_least == 0) return "must not be negative";
  }
  std::string text;
  const auto add = [&](bool has, const char* words, double bound) {
    if (has)
      text += (text.empty() ? "must be " : " and ") + std::string(words) + plain(bound);
  };
  add(has_above, "above ", above);
  add(has_at_least, "at least ", at_least);
  add(has_below, "below ", below);
  add(has_at_most, "at most ", at_most);
  return text;
}

/// A whole number in a range of T; arithmetic is allowed as everywhere.
template <typename T>
std::optional<T> whole_number(const std::string& text) {
  T value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec == std::errc{} && read.ptr == end) return value;
  const auto number = read_quantity(text, config::PLAIN);
  if (!number) return std::nullopt;
  const double exact = number.value().value;
  if (exact != std::floor(exact) || std::abs(exact) > kLargestExactInteger)
    return std::nullopt;
  if (exact < static_cast<double>(std::numeric_limits<T>::min()) ||
      exact > static_cast<double>(std::numeric_limits<T>::max()))
    return std::nullopt;
  return static_cast<T>(exact);
}

class FieldFiller {
 public:
  FieldFiller(const YamlNode& node, const FieldReference& target, Diagnostics& problems)
      : node_(node),
        message_(target.message),
        field_(target.field),
        reflection_(*target.message.GetReflection()),
        problems_(problems) {}

  UnitClass fill() {
    if (node_.shape == YamlKind::kNull) {
      fail("has no value; must be " + wanted());
    } else if (node_.shape != YamlKind::kScalar) {
      fail("is " + std::string(shape_name(node_.shape)) + "; must be " + wanted());
    } else {
      return fill_scalar();
    }
    return UnitClass::kNone;
  }

 private:
  UnitClass fill_scalar() {
    switch (field_.cpp_type()) {
      case FieldDescriptor::CPPTYPE_DOUBLE:
      case FieldDescriptor::CPPTYPE_FLOAT:
        return fill_number();
      case FieldDescriptor::CPPTYPE_INT32:
        fill_whole<std::int32_t>(&Reflection::SetInt32, &Reflection::AddInt32);
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        fill_whole<std::int64_t>(&Reflection::SetInt64, &Reflection::AddInt64);
        break;
      case FieldDescriptor::CPPTYPE_UINT32:
        fill_whole<std::uint32_t>(&Reflection::SetUInt32, &Reflection::AddUInt32);
        break;
      case FieldDescriptor::CPPTYPE_UINT64:
        fill_whole<std::uint64_t>(&Reflection::SetUInt64, &Reflection::AddUInt64);
        break;
      case FieldDescriptor::CPPTYPE_BOOL:
        fill_truth();
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        fill_word();
        break;
      default:
        fill_text();
        break;
    }
    return UnitClass::kNone;
  }

  bool is_keyword(const std::string& text) const {
    const FieldOptions& options = field_.options();
    for (int i = 0; i < options.ExtensionSize(config::keyword); ++i)
      if (options.GetExtension(config::keyword, i) == text) return true;
    return false;
  }

  UnitClass fill_number() {
    if (is_keyword(node_.text)) {
      put(&Reflection::SetDouble, &Reflection::AddDouble,
          std::numeric_limits<double>::infinity());
      return UnitClass::kNone;
    }
    const auto quantity =
        read_quantity(node_.text, field_.options().GetExtension(config::dimension));
    if (!quantity) {
      fail(quantity.error().detail);
      return UnitClass::kNone;
    }
    if (!check_range(quantity.value().value)) return UnitClass::kNone;
    if (field_.cpp_type() == FieldDescriptor::CPPTYPE_FLOAT)
      put(&Reflection::SetFloat, &Reflection::AddFloat,
          static_cast<float>(quantity.value().value));
    else
      put(&Reflection::SetDouble, &Reflection::AddDouble, quantity.value().value);
    return quantity.value().unit_class;
  }

  template <typename T, typename Set, typename Add>
  void fill_whole(Set set, Add add) {
    const auto number = whole_number<T>(node_.text);
    if (!number) {
      fail("is " + as_written() + "; must be " + wanted());
    } else if (check_range(static_cast<double>(*number))) {
      put(set, add, *number);
    }
  }

  void fill_truth() {
    if (node_.text != "true" && node_.text != "false")
      fail("is " + as_written() + "; must be " + wanted());
    else
      put(&Reflection::SetBool, &Reflection::AddBool, node_.text == "true");
  }

  void fill_word() {
    const auto* value = find_enum_value(*field_.enum_type(), node_.text);
    if (value != nullptr) {
      put(&Reflection::SetEnum, &Reflection::AddEnum, value);
      return;
    }
    const auto words = enum_words(*field_.enum_type());
    const std::string meant = nearest(node_.text, words);
    fail("is " + as_written() + "; " +
         (meant.empty() ? "must be " + wanted() : "did you mean " + quote(meant) + "?"));
  }

  void fill_text() {
    std::string text = node_.text;
    const FieldOptions& options = field_.options();
    // The empty value of a template's variable would silently be the key's default.
    if (text.empty() && !field_.is_repeated()) {
      fail("is empty; must be " + wanted() +
           (options.GetExtension(config::required) ? "" : ". For none, remove the key"));
      return;
    }
    if (options.GetExtension(config::is_path) && !is_keyword(text) && !text.empty()) {
      const auto& directory = problems_.sources()[node_.mark.source].directory;
      text = (directory / text).lexically_normal().string();
    }
    put(&Reflection::SetString, &Reflection::AddString, text);
  }

  template <typename Set, typename Add, typename Value>
  void put(Set set, Add add, const Value& value) {
    if (field_.is_repeated())
      (reflection_.*add)(&message_, &field_, value);
    else
      (reflection_.*set)(&message_, &field_, value);
  }

  bool check_range(double number) {
    const std::string wrong = out_of_range(number, field_.options());
    if (wrong.empty()) return true;
    fail("is " + node_.text + "; " + wrong);
    return false;
  }

  /// Describes what the field must be.
  std::string wanted() const {
    switch (field_.cpp_type()) {
      case FieldDescriptor::CPPTYPE_DOUBLE:
      case FieldDescriptor::CPPTYPE_FLOAT:
        return description(field_.options().GetExtension(config::dimension));
      case FieldDescriptor::CPPTYPE_INT32:
      case FieldDescriptor::CPPTYPE_INT64:
        return "a whole number";
      case FieldDescriptor::CPPTYPE_UINT32:
      case FieldDescriptor::CPPTYPE_UINT64:
        return "a whole number, not negative";
      case FieldDescriptor::CPPTYPE_BOOL:
        return "true or false";
      case FieldDescriptor::CPPTYPE_ENUM:
        return "one of " + listed(enum_words(*field_.enum_type()));
      default:
        return field_.options().GetExtension(config::is_path) ? "a file" : "a text";
    }
  }

  std::string as_written() const { return quote(node_.text); }
  void fail(const std::string& what) {
    problems_.add(node_.mark, field_.name() + " " + what);
  }

  const YamlNode& node_;
  google::protobuf::Message& message_;
  const FieldDescriptor& field_;
  const Reflection& reflection_;
  Diagnostics& problems_;
};

}  // namespace

UnitClass read_field(const YamlNode& node, const FieldReference& target,
                     Diagnostics& problems) {
  return FieldFiller(node, target, problems).fill();
}

bool is_text_of_tree(const google::protobuf::FieldDescriptor& field) {
  return field.options().GetExtension(config::as_text);
}

}  // namespace trestle::yaml
