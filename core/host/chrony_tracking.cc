#include "core/host/chrony_tracking.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

namespace trestle::host {
namespace {

// chrony's client.c, process_cmd_tracking(): the meaning of each column.
constexpr std::size_t kColumns = 14;
constexpr std::size_t kReference = 1;
constexpr std::size_t kStratum = 2;
constexpr std::size_t kSystemTime = 4;
constexpr std::size_t kSkew = 9;
constexpr std::size_t kRootDelay = 10;
constexpr std::size_t kRootDispersion = 11;
constexpr std::size_t kLeapStatus = 13;

// Larger is no number of a synchronised clock (kernel and chronyd give up at 16 s).
constexpr double kGivenUp = 16.0;

std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> columns(1);
  for (const char letter : line.substr(0, line.find_first_of("\r\n")))
    if (letter == ',')
      columns.emplace_back();
    else
      columns.back() += letter;
  return columns;
}

std::optional<double> number(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0.0;
  if (!(stream >> value) || !stream.eof() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Error malformed(std::string_view line) {
  return {ErrorCode::kMalformed, "chronyc says what is no line of `chronyc -c tracking`: " +
                                     std::string(line.substr(0, 80))};
}

}  // namespace

Result<ChronyTracking> parse_chrony_tracking(std::string_view line) {
  const std::vector<std::string> columns = columns_of(line);
  if (columns.size() < kColumns) return malformed(line);
  const auto stratum = number(columns[kStratum]);
  const auto ahead = number(columns[kSystemTime]);
  const auto skew = number(columns[kSkew]);
  const auto delay = number(columns[kRootDelay]);
  const auto dispersion = number(columns[kRootDispersion]);
  if (!stratum || !ahead || !skew || !delay || !dispersion || *dispersion < 0.0)
    return malformed(line);
  if (columns[kLeapStatus] == "Not synchronised" || *stratum < 1.0 || *stratum > 15.0)
    return Error{ErrorCode::kUnavailable,
                 "chronyd runs but has not synchronised the clock"};
  const double bound = std::abs(*ahead) + *dispersion + 0.5 * std::max(*delay, 0.0);
  if (bound >= kGivenUp)
    return Error{ErrorCode::kUnavailable, "chronyd states an error above 16 s"};
  ChronyTracking tracking;
  tracking.reference = columns[kReference];
  tracking.stratum = static_cast<int>(*stratum);
  tracking.bound = Duration(static_cast<std::int64_t>(std::ceil(bound * 1e9)));
  tracking.skew = std::abs(*skew) * 1e-6;
  return tracking;
}

Result<ChronyTracking> query_chrony() {
  struct Close {
    void operator()(FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<FILE, Close> pipe(
      popen("chronyc -n -c tracking 2>/dev/null", "re"));
  std::array<char, 512> line{};
  if (pipe == nullptr || std::fgets(line.data(), line.size(), pipe.get()) == nullptr)
    return Error{ErrorCode::kUnavailable, "chronyc is not installed"};
  if (std::string_view(line.data()).find(',') == std::string_view::npos)
    return Error{ErrorCode::kUnavailable, "chronyd does not run"};
  return parse_chrony_tracking(line.data());
}

}  // namespace trestle::host
