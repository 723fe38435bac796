#include "observe/web/page_service.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "observe/metrics/test_metrics.h"
#include "observe/web/page_files.h"
#include "observe/web/record_json.h"

namespace trestle::web {
namespace {

constexpr std::size_t kMostClients = 32;
constexpr std::size_t kMostFromAddress = 8;
constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kReportPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'";
constexpr std::string_view kReportUnderWay =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta http-equiv=\"refresh\" content=\"1\"><title>Report</title></head><body>"
    "<p>The report is being made; it opens here when it is there.</p></body></html>";

std::int64_t utc_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

/// "a=b&c=d%20e" by its keys.
std::map<std::string, std::string> query_values(std::string_view query) {
  const auto decoded = [](std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      unsigned value = 0;
      if (text[i] == '%' && i + 2 < text.size() &&
          std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr ==
              text.data() + i + 3) {
        plain += static_cast<char>(value);
        i += 2;
      } else {
        plain += text[i] == '+' ? ' ' : text[i];
      }
    }
    return plain;
  };
  std::map<std::string, std::string> values;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos)
      values[decoded(pair.substr(0, equals))] = decoded(pair.substr(equals + 1));
  }
  return values;
}

bool read_index(const std::map<std::string, std::string>& values, const char* key,
                std::int64_t& number) {
  const auto found = values.find(key);
  if (found == values.end()) return true;
  const std::string& text = found->second;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= -1 &&
         number <= (std::int64_t{1} << 53);
}

WebAnswer refusal(unsigned status, const std::string& sentence) {
  return {.status = status, .body = sentence + "\n"};
}

std::vector<AccessKey> joined(std::vector<AccessKey> keys, std::vector<AccessKey> more) {
  std::move(more.begin(), more.end(), std::back_inserter(keys));
  return keys;
}

WebAnswer json_answer(std::string text) {
  return {.type = std::string(kJsonType), .body = std::move(text)};
}

}  // namespace

PageService::PageService(Settings settings, std::vector<NodeLink*> nodes)
    : settings_(std::move(settings)),
      nodes_(std::move(nodes)),
      key_file_(settings_.key_file),
      access_(settings_.keys) {
  access_.replace(joined(settings_.keys, key_file_.read()));
  for (const std::string& folder : settings_.folders)
    records_.push_back(std::make_unique<WatchedRecord>(folder));
}

/// A person who was taken out of the file, or whose time is over, sees nothing from now on.
void PageService::look_at_keys() {
  if (key_file_.changed()) {
    std::vector<AccessKey> keys;
    try {
      keys = key_file_.read();
    } catch (const std::runtime_error&) {
      keys.clear();  // nobody knows what it says: the keys of the start alone
    }
    access_.replace(joined(settings_.keys, std::move(keys)));
  }
  const std::int64_t utc = utc_seconds();
  for (const std::weak_ptr<LiveClient>& one : clients_)
    if (const auto client = one.lock();
        client != nullptr && !client->settings().visitor.key.empty() &&
        !access_.still_holds(client->settings().visitor, utc))
      client->dismiss();
}

void PageService::look(double now) {
  look_at_keys();
  for (std::size_t i = 0; i < records_.size(); ++i)
    records_[i]->look(now, nodes_[i]->newest());
  std::erase_if(clients_,
                [](const std::weak_ptr<LiveClient>& one) { return one.expired(); });
  for (const CommandOutcome& outcome : nodes_.front()->take_outcomes())
    for (const std::weak_ptr<LiveClient>& one : clients_)
      if (const auto client = one.lock();
          client != nullptr && client->settings().number == outcome.client)
        client->tell(outcome);
}

/// A plain server may be reached through one that encrypts.
bool PageService::is_allowed_origin(const WebRequest& request) const {
  return request.origin == "https://" + request.host ||
         (!settings_.encrypted && request.origin == "http://" + request.host);
}

std::string_view PageService::cookie_of(const WebRequest& request) const {
  std::string_view text = request.cookie;
  const std::string key = settings_.cookie + "=";
  while (!text.empty()) {
    std::string_view one = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(key)) return one.substr(key.size());
  }
  return {};
}

Access::Answer PageService::check(const WebRequest& request, double now) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view stated = request.authorization;
  if (stated.starts_with(kBearer))
    return access_.check(stated.substr(kBearer.size()), request.address, now,
                         utc_seconds());
  if (const auto visitor = access_.find(cookie_of(request), utc_seconds()))
    return {Access::Outcome::kGranted, *visitor};
  return {};
}

