#include "composition/sites/control_text.h"

#include <google/protobuf/text_format.h>

#include "composition/linear/catalog_parts.h"
#include "proto/config/control.pb.h"

namespace trestle::composition {

std::string format_message(const google::protobuf::Message& message) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetUseShortRepeatedPrimitives(true);
  std::string words;
  printer.PrintToString(message, &words);
  while (words.ends_with(' ')) words.pop_back();
  return words;
}

std::string format_compensator(std::string_view bytes) {
  return format_message(parsed<config::Compensator>(bytes, "compensator"));
}

std::string format_controller(std::string_view bytes) {
  return format_message(parsed<config::ActuatorController>(bytes, "controller"));
}

}  // namespace trestle::composition
