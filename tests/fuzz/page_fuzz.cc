// Any requests and any messages from clients of the live page, one a line: every answer is
// text or JSON that can be read, a frame has the size that it states, who has no token gets
// nothing, and nobody commands what the server and his role do not allow.
//   r<method><token><target>   a request; methods G H P D; tokens v o n w, c cookie
//   h<host>, o<origin>, b<body>, k<cookie>, a<authorization>   of the requests behind it
//   c<v|o>                     a page connects, as viewer or as operator
//   m<message>                 that page says; others: time passes, and the page reads
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/sha256.h"
#include "core/journal/journal_file.h"
#include "core/types/record_names.h"
#include "observe/web/page_service.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/fuzz/promise.h"

namespace trestle {
namespace {

using nlohmann::json;

constexpr const char* kViewerToken = "00000000000000000000000000000000";
constexpr const char* kOperatorToken = "11111111111111111111111111111111";
constexpr int kRows = 3000;
constexpr std::size_t kMostLines = 200;
constexpr std::size_t kLargestText = 4'000'000;

/// The record of a test that has ended.
class FinishedRecord {
 public:
  FinishedRecord() {
    journal::JournalFile journal(folder_.file("journal.db"));
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kTest, "fuzzed");
    journal.set_meta(meta_key::kMode, "simulated");
    journal.set_meta(meta_key::kNode, kIntegratorNode);
    journal.set_meta(meta_key::kSites, "west");
    journal.set_meta(meta_key::kTimeStep, "0.01");
    journal.set_meta(meta_key::kStepsPlanned, std::to_string(kRows));
    journal.set_meta(meta_key::kEnded, "1795499727306812458");
    const int stream = journal.add_stream(
        stream_name::kResult, {{"west.1.target_m", "m"}, {"floor.x.disp_m", "m"}});
    journal.begin();
    for (int k = 0; k < kRows; ++k)
      journal.append(stream, RecordRow{k, std::vector<double>{0.1 * k, k % 7 ? 1.0 : NAN}});
    journal.commit();
    for (int k = 0; k < 20; ++k)
      journal.add_event(
          {TimePoint(std::chrono::seconds(k)), "west", "state", "RUNNING <b>\xff"});
    journal.finish();
  }
  std::string path() const { return folder_.path(); }

 private:
  testing::TemporaryFolder folder_;
};

/// Keeps the promises about what reaches the test.
class GuardedNode final : public web::NodeLink {
 public:
  web::NodeAnswer newest() override { return {}; }
  void command(const web::PageCommand& command) override {
    fuzz::promise(may_command_, "only an operator commands");
    fuzz::promise(command.verb == "note" || command.verb == "hold",
                  "only what the server allows is commanded");
    fuzz::promise(command.text.size() < 1000, "a text is bounded");
    fuzz::promise(std::none_of(command.text.begin(), command.text.end(),
                               [](char letter) { return letter >= 0 && letter < ' '; }),
                  "a text has no control characters");
    json(command.text).dump();  // throws where it is cut within a letter
    outcomes_.push_back({command.client, command.verb, "no"});
  }
  std::vector<web::CommandOutcome> take_outcomes() override {
    return std::exchange(outcomes_, {});
  }
  void expect_commands(bool may) { may_command_ = may; }

