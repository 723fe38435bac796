#include "tests/cli/operator_lab.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"

namespace trestle::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Far above what anything takes here, even on a busy machine.
constexpr std::chrono::seconds kLabPatience{60};
// With one answer: as `trestle status` has it.
constexpr std::chrono::seconds kAnswerPatience{5};
// Between two questions: a program that is started for each of them takes the processors
// from the nodes that it asks about.
constexpr int kBetweenQuestions = 10;  // [ms]
constexpr int kProgramAskedEach = 30;

// The answer as `trestle status` and `trestle why` get it, without starting the program.
std::optional<operators::OperatorReply> ask(const std::string& folder,
                                            operators::OperatorVerb verb) {
  const auto line = operators::send_operator_request(folder, {verb, ""}, kAnswerPatience);
  if (!line) return std::nullopt;
  const auto reply = operators::read_answer(line.value());
  if (!reply) return std::nullopt;
  return reply.value();
}

bool stands(const std::string& folder, const std::string& state, std::int64_t step) {
  const auto reply = ask(folder, operators::OperatorVerb::kStatus);
  return reply && reply->standing && reply->standing->state == state &&
         (step < 0 || reply->standing->step >= step);
}

bool gives_as_reason(const std::string& folder, const std::string& text) {
  const auto reply = ask(folder, operators::OperatorVerb::kWhy);
  if (!reply) return false;
  std::string whole;
  for (const std::string& line : reply->why) whole += line + "\n";
  return whole.find(text) != std::string::npos;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

OperatorLab::Words OperatorLab::set(const Words& values) {
  Words words;
  for (const std::string& value : values) {
    words.emplace_back("--set");
    words.push_back(value);
  }
  return words;
}

OperatorLab::Words OperatorLab::serving(const std::string& site,
                                        const Words& settings) const {
  return Words{"site",  example("site_" + site + ".yaml"),
               "--set", "listen=" + socket(site),
               "--out", site + "-records"} +
         set(settings);
}

OperatorLab::Words OperatorLab::real(const std::string& site, Words settings) const {
  settings.insert(settings.begin(), {"as_real_equipment=true", "hardware_watchdog=true"});
  return serving(site, settings);
}

OperatorLab::Words OperatorLab::running(const Words& settings) const {
  return Words{"run",   example("distributed.yaml"),
               "--out", "run",
               "--set", "sites.west.address=" + socket("west"),
               "--set", "sites.east.address=" + socket("east")} +
         set(settings);
}

OperatorLab::Json OperatorLab::until(const std::string& folder, const std::string& state,
                                     std::int64_t step) const {
  const Clock::time_point deadline = Clock::now() + kLabPatience;
  std::string last;
  while (Clock::now() < deadline) {
    if (!stands(path(folder), state, step)) {
      ::poll(nullptr, 0, kBetweenQuestions);
      continue;
    }
    const Ended ended = trestle({"status", folder, "--json"});
    last = ended.out + ended.err;
    if (ended.code != 0) continue;
    const Json answer = Json::parse(ended.out);
    if (answer.at("state") == state &&
        (step < 0 || (answer.at("step").is_number() && answer.at("step") >= step)))
      return answer;
  }
  const Ended ended = trestle({"status", folder});
  throw std::runtime_error(folder + " is not " + state + ": " + last + ended.out +
                           ended.err);
}

void OperatorLab::until_asked(const std::string& folder, const std::string& state,
                              std::int64_t step) const {
  const Clock::time_point deadline = Clock::now() + kLabPatience;
  while (!stands(path(folder), state, step)) {
    if (Clock::now() > deadline) throw std::runtime_error(folder + " is not " + state);
    ::poll(nullptr, 0, kBetweenQuestions);
  }
}

std::string OperatorLab::why(const std::string& folder) const {
  const Ended ended = trestle({"why", folder});
  EXPECT_EQ(ended.code, 0) << ended.err;
  return ended.out;
}

void OperatorLab::until_why(const std::string& folder, const std::string& text) const {
  const Clock::time_point deadline = Clock::now() + kLabPatience;
  Ended ended;
  for (int question = 0; Clock::now() < deadline; ++question) {
    // The program says more than the node: the next command.
    if (question % kProgramAskedEach != 0 && !gives_as_reason(path(folder), text)) {
      ::poll(nullptr, 0, kBetweenQuestions);
      continue;
    }
    ended = trestle({"why", folder});
    if (holds(ended.out, text)) return;
  }
  throw std::runtime_error(folder + " does not say " + text + ": " + ended.out + ended.err);
}

void OperatorLab::tell(const Words& words) const {
  const Ended ended = trestle(words);
  EXPECT_EQ(ended.code, 0) << words.front() << ": " << ended.err;
}

std::string OperatorLab::refusal(const Words& words) const {
  const Ended ended = trestle(words);
  EXPECT_EQ(ended.code, 3) << words.front() << ": " << ended.out;
  return ended.err;
}

std::vector<double> OperatorLab::ticks(const std::string& column) const {
  tell({"collect", "run", "west-records", "east-records"});
  std::istringstream table(exported("run", true));
  std::string line;
  while (std::getline(table, line) && line.starts_with("#")) {
  }
  const Words names = split(line);
  const auto place = std::find(names.begin(), names.end(), column);
  EXPECT_NE(place, names.end()) << "no " << column << " in " << line;
  std::vector<double> values;
  const auto index = static_cast<std::size_t>(place - names.begin());
  while (std::getline(table, line)) {
    const Words row = split(line);
    if (index < row.size() && !row[index].empty())
      values.push_back(std::strtod(row[index].c_str(), nullptr));
  }
  return values;
}

}  // namespace trestle::cli
