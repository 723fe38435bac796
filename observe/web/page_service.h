#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "observe/web/access.h"
#include "observe/web/key_file.h"
#include "observe/web/live_client.h"
#include "observe/web/loop_curve.h"
#include "observe/web/node_link.h"
#include "observe/web/record_json.h"
#include "observe/web/watched_record.h"
#include "observe/web/work_history.h"

namespace trestle::web {

/// What the service needs of an HTTP request.
struct WebRequest {
  std::string method;
  std::string target;
  std::string host;
  std::string origin;  ///< empty: none was sent
  std::string cookie;
  std::string authorization;
  std::string body;
  std::string address;  ///< of the other end, without its port
};

struct WebAnswer {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::string_view file = {};  ///< in place of `body`
  std::string cookie = {};     ///< Set-Cookie; empty: none
  /// Content-Security-Policy; empty: the page's.
  std::string_view policy = {};
};

/// The page's server without its sockets: who may look, what each address answers, which
/// pages are connected. docs/reference/live-messages.md has the addresses.
///
/// Thread: one at a time.
class PageService {
 public:
  struct Settings {
    std::vector<std::string> folders;     ///< one or two
    std::vector<AccessKey> keys;          ///< that hold until the server ends
    std::string key_file{};               ///< of more keys, read again when it changes
    std::vector<std::string> allow;       ///< "hold", "stop"
    std::vector<std::string> host_names;  ///< of this host
    std::string software;                 ///< version of the program
    std::string cookie = "trestle";       ///< its name: cookies know no ports
    bool encrypted = false;               ///< the page comes by TLS
    /// Begins the report of the folders, and returns it once it is made; throws
    /// std::runtime_error with one sentence. Empty: this server has none.
    std::function<std::optional<std::string>()> report{};
  };

  /// @param nodes  of the folders, in their order; pages command the first. Outlive this.
  /// @throws std::runtime_error with one sentence if the file of keys cannot be read
  PageService(Settings settings, std::vector<NodeLink*> nodes);

  /// Reads what is new. @param now  of a steady clock [s]
  void look(double now);

  WebAnswer answer(const WebRequest& request, double now);

  /// A page wants to connect to `/live`.
  /// @returns 101: it may, and `visitor` says who it is; else the status to answer
  unsigned admit(const WebRequest& request, double now, Visitor& visitor);
  std::shared_ptr<LiveClient> connect(const Visitor& visitor, const std::string& address);
  /// Connected pages.
  std::size_t clients() const;
  std::size_t clients_from(const std::string& address) const;

 private:
  void look_at_keys();
  bool is_allowed_origin(const WebRequest& request) const;
  Access::Answer check(const WebRequest& request, double now);
  std::string_view cookie_of(const WebRequest& request) const;
  WebAnswer login(const WebRequest& request, double now);
  WebAnswer api(const std::string& path, const std::string& query);
  WebAnswer work(std::size_t record, std::int64_t index);
  WebAnswer loop(std::size_t record, const std::string& actuator, const LoopWanted& wanted);
  WebAnswer page(const std::string& path) const;
  WebAnswer metrics();
  WebAnswer report();

  Settings settings_;
  std::vector<NodeLink*> nodes_;  // one a record
  KeyFile key_file_;
  Access access_;
  WatchedRecords records_;
  std::vector<std::weak_ptr<LiveClient>> clients_;
  std::uint64_t last_client_ = 0;
  struct Work {
    std::string session;
    WorkHistory history;
  };
  std::map<std::size_t, Work> work_;  // by record, once somebody has asked for it
  struct Loop {
    std::string session;
    LoopCurve curve;
  };
  std::map<std::pair<std::size_t, std::size_t>, Loop> loops_;  // by record and actuator
};

}  // namespace trestle::web
