// Every message of the schema, filled at random by reflection with what the reader accepts:
// written and read it is the same message, to the last bit.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <set>

#include "core/yaml/yaml_writer.h"
#include "proto/config/bond_graph.pb.h"
#include "proto/config/identification.pb.h"
#include "proto/config/options.pb.h"
#include "proto/config/study.pb.h"
#include "proto/config/test.pb.h"
#include "tests/core/yaml/config_files.h"

namespace trestle::yaml::schema_round_trip_test {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FieldOptions;
using google::protobuf::FileDescriptor;
using google::protobuf::Message;
using google::protobuf::MessageFactory;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;
using Lines = std::vector<std::string>;

constexpr int kDeepest = 4;        // optional parts below are left out
constexpr int kMessagesEach = 20;  // of each type

/// Names, words and texts that YAML, or the reader, could take for something else.
constexpr std::array<const char*, 30> kTexts = {
    "a",      "west lab", "include", "like", "kind", "null", "~",   "true", "1.5", "0x1",
    "-",      "---",      "...",     "a: b", "a #b", "[x]",  "{",   "\"",   "\\",  "'",
    "a\nb\t", "*a",       "&a",      "!a",   "?",    "µ €",  "a,b", "<<",   " a ", "1e5"};

class RandomMessage {
 public:
  explicit RandomMessage(std::uint32_t seed) : random_(seed) {}

  void fill(Message& message, int depth) {
    const Descriptor& descriptor = *message.GetDescriptor();
    std::set<const OneofDescriptor*> done;
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      const OneofDescriptor* oneof = field.real_containing_oneof();
      if (oneof == nullptr) {
        read_field(message, field, depth);
      } else if (done.insert(oneof).second) {
        // A kind must be chosen, of others one may be.
        if (oneof->name() == "kind" || coin()) fill_member(message, *oneof, depth);
      }
    }
  }

 private:
  void fill_member(Message& message, const OneofDescriptor& oneof, int depth) {
    const auto count = static_cast<std::size_t>(oneof.field_count());
    // Deep down the plainest: kinds may hold messages with kinds.
    const FieldDescriptor& field =
        *oneof.field(static_cast<int>(depth > kDeepest ? 0 : below(count)));
    put(message, field, depth);
  }

  void read_field(Message& message, const FieldDescriptor& field, int depth) {
    const FieldOptions& options = field.options();
    const bool must =
        options.GetExtension(config::required) || options.GetExtension(config::key);
    if (field.is_repeated()) {
      const std::size_t least = options.GetExtension(config::min_entries);
      const std::size_t more = depth > kDeepest ? 0 : below(4);
      names_.clear();
      std::set<std::string> names;
      for (std::size_t i = 0; i < least + more; ++i) {
        names_ = names;
        put(message, field, depth);
        names = names_;
      }
    } else if (must || (depth <= kDeepest && coin())) {
      put(message, field, depth);
    }
  }

  /// Sets a field, or adds an entry to it.
  void put(Message& message, const FieldDescriptor& field, int depth) {
    const Reflection& reflection = *message.GetReflection();
    const bool list = field.is_repeated();
    const auto set = [&](auto single, auto repeated, auto value) {
      if (list)
        (reflection.*repeated)(&message, &field, value);
      else
        (reflection.*single)(&message, &field, value);
    };
    using R = Reflection;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return set(&R::SetDouble, &R::AddDouble, number(field.options()));
      case FieldDescriptor::CPPTYPE_INT32:
        return set(&R::SetInt32, &R::AddInt32, whole<std::int32_t>(field.options()));
      case FieldDescriptor::CPPTYPE_INT64:
        return set(&R::SetInt64, &R::AddInt64, whole<std::int64_t>(field.options()));
      case FieldDescriptor::CPPTYPE_UINT32:
        return set(&R::SetUInt32, &R::AddUInt32, whole<std::uint32_t>(field.options()));
      case FieldDescriptor::CPPTYPE_UINT64:
        return set(&R::SetUInt64, &R::AddUInt64, whole<std::uint64_t>(field.options()));
      case FieldDescriptor::CPPTYPE_BOOL:
        return set(&R::SetBool, &R::AddBool, coin());
      case FieldDescriptor::CPPTYPE_ENUM: {
        const auto count = static_cast<std::size_t>(field.enum_type()->value_count());
        return set(&R::SetEnum, &R::AddEnum,
                   field.enum_type()->value(static_cast<int>(below(count))));
      }
      case FieldDescriptor::CPPTYPE_STRING:
        return set(&R::SetString, &R::AddString, text(field));
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        const std::set<std::string> taken = names_;
        Message& inner = list ? *reflection.AddMessage(&message, &field)
                              : *reflection.MutableMessage(&message, &field);
        fill(inner, depth + 1);
        names_ = taken;
        return list ? take_another_name(inner, field.name() == "attributes") : void();
      }
      default:
        FAIL() << field.full_name() << " is of a type that this test does not know";
    }
  }

  /// Entries of one list have different names.
  void take_another_name(Message& entry, bool attribute) {
    const Descriptor& descriptor = *entry.GetDescriptor();
    for (int i = 0; i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      if (!field.options().GetExtension(config::key)) continue;
      std::string name = entry.GetReflection()->GetString(entry, &field);
      if (attribute) name = "m";  // the keys of their message are not theirs
      while (!names_.insert(name).second) name += "x";
      entry.GetReflection()->SetString(&entry, &field, name);
    }
  }

  static bool in_range(double value, const FieldOptions& options) {
    const auto has = [&](const auto& extension) {
      return options.HasExtension(extension);
    };
    return (!has(config::above) || value > options.GetExtension(config::above)) &&
           (!has(config::at_least) || value >= options.GetExtension(config::at_least)) &&
           (!has(config::below) || value < options.GetExtension(config::below)) &&
           (!has(config::at_most) || value <= options.GetExtension(config::at_most));
  }

  /// Nothing is as thin or as soft as that.
  static bool is_too_small(double value, const FieldOptions& options) {
    const config::Dimension dimension = options.GetExtension(config::dimension);
    const bool solid = dimension == config::STRESS || dimension == config::AREA ||
                       dimension == config::SECOND_MOMENT;
    return solid && value != 0.0 && std::abs(value) < 1e-6;
  }

  double number(const FieldOptions& options) {
    for (;;) {
      const std::array<double, 12> odd = {
          0.1 + 0.2, 1.0 / 3.0, 1.0,  5e-324,     2.2250738585072014e-308, -0.0, -1.5e-7,
          1e15,  // the largest that every dimension takes
          -1e14,     1e-7,      -0.3, 123456789.0};
      double value = odd[below(odd.size())];
      if (coin())
        value = std::ldexp(std::uniform_real_distribution<>(-1, 1)(random_),
                           static_cast<int>(below(40)) - 20);
      if (in_range(value, options) && !is_too_small(value, options)) return value;
    }
  }

  template <typename T>
  T whole(const FieldOptions& options) {
    for (;;) {
      T value = coin() ? std::numeric_limits<T>::max() : static_cast<T>(below(100));
      if (std::is_signed_v<T> && coin()) value = static_cast<T>(-value);
      if (in_range(static_cast<double>(value), options)) return value;
    }
  }

  std::string text(const FieldDescriptor& field) {
    const FieldOptions& options = field.options();
    const int keywords = options.ExtensionSize(config::keyword);
    const std::string word = kTexts[below(kTexts.size())];
    if (options.GetExtension(config::is_path)) {
      if (keywords > 0 && coin())
        return options.GetExtension(
            config::keyword, static_cast<int>(below(static_cast<std::size_t>(keywords))));
      return "/lab/a b: c/" + std::to_string(below(9)) + ".csv";
    }
    if (options.GetExtension(config::as_text))
      return "gain: 3 kN/mm\nsend[0].field: " + std::to_string(below(9)) + "\n";
    return word;
  }

  bool coin() { return (random_() & 1U) != 0; }
  std::size_t below(std::size_t end) { return random_() % end; }

  std::mt19937 random_;
  std::set<std::string> names_;  // of the list that is filled
};

