#pragma once

#include <string>
#include <string_view>

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace trestle::composition {

/// A message on one line, in protobuf's text form: numbers read back as the same doubles.
/// Empty if nothing is set. For contracts and people.
std::string format_message(const google::protobuf::Message& message);

/// The same of config.Compensator from its bytes, as they come with Configure. Both ends
/// make it of the same bytes.
/// @throws SettingError if the bytes are no such message
std::string format_compensator(std::string_view bytes);

/// And of config.ActuatorController.
std::string format_controller(std::string_view bytes);

}  // namespace trestle::composition