 private:
  bool may_command_ = false;
  std::vector<web::CommandOutcome> outcomes_;
};

void check_frame(const std::string& bytes) {
  fuzz::promise(bytes.size() >= 24 && bytes.starts_with("TRW1"), "a frame has its head");
  std::uint16_t channels = 0;
  std::uint32_t rows = 0;
  std::uint32_t count = 0;
  std::memcpy(&channels, bytes.data() + 6, sizeof channels);
  std::memcpy(&rows, bytes.data() + 16, sizeof rows);
  std::memcpy(&count, bytes.data() + 20, sizeof count);
  fuzz::promise(count > 0 && count <= 4096 && rows > 0, "a frame has buckets");
  const std::size_t one = std::size_t{8} * channels * count;
  fuzz::promise(bytes.size() == 24 + one || bytes.size() == 24 + 2 * one,
                "a frame has the size that it states");
  fuzz::promise(bytes.size() <= 500'024, "a frame is bounded");
}

class FuzzedPage {
 public:
  explicit FuzzedPage(const std::string& folder)
      : service_({.folders = {folder},
                  .keys = {{.person = "vera",
                            .role = web::Role::kViewer,
                            .digest = sha256(kViewerToken)},
                           {.person = "otto",
                            .role = web::Role::kOperator,
                            .digest = sha256(kOperatorToken)}},
                  .allow = {"note", "hold"},
                  .host_names = {},
                  .software = "0"},
                 {&node_}) {
    service_.look(now_);
  }

  void take(std::string_view line) {
    const char kind = line.empty() ? ' ' : line.front();
    const std::string rest(line.substr(line.empty() ? 0 : 1));
    if (kind == 'r') return request(rest);
    if (kind == 'c') return connect(rest.starts_with('o'));
    if (kind == 'm') return say(rest);
    if (kind == 'h') request_.host = rest;
    if (kind == 'o') request_.origin = rest;
    if (kind == 'b') request_.body = rest;
    if (kind == 'k') request_.cookie = rest;
    if (kind == 'a') request_.authorization = rest;
    now_ += 0.3;
    if (kind == ' ') service_.look(now_);
    read();
  }

  void read() {
    if (client_ == nullptr) return;
    for (int i = 0; i < 50; ++i) {
      const auto text = client_->next_text(now_, 0);
      if (!text) break;
      const json message = json::parse(*text);  // throws where it is none
      fuzz::promise(message.at("type").is_string(), "a message has a type");
    }
    if (const auto frame = client_->next_frame(now_)) check_frame(*frame);
  }

 private:
  void request(const std::string& words) {
    if (words.size() < 3) return;
    web::WebRequest asked = request_;
    const char method = words[0];
    asked.method = method == 'G'   ? "GET"
                   : method == 'H' ? "HEAD"
                   : method == 'P' ? "POST"
                                   : "DELETE";
    asked.target = words.substr(2);
    const char token = words[1];
    const std::string own = token == 'o' ? kOperatorToken : kViewerToken;
    if (token == 'v' || token == 'o') asked.authorization = "Bearer " + own;
    if (token == 'w') asked.authorization = "Bearer wrong";
    if (token == 'c') asked.cookie = "a=b; trestle=" + own;
    const bool known = knows_a_token(asked);
    const web::WebAnswer answer = service_.answer(asked, now_);
    fuzz::promise(answer.status >= 200 && answer.status < 600, "a status is one");
    fuzz::promise(answer.body.size() < kLargestText, "an answer is bounded");
    const bool guarded = asked.target.starts_with("/api/") || asked.target == "/metrics";
    if (guarded && answer.status == 200)
      fuzz::promise(known, "who has no token gets nothing");
    if (answer.type == "application/json")
      fuzz::promise(!json::parse(answer.body, nullptr, false).is_discarded(),
                    "an answer of JSON can be read");
    web::Visitor visitor;
    if (service_.admit(asked, now_, visitor) == 101)
      fuzz::promise(known, "who has no token does not connect");
  }

  static bool knows_a_token(const web::WebRequest& asked) {
    return (asked.authorization + asked.cookie).find(kViewerToken) != std::string::npos ||
           (asked.authorization + asked.cookie).find(kOperatorToken) != std::string::npos;
  }

  void connect(bool as_operator) {
    client_ = service_.connect(
        {"otto", as_operator ? web::Role::kOperator : web::Role::kViewer}, "127.0.0.1");
    node_.expect_commands(as_operator);
  }

  void say(const std::string& message) {
    if (client_ == nullptr) return;
    // What is refused closes the connection.
    if (!client_->take(message, now_).empty()) client_.reset();
    read();
  }

  GuardedNode node_;
  web::PageService service_;
  web::WebRequest request_{.method = {},
                           .target = {},
                           .host = "127.0.0.1:8080",
                           .origin = "http://127.0.0.1:8080",
                           .cookie = {},
                           .authorization = {},
                           .body = {},
                           .address = "127.0.0.1"};
  std::shared_ptr<web::LiveClient> client_;
  double now_ = 0.0;
};

void check(std::string_view text) {
  static const FinishedRecord record;
  FuzzedPage page(record.path());
  for (std::size_t i = 0; i < kMostLines && !text.empty(); ++i) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    page.take(line);
  }
  for (int i = 0; i < 3; ++i) page.take(" ");
}

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