WebAnswer PageService::answer(const WebRequest& request, double now) {
  if (!is_own_host(request.host, settings_.host_names))
    return refusal(403, "this server does not go by that name");
  const std::string path = request.target.substr(0, request.target.find('?'));
  const std::string query =
      request.target.substr(std::min(path.size() + 1, request.target.size()));
  if (request.method == "POST") {
    if (path != "/api/login") return refusal(404, "no such address");
    return login(request, now);
  }
  if (request.method != "GET" && request.method != "HEAD")
    return refusal(405, "GET and POST only");
  if (path == "/healthz") return {.body = "ok\n"};
  const bool guarded = path.starts_with("/api/") || path == "/metrics" || path == "/report";
  if (!guarded) return page(path);
  switch (check(request, now).outcome) {
    case Access::Outcome::kClosed:
      return refusal(429, "too many wrong tokens from this address; wait a minute");
    case Access::Outcome::kWrong:
      return refusal(401, "use the address that `trestle watch` printed, with its token");
    case Access::Outcome::kGranted:
      break;
  }
  if (path == "/metrics") return metrics();
  try {
    return path == "/report" ? report() : api(path, query);
  } catch (const std::runtime_error& error) {
    return refusal(503, error.what());
  }
}

WebAnswer PageService::login(const WebRequest& request, double now) {
  if (!is_allowed_origin(request)) return refusal(403, "from a foreign page");
  const auto body = nlohmann::json::parse(request.body, nullptr, false);
  if (!body.is_object() || !body.contains("token") || !body["token"].is_string())
    return refusal(400, "the body is no object with a `token`");
  const std::string token = body["token"].get<std::string>();
  switch (access_.check(token, request.address, now, utc_seconds()).outcome) {
    case Access::Outcome::kClosed:
      return refusal(429, "too many wrong tokens from this address; wait a minute");
    case Access::Outcome::kWrong:
      return refusal(401, "the token is wrong or has expired");
    case Access::Outcome::kGranted:
      break;
  }
  return {.status = 204,
          .body = {},
          .cookie = settings_.cookie + "=" + token + "; Path=/; HttpOnly; SameSite=Strict" +
                    (settings_.encrypted ? "; Secure" : "")};
}

WebAnswer PageService::api(const std::string& path, const std::string& query) {
  const std::map<std::string, std::string> values = query_values(query);
  std::int64_t number = 0;
  if (!read_index(values, "record", number) || number < 0 ||
      static_cast<std::size_t>(number) >= records_.size())
    return refusal(404, "no such record");
  WatchedRecord& record = *records_[static_cast<std::size_t>(number)];
  if (path == "/api/run") return json_answer(run_json(record, records_.size()));
  if (path == "/api/events") {
    std::int64_t after = 0;
    if (!read_index(values, "after", after)) return refusal(400, "`after` is no number");
    return json_answer(events_json(record, after));
  }
  if (path == "/api/work") {
    std::int64_t to = 0;
    if (!read_index(values, "to", to)) return refusal(400, "`to` is no index");
    return work(static_cast<std::size_t>(number), to);
  }
  if (path == "/api/loop") {
    LoopWanted wanted;
    std::int64_t generation = 0;
    if (!read_index(values, "to", wanted.to) ||
        !read_index(values, "after", wanted.after) ||
        !read_index(values, "generation", generation))
      return refusal(400, "`to`, `after` or `generation` is no index");
    wanted.generation = static_cast<std::uint64_t>(generation);
    const auto actuator = values.find("actuator");
    return loop(static_cast<std::size_t>(number),
                actuator == values.end() ? "" : actuator->second, wanted);
  }
  if (path != "/api/rows") return refusal(404, "no such address");
  RowsWanted wanted;
  if (!read_index(values, "from", wanted.from) || !read_index(values, "to", wanted.to))
    return refusal(400, "`from` or `to` is no index");
  const auto stream = values.find("stream");
  wanted.stream = stream == values.end() ? "result" : stream->second;
  if (const auto channels = values.find("channels"); channels != values.end()) {
    std::string_view rest = channels->second;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      wanted.channels.emplace_back(one);
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    }
  }
  Result<std::string> rows = rows_json(record, wanted);
  if (!rows)
    return refusal(rows.error().code == ErrorCode::kRefused ? 413 : 404,
                   rows.error().detail);
  return json_answer(rows.value());
}

WebAnswer PageService::work(std::size_t record, std::int64_t index) {
  WatchedRecord& watched = *records_[record];
  const std::vector<live::ActuatorView>& actuators = watched.view().actuators;
  const RowStore* const rows = watched.rows("result");
  if (rows == nullptr) return refusal(404, "the record has no steps yet");
  const std::string session = watched.journal()->meta("session").value_or("");
  auto found = work_.find(record);
  if (found == work_.end() || found->second.session != session ||
      found->second.history.actuators() != actuators.size()) {
    std::vector<WorkHistory::Columns> columns =
        work_columns(actuators, watched.journal()->channels("result"));
    if (columns.empty()) return refusal(404, "the record has no actuators");
    found = work_.insert_or_assign(record, Work{session, WorkHistory(std::move(columns))})
                .first;
  }
  WorkHistory& history = found->second.history;
  const std::int64_t reached = history.read_to(index, *rows);
  return json_answer(work_json(actuators, reached, history.values()));
}

