#pragma once

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "composition/sites/compensator_factory.h"
#include "proto/config/control.pb.h"
#include "proto/config/options.pb.h"

namespace trestle::testing {

/// A kind of compensator that the schema knows.
struct SchemaKind {
  const std::string& name;
  std::function<std::unique_ptr<Compensator>(int actuators, double tick)> make;
};

/// A number that the field accepts: a time is 12 ms, anything else 1, moved into the range
/// of the field.
inline double sample_of(const google::protobuf::FieldOptions& options) {
  double value = options.GetExtension(config::dimension) == config::TIME ? 0.012 : 1.0;
  if (options.HasExtension(config::at_least))
    value = std::max(value, options.GetExtension(config::at_least));
  if (options.HasExtension(config::above) && value <= options.GetExtension(config::above))
    value = options.GetExtension(config::above) + 1.0;
  if (options.HasExtension(config::at_most))
    value = std::min(value, options.GetExtension(config::at_most));
  return value;
}

/// Sets the numbers that the field requires, and nothing else.
inline void fill(google::protobuf::Message& message,
                 const google::protobuf::FieldDescriptor& field) {
  using Field = google::protobuf::FieldDescriptor;
  const google::protobuf::FieldOptions& options = field.options();
  const bool listed = field.is_repeated() && options.GetExtension(config::min_entries) > 0;
  if (!listed && !options.GetExtension(config::required)) return;
  const google::protobuf::Reflection& to = *message.GetReflection();
  const double value = sample_of(options);
  if (field.cpp_type() == Field::CPPTYPE_DOUBLE && listed)
    to.AddDouble(&message, &field, value);
  else if (field.cpp_type() == Field::CPPTYPE_DOUBLE)
    to.SetDouble(&message, &field, value);
  else if (field.cpp_type() == Field::CPPTYPE_UINT32 && !listed)
    to.SetUInt32(&message, &field, static_cast<std::uint32_t>(value));
}

/// Each kind of the schema but the presets, with its required settings alone.
inline const std::vector<SchemaKind>& kinds_of_schema() {
  static const std::vector<SchemaKind> kinds = [] {
    static const std::set<std::string> presets{"lqg", "ats_lqg", "legacy_filtered_command"};
    std::vector<SchemaKind> found;
    const auto* oneof = config::Compensator::descriptor()->FindOneofByName("kind");
    for (int i = 0; i < oneof->field_count(); ++i) {
      const google::protobuf::FieldDescriptor* kind = oneof->field(i);
      if (presets.count(kind->name()) > 0) continue;
      config::Compensator message;
      google::protobuf::Message& settings =
          *message.GetReflection()->MutableMessage(&message, kind);
      for (int j = 0; j < settings.GetDescriptor()->field_count(); ++j)
        fill(settings, *settings.GetDescriptor()->field(j));
      found.push_back({kind->name(), [message](int actuators, double tick) {
                         return composition::make_compensator(message, actuators, tick,
                                                              "compensator");
                       }});
    }
    return found;
  }();
  return kinds;
}

}  // namespace trestle::testing
