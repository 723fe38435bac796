// Any text as a test file or a site's file: read, or refused with ConfigError and nothing
// else; what was read is written as YAML that reads as the same message. `include` is not
// resolved here, so no file is ever opened.
#include <google/protobuf/message.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/yaml/config_error.h"
#include "core/yaml/diagnostics.h"
#include "core/yaml/likes.h"
#include "core/yaml/message_reader.h"
#include "core/yaml/tree_parser.h"
#include "core/yaml/yaml_writer.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/test.pb.h"
#include "tests/fuzz/promise.h"

namespace trestle {
namespace {

/// As read_yaml() does it, without its files.
void read(const std::string& text, google::protobuf::Message& into) {
  yaml::Diagnostics problems;
  const std::size_t source = problems.add_source({"test.yaml", "/nowhere"});
  auto root = yaml::parse_tree(text, source, false, problems);
  if (!root) {
    problems.throw_if_any();
    return fuzz::promise(false, "a text that is no tree has a problem");
  }
  yaml::SourceMap where;
  yaml::resolve_like_references(*root, {into.GetDescriptor(), nullptr}, problems);
  yaml::MessageReader(problems, where).fill(*root, into);
  problems.throw_if_any();
}

template <typename Message>
void check(const std::string& text) {
  Message first;
  try {
    read(text, first);
  } catch (const yaml::ConfigError& error) {
    return fuzz::promise(*error.what() != '\0', "a refusal says why");
  }
  const std::string written = yaml::write_yaml(first);
  Message second;
  try {
    read(written, second);
  } catch (const yaml::ConfigError& error) {
    std::fprintf(stderr, "%s\n%s\n", written.c_str(), error.what());
    fuzz::promise(false, "what was written can be read");
  }
  if (first.SerializeAsString() != second.SerializeAsString())
    std::fprintf(stderr, "%s\n---\n%s\n", first.DebugString().c_str(),
                 second.DebugString().c_str());
  fuzz::promise(first.SerializeAsString() == second.SerializeAsString(),
                "what was written is read as the same message");
}

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 's')
    trestle::check<trestle::config::SiteFile>(text);
  else
    trestle::check<trestle::config::Test>(text);
  return 0;
}
