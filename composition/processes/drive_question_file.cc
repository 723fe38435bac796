#include "composition/processes/drive_question_file.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <variant>
#include <vector>

#include "core/base/lasting_file.h"
#include "site-servers/node/told_drive.h"

namespace trestle::composition {
namespace {

constexpr const char* kTranslation = "m";
constexpr const char* kRotation = "rad";

std::string question_of(const std::string& folder) {
  return folder + "/question";
}

std::string reply_of(const std::string& folder) {
  return folder + "/drive";
}

bool is_kept(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

/// With all its bits.
std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// std::istream takes no "inf".
bool take(std::istringstream& line, double& value) {
  std::string word;
  if (!(line >> word)) return false;
  char* end = nullptr;
  value = std::strtod(word.c_str(), &end);
  return end != word.c_str() && *end == '\0';
}

/// A line per actuator: unit, position, limits of displacement and of tracking error, name.
std::string question_text(const site_node::AskedDrive& asked) {
  std::string text;
  for (std::size_t i = 0; i < asked.actuators.size(); ++i) {
    const ActuatorDescription& actuator = asked.actuators[i];
    text += std::string(actuator.kind == DofKind::kRotation ? kRotation : kTranslation) +
            " " + digits(asked.measured[static_cast<Eigen::Index>(i)]) + " " +
            digits(asked.limits[i].displacement) + " " +
            digits(asked.limits[i].tracking_error) + " " + actuator.name + "\n";
  }
  return text;
}

std::string whole_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

site_node::AskedDrive read_question(const std::string& path) {
  site_node::AskedDrive asked;
  std::vector<double> stands;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string unit, name;
    double at = 0.0;
    ActuatorLimits limits;
    if (!(line >> unit) || !take(line, at) || !take(line, limits.displacement) ||
        !take(line, limits.tracking_error) || !std::getline(line >> std::ws, name))
      throw std::runtime_error(path + ": cannot be read; remove it, and look at the rig " +
                               "before it moves");
    asked.actuators.push_back(
        {name, unit == kRotation ? DofKind::kRotation : DofKind::kTranslation});
    asked.limits.push_back(limits);
    stands.push_back(at);
  }
  asked.measured = Eigen::Map<const ActuatorVector>(
      stands.data(), static_cast<Eigen::Index>(stands.size()));
  return asked;
}

/// The person, then a line per actuator: the drive, and the position [m | rad].
site_node::ToldDrive read_reply(const std::string& path) {
  site_node::ToldDrive told;
  std::vector<double> drive, stood;
  std::ifstream file(path);
  std::getline(file, told.by);
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    double value = 0.0, at = 0.0;
    if (!take(line, value) || !take(line, at))
      throw std::runtime_error(path +
                               ": cannot be read; remove it, and the site asks for "
                               "the drive again");
    drive.push_back(value);
    stood.push_back(at);
  }
  const auto count = static_cast<Eigen::Index>(drive.size());
  told.drive = Eigen::Map<const ActuatorVector>(drive.data(), count);
  told.measured = Eigen::Map<const ActuatorVector>(stood.data(), count);
  return told;
}

}  // namespace

SiteQuestion site_question(const site_node::SiteNode& site) {
  return {site.asks_for_drive(), site.state() == session::SessionState::kFault,
          site.in_session()};
}

DriveQuestionFile::DriveQuestionFile(const std::string& folder)
    : folder_(folder), asked_(whole_text(question_of(folder))) {
  if (is_kept(reply_of(folder))) told_ = read_reply(reply_of(folder));
}

void DriveQuestionFile::discard_reply() {
  if (!told_) return;
  move_file(reply_of(folder_), reply_of(folder_) + ".used");
  told_.reset();
}

/// The question of an earlier process stays open until its fault is cleared.
bool DriveQuestionFile::is_over(const SiteQuestion& site) const {
  return !site.asked && !asked_.empty() && !site.in_fault;
}

/// A session has taken the reply up, or it was of no use: it is for one time only.
bool DriveQuestionFile::is_used(const SiteQuestion& site) const {
  return told_ && (site.asked || site.in_session);
}

bool DriveQuestionFile::is_to_follow(const SiteQuestion& site) const {
  return is_over(site) || is_used(site) ||
         (site.asked && question_text(*site.asked) != asked_);
}

std::string DriveQuestionFile::follow(const SiteQuestion& site) {
  if (!is_to_follow(site)) return {};
  const std::string text = site.asked ? question_text(*site.asked) : std::string();
  const bool over = is_over(site);
  try {
    if (is_used(site)) discard_reply();
    if (site.asked && text != asked_) keep_file(question_of(folder_), text);
    if (over) move_file(question_of(folder_), question_of(folder_) + ".answered");
    if (site.asked || over) asked_ = text;
    failed_ = false;
  } catch (const std::exception& error) {
    const bool first = !failed_;
    failed_ = true;
    if (first) return error.what();
  }
  return {};
}

bool asks_for_drive(const std::string& folder) {
  return is_kept(question_of(folder));
}

std::string reply_drive(const std::string& folder, const std::string& drive,
                        const std::string& by) {
  const site_node::AskedDrive asked = read_question(question_of(folder));
  const auto told =
      site_node::told_drive(drive, asked.actuators, asked.measured, asked.limits);
  if (const auto* why = std::get_if<std::string>(&told)) return *why;
  const ActuatorVector& value = std::get<ActuatorVector>(told);
  std::string text = by + "\n";
  for (Eigen::Index i = 0; i < value.size(); ++i)
    text += digits(value[i]) + " " + digits(asked.measured[i]) + "\n";
  keep_file(reply_of(folder), text);
  move_file(question_of(folder), question_of(folder) + ".answered");
  return {};
}

}  // namespace trestle::composition