WebAnswer PageService::loop(std::size_t record, const std::string& actuator,
                            const LoopWanted& wanted) {
  WatchedRecord& watched = *records_[record];
  const std::vector<live::ActuatorView>& actuators = watched.view().actuators;
  const RowStore* const rows = watched.rows("result");
  if (rows == nullptr) return refusal(404, "the record has no steps yet");
  const auto named = std::find_if(actuators.begin(), actuators.end(), [&](const auto& one) {
    return one.site + " " + one.name == actuator;
  });
  if (named == actuators.end())
    return refusal(404, "the record has no actuator `" + actuator + "`");
  const auto place = static_cast<std::size_t>(named - actuators.begin());
  const std::string session = watched.journal()->meta("session").value_or("");
  auto found = loops_.find({record, place});
  if (found == loops_.end() || found->second.session != session) {
    const std::vector<WorkHistory::Columns> columns =
        work_columns(actuators, watched.journal()->channels("result"));
    if (columns.empty()) return refusal(404, "the record has no force over displacement");
    found =
        loops_.insert_or_assign({record, place}, Loop{session, LoopCurve(columns[place])})
            .first;
  }
  const std::int64_t reached = found->second.curve.read_to(wanted.to, *rows);
  return json_answer(loop_json(found->second.curve, reached, wanted));
}

WebAnswer PageService::page(const std::string& path) const {
  const std::string_view name =
      path == "/" ? "index.html" : std::string_view(path).substr(1);
  for (const PageFile& file : page_files())
    if (file.name == name)
      return {.type = std::string(file.type), .body = {}, .file = file.bytes};
  return refusal(404, "no such address");
}

WebAnswer PageService::metrics() {
  WatchedRecord& record = *records_.front();
  metrics::TestMetrics facts;
  facts.version = settings_.software;
  facts.state = record.state();
  if (record.journal() != nullptr) {
    facts.session = record.journal()->meta("session").value_or("").substr(0, 8);
    facts.lost_rows = record.journal()->meta("lost_rows").value_or("0");
  }
  facts.highest = record.take_highest();
  facts.rows_behind = record.rows_behind();
  facts.accounts = record.accounts();
  for (const NumberedEvent& event : record.events())
    if (event.event.kind == "state" &&
        event.event.text.find("HOLDING") != std::string::npos)
      ++facts.holds;
  std::error_code none;
  const auto space = std::filesystem::space(record.folder(), none);
  if (!none) facts.disk_free = static_cast<double>(space.available);
  for (const std::weak_ptr<LiveClient>& one : clients_)
    if (const auto client = one.lock())
      ++(client->settings().visitor.role == Role::kOperator ? facts.operators
                                                            : facts.viewers);
  return {.type = "text/plain; version=0.0.4; charset=utf-8",
          .body = metrics::metrics_text(record.view(), facts)};
}

/// A separate document: its style is in it, and it loads nothing.
WebAnswer PageService::report() {
  if (!settings_.report) return refusal(404, "this server makes no report");
  std::optional<std::string> document = settings_.report();
  return {.type = "text/html; charset=utf-8",
          .body = document ? std::move(*document) : std::string(kReportUnderWay),
          .policy = kReportPolicy};
}

unsigned PageService::admit(const WebRequest& request, double now, Visitor& visitor) {
  if (!is_own_host(request.host, settings_.host_names) || !is_allowed_origin(request))
    return 403;
  const Access::Answer checked = check(request, now);
  if (checked.outcome == Access::Outcome::kClosed) return 429;
  if (checked.outcome != Access::Outcome::kGranted) return 401;
  if (clients() >= kMostClients) return 503;
  // Those who come through a tunnel all have this host's own address.
  if (!is_loopback(request.address) && clients_from(request.address) >= kMostFromAddress)
    return 503;
  visitor = checked.visitor;
  return 101;
}

std::shared_ptr<LiveClient> PageService::connect(const Visitor& visitor,
                                                 const std::string& address) {
  auto client = std::make_shared<LiveClient>(
      LiveClient::Settings{++last_client_, visitor, address, settings_.allow}, records_,
      *nodes_.front());
  clients_.push_back(client);
  return client;
}

std::size_t PageService::clients() const {
  return static_cast<std::size_t>(
      std::count_if(clients_.begin(), clients_.end(),
                    [](const std::weak_ptr<LiveClient>& one) { return !one.expired(); }));
}

std::size_t PageService::clients_from(const std::string& address) const {
  std::size_t count = 0;
  for (const std::weak_ptr<LiveClient>& one : clients_)
    if (const auto client = one.lock())
      count += client->settings().address == address ? 1U : 0U;
  return count;
}

}  // namespace trestle::web
