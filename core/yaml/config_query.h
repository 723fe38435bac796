#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "proto/config/options.pb.h"

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace trestle::yaml {

/// The value at one place of a configuration, in SI.
struct NumericField {
  std::vector<double> values;  ///< empty: the field is not given and has its default
  bool is_list = false;        ///< written `[a, b]`: a list, or a complex number
  bool is_parts = false;       ///< its numbers mean different things: real, imaginary
  bool is_whole = false;       ///< takes whole numbers only
  config::Dimension dimension = config::PLAIN;
};

/// Returns the numbers at the path of an override, in a message that read_yaml has filled.
/// A key of a `kind` is at the same level, as in the file:
/// `sites.west.rig.actuators[0].frequency`,
/// `sites.bay.rig.transfer_matrix.entries[0].zeros[1]`.
/// @returns the error's detail is a sentence behind the path: "has no entry 3; ..."
Result<NumericField> query_numbers(const google::protobuf::Message& message,
                                   const std::string& path);

/// The files that a configuration names, in the order of its fields; words in their place
/// (`synthetic`) are left out.
std::vector<std::string> referenced_files(const google::protobuf::Message& message);

}  // namespace trestle::yaml
