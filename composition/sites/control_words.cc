#include "composition/sites/control_words.h"

#include <google/protobuf/text_format.h>

#include "composition/linear/catalog_parts.h"
#include "proto/config.pb.h"

namespace trestle {

std::string words_of(const google::protobuf::Message& message) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetUseShortRepeatedPrimitives(true);
  std::string words;
  printer.PrintToString(message, &words);
  while (words.ends_with(' ')) words.pop_back();
  return words;
}

std::string compensator_words(std::string_view bytes) {
  return words_of(parsed<config::Compensator>(bytes, "compensator"));
}

std::string controller_words(std::string_view bytes) {
  return words_of(parsed<config::ActuatorController>(bytes, "controller"));
}

}  // namespace trestle
