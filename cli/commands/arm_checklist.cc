#include "cli/commands/arm_checklist.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cli/terminal/arming_demand.h"
#include "cli/terminal/exit_code.h"
#include "core/base/person_name.h"
#include "gateway/operator/arming_text.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_request.h"
#include "gateway/operator/reading_text.h"
#include "gateway/operator/single_line_text.h"

namespace trestle::cli {
namespace {

int end_of_arm(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", operators::single_line_text(sentence).c_str());
  return code;
}

bool is_yes_typed() {
  std::array<char, 16> answer{};
  return std::fgets(answer.data(), answer.size(), stdin) != nullptr &&
         (answer[0] == 'y' || answer[0] == 'Y');
}

/// One command to arm, or to resume, on its way.
class Preparation {
 public:
  /// @param done  "armed", "resumed"
  Preparation(std::string folder, std::string person, Duration patience, std::string done)
      : folder_(std::move(folder)),
        person_(std::move(person)),
        patience_(patience),
        done_(std::move(done)) {}

  /// @returns the line of the answer; or the reason why there is none
  Result<std::string> ask() {
    Result<std::string> line = operators::send_operator_request(
        folder_, {.verb = operators::OperatorVerb::kStatus, .reason = {}}, patience_);
    if (!line) return line;
    const Result<operators::OperatorReply> reply = operators::read_answer(line.value());
    if (!reply) return reply.error();
    arming_ = reply.value().standing ? reply.value().standing->arming : std::nullopt;
    return line;
  }

  const std::optional<ArmingStatus>& arming() const noexcept { return arming_; }

  /// @returns the reason why it is not confirmed; empty: it is
  std::string confirm(ChecklistItem& item) {
    const Result<std::string> line = operators::send_operator_request(
        folder_,
        {.verb = operators::OperatorVerb::kConfirm, .reason = item.text, .as = person_},
        patience_);
    return refusal_in(line);
  }

  /// Waives items, each by its number or its text. @returns as prepare_to_arm()
  std::optional<int> waive(const std::vector<std::string>& items,
                           const std::string& reason) {
    for (const std::string& named : items) {
      const ChecklistItem* const item = find(named);
      if (item == nullptr)
        return end_of_arm(kExitConfiguration,
                          "--waive " + named +
                              ": the checklist has no such item; name one "
                              "of its items by its text, or by its number, 1 to " +
                              std::to_string(arming_->checklist.size()));
      const std::string why = refusal_in(
          operators::send_operator_request(folder_,
                                           {.verb = operators::OperatorVerb::kWaive,
                                            .reason = reason,
                                            .as = person_,
                                            .item = item->text},
                                           patience_));
      if (!why.empty()) return end_of_arm(kExitStopped, why);
    }
    return std::nullopt;
  }

  /// Confirms items by their numbers. @returns as prepare_to_arm()
  std::optional<int> tick(const std::vector<int>& numbers) {
    const std::size_t count = arming_->checklist.size();
    for (const int number : numbers) {
      if (number < 1 || static_cast<std::size_t>(number) > count)
        return end_of_arm(kExitConfiguration, "--tick " + std::to_string(number) +
                                                  ": the checklist has items 1 to " +
                                                  std::to_string(count));
      ChecklistItem& item = arming_->checklist[static_cast<std::size_t>(number) - 1];
      if (!item.by.empty()) continue;
      if (const std::string why = confirm(item); !why.empty())
        return end_of_arm(kExitStopped, why);
    }
    return std::nullopt;
  }

  /// Asks for each open item at the terminal. @returns as prepare_to_arm()
  std::optional<int> ask_for_open() {
    std::fprintf(stderr,
                 "Before %s is %s: y confirms an item, any other key leaves it open.\n",
                 folder_.c_str(), done_.c_str());
    for (ChecklistItem& item : arming_->checklist) {
      // What is read is not asked.
      if (!item.by.empty() || !item.reading.site.empty()) continue;
      std::fprintf(stderr, "  %s [y/N] ", operators::single_line_text(item.text).c_str());
      if (!is_yes_typed()) continue;
      if (const std::string why = confirm(item); !why.empty())
        return end_of_arm(kExitStopped, why);
    }
    return std::nullopt;
  }

  std::size_t open() const {
    return static_cast<std::size_t>(
        std::count_if(arming_->checklist.begin(), arming_->checklist.end(),
                      [](const ChecklistItem& item) { return item.by.empty(); }));
  }

  /// Prints what holds at each site, and the room for the record.
  void print_facts() const {
    for (const std::string& line : operators::arming_lines(*arming_))
      std::printf("%s\n", operators::single_line_text(line).c_str());
    for (const std::string& line : demand_lines(*arming_, folder_))
      std::printf("%s\n", operators::single_line_text(line).c_str());
    std::error_code none;
    const std::filesystem::space_info disk = std::filesystem::space(folder_, none);
    if (!none)
      std::printf("record, disk: %.4g GB free in %s\n",
                  static_cast<double>(disk.available) * 1e-9,
                  operators::single_line_text(folder_).c_str());
  }

