#include "core/yaml/yaml_reader.h"

#include <google/protobuf/message.h>

#include <filesystem>

#include "core/yaml/diagnostics.h"
#include "core/yaml/includes.h"
#include "core/yaml/kind_of_file.h"
#include "core/yaml/likes.h"
#include "core/yaml/message_reader.h"
#include "core/yaml/overrides.h"

namespace trestle::yaml {

std::vector<Override> parse_command_line_overrides(const std::vector<std::string>& texts) {
  std::error_code none;
  const std::string here = std::filesystem::current_path(none).string();
  std::vector<Override> overrides;
  for (const std::string& text : texts) overrides.push_back({text, here, "--set"});
  return overrides;
}

void read_yaml(const std::string& file, const std::vector<std::string>& overrides,
               google::protobuf::Message& into, SourceMap& where) {
  read_edited_yaml(file, parse_command_line_overrides(overrides), into, where);
}

void read_edited_yaml(const std::string& file, const std::vector<Override>& overrides,
                      google::protobuf::Message& into, SourceMap& where) {
  into.Clear();
  where = {};
  const auto& message = *into.GetDescriptor();
  yaml::Diagnostics problems;
  auto root = yaml::read_with_includes(file, message, problems);
  // Half a file would only make more noise.
  if (!root) problems.throw_if_any();
  if (const std::string wrong = yaml::wrong_kind_of_file(*root, message); !wrong.empty()) {
    problems.add(root->mark, wrong);
    problems.throw_if_any();
  }
  for (const Override& change : overrides)
    yaml::apply_override(*root, message, change, problems);
  yaml::resolve_like_references(*root, {&message, nullptr}, problems);
  yaml::MessageReader(problems, where).fill(*root, into);
  problems.throw_if_any();
  std::vector<std::string> names;
  for (const yaml::ConfigSource& source : problems.sources()) names.push_back(source.name);
  where.set_sources(std::move(names));
}

}  // namespace trestle::yaml
