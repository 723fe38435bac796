#include "composition/sites/specimen_papers_factory.h"

#include <iterator>
#include <string_view>
#include <vector>

#include "core/base/setting_error.h"
#include "core/base/suggestion.h"
#include "core/session/calibration.h"
#include "proto/config/site.pb.h"

namespace trestle::composition {
namespace {

// Bytes: contracts travel in one message.
constexpr std::size_t kLongestSpecimenText = 200;
constexpr std::size_t kMostPaperBytes = 2000;

}  // namespace

session::SpecimenPapers make_specimen_papers(const config::SpecimenPapers& message,
                                             const std::string& path) {
  std::string papers;
  for (const std::string& each : message.papers())
    papers += (papers.empty() ? "" : "; ") + each;
  const std::string* const texts[] = {
      &message.id(),   &message.drawing(), &message.material(), &message.made(),
      &message.cast(), &message.by(),      &message.note(),     &papers};
  static_assert(std::size(texts) == std::size(session::kSpecimenFacts));
  session::SpecimenPapers specimen;
  std::vector<SettingIssue> problems;
  for (std::size_t i = 0; i < std::size(texts); ++i) {
    if (texts[i]->empty()) continue;
    const std::string_view name = session::kSpecimenFacts[i];
    const std::string at = path + "." + std::string(name);
    const std::size_t most = texts[i] == &papers ? kMostPaperBytes : kLongestSpecimenText;
    if (texts[i]->size() > most)
      problems.push_back({at, "has " + std::to_string(texts[i]->size()) +
                                  " bytes; it takes at most " + std::to_string(most)});
    if (texts[i]->find_first_of("\r\n") != std::string::npos)
      problems.push_back({at, "has a line break; write it on one line"});
    if ((name == "made" || name == "cast") && !session::is_calendar_day(*texts[i]))
      problems.push_back(
          {at, quote(*texts[i]) + " is no day of the calendar, such as 2026-09-01"});
    specimen.facts.emplace_back(name, *texts[i]);
  }
  if (!problems.empty()) throw SettingError(std::move(problems));
  return specimen;
}

}  // namespace trestle::composition