  /// Prints the items; those that are confirmed only if `all`.
  void print(bool all) const {
    for (std::size_t i = 0; i < arming_->checklist.size(); ++i) {
      const ChecklistItem& item = arming_->checklist[i];
      if (!all && !item.by.empty()) continue;
      std::string text = item.text;
      const bool waived = !item.waived.empty();
      std::string who = item.by + (item.at.empty() ? "" : ", " + item.at) +
                        (waived ? ": " + item.waived : "");
      const ReadingBound& bound = item.reading;
      if (!bound.site.empty())
        text +=
            bound.mean
                ? " (reads " + operators::reading_value_text(*bound.mean, bound.unit) + ")"
                : " (no reading yet)";
      text = operators::single_line_text(text);
      who = operators::single_line_text(who);
      std::printf("%-10s %zu %s%s\n",
                  item.by.empty() ? "not ticked"
                  : waived        ? "waived"
                                  : "ticked",
                  i + 1, text.c_str(), item.by.empty() ? "" : (": " + who).c_str());
    }
  }

  /// " although 2 of the checklist are open and 1 calibration has expired"; empty: all is
  /// as it should be, or open items refuse the command anyway.
  std::string exceptions() const {
    std::string text;
    const auto add = [&text](std::size_t count, const char* one, const char* several) {
      if (count == 0) return;
      text += (text.empty() ? " although " : " and ") + std::to_string(count) +
              (count == 1 ? one : several);
    };
    if (!arming_->required)
      add(open(), " of the checklist is open", " of the checklist are open");
    std::size_t expired = 0;
    for (const ArmingSite& site : arming_->sites) expired += site.expired.size();
    add(expired, " calibration has expired", " calibrations have expired");
    return text;
  }

 private:
  /// @returns the reason why a request was not followed; empty: it was
  static std::string refusal_in(const Result<std::string>& line) {
    if (!line) return line.error().detail;
    const Result<operators::OperatorReply> reply = operators::read_answer(line.value());
    return reply ? reply.value().refusal : reply.error().detail;
  }

  /// By its text, or by its number from 1.
  const ChecklistItem* find(const std::string& named) const {
    for (std::size_t i = 0; i < arming_->checklist.size(); ++i)
      if (arming_->checklist[i].text == named || std::to_string(i + 1) == named)
        return &arming_->checklist[i];
    return nullptr;
  }

  std::string folder_;
  std::string person_;
  Duration patience_;
  std::string done_;
  std::optional<ArmingStatus> arming_;
};

}  // namespace

std::optional<int> prepare_to_arm(const std::string& folder, const ArmChecklist& checklist,
                                  const std::string& person, Duration patience,
                                  bool quiet) {
  const bool answers = !checklist.ticks.empty() || !checklist.waives.empty();
  const bool needs_list = checklist.list_only || answers;
  if (checklist.waives.empty() ? !checklist.reason.empty() : !has_letter(checklist.reason))
    return end_of_arm(kExitConfiguration,
                      !checklist.waives.empty()
                          ? "--waive needs a --reason: why the item may be left undone"
                          : "--reason is why an item is waived; name it with --waive");
  const std::string done = checklist.resumes ? "resumed" : "armed";
  Preparation preparation(folder, person, patience, done);
  const Result<std::string> line = preparation.ask();
  if (!line)
    // Where nothing else is to be done, the command itself reports the same.
    return needs_list ? std::optional(end_of_arm(kExitPeerLost, line.error().detail))
                      : std::nullopt;
  if (!preparation.arming())
    return needs_list
               ? std::optional(end_of_arm(
                     kExitStopped, folder + " does not wait to be " + done +
                                       (checklist.resumes ? " after a checklist" : "")))
               : std::nullopt;
  if (const auto code = preparation.tick(checklist.ticks)) return code;
  if (const auto code = preparation.waive(checklist.waives, checklist.reason)) return code;
  const bool asks = !quiet && !checklist.list_only && isatty(STDIN_FILENO) == 1 &&
                    isatty(STDERR_FILENO) == 1;
  if (answers && !preparation.ask())
    return end_of_arm(kExitPeerLost, folder + " does not answer");
  if (!preparation.arming()) return std::nullopt;  // another person was faster
  if (!quiet && !checklist.resumes) preparation.print_facts();
  if (asks && preparation.open() > 0) {
    if (const auto code = preparation.ask_for_open()) return code;
    if (!preparation.ask() || !preparation.arming()) return std::nullopt;
  }
  if (!quiet) preparation.print(checklist.list_only);
  if (checklist.list_only) {
    if (quiet) std::printf("%s\n", line.value().c_str());
    return kExitComplete;
  }
  const std::string but = preparation.exceptions();
  // Who arms has read first what stands above.
  if (asks && !checklist.sure && (!checklist.resumes || !but.empty())) {
    std::fprintf(stderr, "%s %s%s? [y/N] ", checklist.resumes ? "Resume" : "Arm",
                 operators::single_line_text(folder).c_str(), but.c_str());
    if (!is_yes_typed()) return end_of_arm(kExitStopped, "not " + done);
  }
  return std::nullopt;
}

}  // namespace trestle::cli