/// All types of a file, those inside others included.
std::vector<const Descriptor*> types_of(const FileDescriptor& file) {
  std::vector<const Descriptor*> types;
  for (int i = 0; i < file.message_type_count(); ++i) types.push_back(file.message_type(i));
  for (std::size_t at = 0; at < types.size(); ++at)
    for (int i = 0; i < types[at]->nested_type_count(); ++i)
      types.push_back(types[at]->nested_type(i));
  return types;
}

class SchemaRoundTrip : public testing::TestWithParam<const FileDescriptor*> {};

TEST_P(SchemaRoundTrip, OfEveryMessageIsTheSameMessage) {
  std::size_t count = 0;
  for (const Descriptor* type : types_of(*GetParam())) {
    const Message& prototype = *MessageFactory::generated_factory()->GetPrototype(type);
    for (std::uint32_t seed = 0; seed < kMessagesEach; ++seed) {
      const std::unique_ptr<Message> message(prototype.New());
      RandomMessage(seed).fill(*message, seed == 0 ? kDeepest + 1 : 0);
      const std::string text = write_yaml(*message);
      const std::unique_ptr<Message> again(prototype.New());
      ASSERT_EQ(test::problems_of(text, *again), Lines{}) << type->full_name() << "\n"
                                                          << text;
      ASSERT_EQ(message->SerializeAsString(), again->SerializeAsString())
          << type->full_name() << "\n"
          << text << "\n"
          << test::text_of(*message) << "\n---\n"
          << test::text_of(*again);
      ++count;
    }
  }
  EXPECT_GT(count, 0U);
}

/// A part without a chosen kind means the same as an absent part, and is written like it: a
/// part without a kind would be refused.
TEST_P(SchemaRoundTrip, LeavesOutAPartWithoutAKind) {
  for (const Descriptor* type : types_of(*GetParam())) {
    const Message& prototype = *MessageFactory::generated_factory()->GetPrototype(type);
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor& field = *type->field(i);
      if (field.is_repeated() || field.message_type() == nullptr ||
          field.message_type()->FindOneofByName("kind") == nullptr ||
          field.options().GetExtension(config::required) ||
          field.real_containing_oneof() != nullptr)
        continue;
      const std::unique_ptr<Message> plain(prototype.New());
      RandomMessage(1).fill(*plain, kDeepest + 1);
      const std::unique_ptr<Message> message(prototype.New());
      message->CopyFrom(*plain);
      message->GetReflection()->MutableMessage(message.get(), &field);
      EXPECT_EQ(write_yaml(*message), write_yaml(*plain)) << field.full_name();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schema, SchemaRoundTrip,
                         testing::Values(config::Test::descriptor()->file(),
                                         config::Study::descriptor()->file(),
                                         config::GraphNumber::descriptor()->file(),
                                         config::Identification::descriptor()->file()),
                         [](const testing::TestParamInfo<const FileDescriptor*>& it) {
                           std::string name = it.param->name();
                           for (char& letter : name)
                             if (std::isalnum(static_cast<unsigned char>(letter)) == 0)
                               letter = '_';
                           return name;
                         });

}  // namespace
}  // namespace trestle::yaml::schema_round_trip_test
