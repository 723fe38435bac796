#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace trestle {

/// A person who takes part in a test, so that the laboratories find each other.
struct Participant {
  std::string name{};
  std::string place{};      ///< "Lab East, Trondheim"; may be empty
  std::string telephone{};  ///< may be empty
  std::string role{};       ///< "operator of site east"; may be empty
  bool operator==(const Participant&) const = default;
};

/// As a fact of a record: a line for each person, four fields with tabs between them.
inline std::string participants_fact(const std::vector<Participant>& participants) {
  std::string text;
  for (const Participant& each : participants) {
    const std::string* const fields[] = {&each.name, &each.place, &each.telephone,
                                         &each.role};
    for (const std::string* const field : fields) {
      for (const char letter : *field)
        text += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
      text += field == fields[3] ? '\n' : '\t';
    }
  }
  return text;
}

/// The inverse; a line with fewer fields leaves the others empty.
inline std::vector<Participant> read_participants(std::string_view fact) {
  std::vector<Participant> participants;
  while (!fact.empty()) {
    std::string_view line = fact.substr(0, fact.find('\n'));
    fact.remove_prefix(std::min(line.size() + 1, fact.size()));
    Participant one;
    for (std::string* const field : {&one.name, &one.place, &one.telephone, &one.role}) {
      const std::string_view value = line.substr(0, line.find('\t'));
      *field = value;
      line.remove_prefix(std::min(value.size() + 1, line.size()));
    }
    participants.push_back(one);
  }
  return participants;
}

}  // namespace trestle
