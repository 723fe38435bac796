#include "core/yaml/yaml_text.h"

#include <cctype>
#include <string_view>

namespace trestle::yaml {
namespace {

constexpr std::size_t kWidth = 100;

/// Returns true if a word needs no quotes, in a block and in braces.
bool is_plain(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
    return false;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) == 0 &&
        std::string_view("_./+-").find(letter) == std::string_view::npos)
      return false;
  }
  // `-` begins an entry, `---` and `...` a document.
  return std::isalnum(static_cast<unsigned char>(text.back())) != 0 &&
         (text.front() != '-' || (text.size() > 1 && text[1] != '-'));
}

std::string scalar(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
      quoted += letter;
    } else if (byte < ' ' || byte == 0x7f) {
      quoted += "\\x";
      quoted += kDigits[byte >> 4U];
      quoted += kDigits[byte & 0xfU];
    } else {
      quoted += letter;
    }
  }
  return quoted + "\"";
}

std::string flow(const YamlNode& node) {
  std::string text;
  if (node.shape == YamlKind::kSequence) {
    for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow(item);
    return "[" + text + "]";
  }
  if (node.shape == YamlKind::kMapping) {
    for (const YamlEntry& entry : node.entries)
      text += (text.empty() ? "" : ", ") + scalar(entry.key) + ": " + flow(entry.value);
    return "{" + text + "}";
  }
  return scalar(node.text);
}

/// Returns true if the node fits on the line on which it began.
bool fits(const YamlNode& node, const std::string& in_flow, std::size_t used) {
  return node.shape == YamlKind::kScalar || used + in_flow.size() <= kWidth ||
         (node.items.empty() && node.entries.empty());
}

void print_block(const YamlNode& node, std::size_t indent, std::string& out);

void print_value(const YamlNode& node, std::size_t indent, std::size_t used,
                 std::string& out) {
  const std::string in_flow = flow(node);
  if (fits(node, in_flow, used)) {
    out += " " + in_flow + "\n";
    return;
  }
  out += "\n";
  print_block(node, indent, out);
}

void print_block(const YamlNode& node, std::size_t indent, std::string& out) {
  const std::string margin(indent, ' ');
  for (const YamlEntry& entry : node.entries) {
    const std::string key = scalar(entry.key) + ":";
    out += margin + key;
    print_value(entry.value, indent + 2, indent + key.size(), out);
  }
  for (const YamlNode& item : node.items) {
    out += margin + "-";
    print_value(item, indent + 2, indent + 1, out);
  }
}

}  // namespace

std::string format_tree(const YamlNode& root) {
  std::string out;
  if (root.entries.empty()) return "{}\n";
  print_block(root, 0, out);
  return out;
}

}  // namespace trestle::yaml
