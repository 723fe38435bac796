#include "composition/hybrid_test/model_hash.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/base/setting_error.h"
#include "core/base/sha256.h"
#include "core/base/text_file.h"
#include "proto/config/options.pb.h"

namespace trestle::composition {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// `path` names the field for sentences.
std::string hash_of_file(const std::string& file, const std::string& path) {
  const std::string why = why_no_plain_file(file);
  if (!why.empty()) throw SettingError(path, file + " cannot be read: " + why);
  std::ifstream stream(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(stream),
                            std::istreambuf_iterator<char>()};
  if (!stream.is_open() || stream.bad())
    throw SettingError(path, file + " cannot be read; the model's hash needs its content");
  return "sha256:" + sha256(content);
}

bool names_a_file(const FieldDescriptor& field, const std::string& text) {
  const auto& options = field.options();
  if (!options.GetExtension(config::is_path) || text.empty()) return false;
  for (int i = 0; i < options.ExtensionSize(config::keyword); ++i)
    if (options.GetExtension(config::keyword, i) == text) return false;
  return true;
}

/// A file's hash in the place of every path. (No list of paths is in the schema.)
void put_contents(Message& message, const std::string& path) {
  const auto& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> given;
  reflection.ListFields(message, &given);
  for (const FieldDescriptor* field : given) {
    const std::string here = path + (path.empty() ? "" : ".") + field->name();
    if (field->message_type() == nullptr) {
      if (field->is_repeated() || field->cpp_type() != FieldDescriptor::CPPTYPE_STRING)
        continue;
      const std::string text = reflection.GetString(message, field);
      if (names_a_file(*field, text))
        reflection.SetString(&message, field, hash_of_file(text, here));
    } else if (field->is_repeated()) {
      for (int i = 0; i < reflection.FieldSize(message, field); ++i)
        put_contents(*reflection.MutableRepeatedMessage(&message, field, i),
                     here + "[" + std::to_string(i) + "]");
    } else {
      put_contents(*reflection.MutableMessage(&message, field), here);
    }
  }
}

template <typename Values>
bool any(const Values& values) {
  return std::any_of(values.begin(), values.end(),
                     [](double value) { return value != 0.0; });
}

bool any(const google::protobuf::RepeatedPtrField<config::Row>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const config::Row& row) { return any(row.values()); });
}

/// Returns true if the test states a mass or damping of the specimen that the integrator
/// shares.
bool has_rates(const config::Site& site) {
  const config::Specimen& specimen = site.rig().specimen();
  return any(site.mass()) || any(site.damping()) || any(specimen.linear().mass()) ||
         any(specimen.linear().damping()) || any(specimen.springs().mass()) ||
         any(specimen.springs().damping()) || specimen.column().damping() != 0.0 ||
         specimen.has_frame() || specimen.has_dynamic();
}

/// Returns the inputs of the numerical side only.
config::Test numerical_side(const config::Test& test) {
  config::Test model;
  model.set_time_step(test.time_step());
  model.set_seed(test.seed());
  if (test.has_duration()) model.set_duration(test.duration());
  *model.mutable_excitation() = test.excitation();
  *model.mutable_numerical() = test.numerical();
  model.set_undivided(test.undivided());
  if (test.has_reference()) *model.mutable_reference() = test.reference();
  *model.mutable_updating() = test.updating();
  for (const config::Site& site : test.sites()) {
    config::Site& added = *model.add_sites();
    added.set_name(site.name());
    *added.mutable_interface() = site.interface();
    *added.mutable_force_only() = site.force_only();
    *added.mutable_mass() = site.mass();
    *added.mutable_damping() = site.damping();
    added.set_base(site.base());
    added.set_support(site.support());
    if (site.has_gravity()) added.set_gravity(site.gravity());
    // How much of a specimen's rates its answers hold is a matter of the mode.
    if (has_rates(site) && !test.numerical().has_bridge() &&
        !test.numerical().has_bond_graph()) {
      model.set_mode(test.mode());
      if (test.mode() == config::CONTINUOUS && test.continuous().has_scale())
        model.mutable_continuous()->set_scale(test.continuous().scale());
    }
    // A preview inverts the system behind the compensator.
    if (test.numerical().bridge().has_preview()) {
      *added.mutable_transfer_system() = site.transfer_system();
      *added.mutable_controller() = site.controller();
    }
    if (site.rig().has_specimen())
      *added.mutable_rig()->mutable_specimen() = site.rig().specimen();
  }
  return model;
}

std::string bytes_of(const Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializePartialToCodedStream(&coded);
  }
  return bytes;
}

}  // namespace

std::string model_hash(const config::Test& test) {
  config::Test model = numerical_side(test);
  put_contents(model, "");
  return Sha256().add_field("trestle model 1").add_field(bytes_of(model)).to_hex();
}

}  // namespace trestle::composition
