#include "cli/commands/watch_server.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cli/commands/folder_link.h"
#include "cli/commands/report_maker.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "core/base/sha256.h"
#include "core/host/person.h"
#include "core/host/state_folder.h"
#include "observe/web/page_service.h"
#include "observe/web/tls_files.h"
#include "observe/web/web_server.h"

namespace trestle::cli {
namespace {

constexpr int kServerNiceness = 10;
constexpr std::size_t kShortestToken = 32;
constexpr std::size_t kLongestTokenInFile = 128;

struct ListenPlace {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;
};

bool is_own(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

std::optional<ListenPlace> read_place(std::string text) {
  ListenPlace place;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) {
    place.address = text.substr(0, colon);
    text = text.substr(colon + 1);
    if (place.address == "localhost") place.address = "127.0.0.1";
    if (place.address.starts_with('[') && place.address.ends_with(']'))
      place.address = place.address.substr(1, place.address.size() - 2);
  }
  const auto read = std::from_chars(text.data(), text.data() + text.size(), place.port);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return place;
}

/// The first word of a file that nobody else may read.
/// @throws std::runtime_error with one sentence if it is no token
std::string read_token(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0)
    throw std::runtime_error("--viewer-token " + path + ": no such file");
  if ((facts.st_mode & 077U) != 0)
    throw std::runtime_error("--viewer-token " + path +
                             ": others may read it; do chmod 600 " + path);
  std::ifstream file(path);
  std::string token;
  file >> token;
  if (token.size() < kShortestToken || token.size() > kLongestTokenInFile)
    throw std::runtime_error("--viewer-token " + path + ": has " +
                             std::to_string(token.size()) +
                             " letters; a token has 32 to 128, as `openssl rand -hex 16` "
                             "makes one");
  return token;
}

/// An address as a URL has it.
std::string in_an_address(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

std::int64_t utc_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int refuse_to_serve(const std::string& sentence) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  return kExitConfiguration;
}

/// @param names  of this host in its certificate
web::PageService::Settings page_settings(const WatchServerOptions& options,
                                         const ListenPlace& place,
                                         const std::vector<std::string>& names,
                                         const std::string& token) {
  web::PageService::Settings settings;
  settings.encrypted = !options.certificate.empty();
  settings.key_file = watch_key_file();
  settings.folders = options.folders;
  settings.allow = options.allow;
  settings.host_names = names;
  settings.host_names.push_back(host::host_name());
  settings.software = software_version();
  settings.keys.push_back(
      {options.person, options.allow.empty() ? web::Role::kViewer : web::Role::kOperator,
       sha256(token), 0});
  if (!options.viewer_token.empty())
    settings.keys.push_back(
        {"", web::Role::kViewer, sha256(read_token(options.viewer_token)), 0});
  settings.cookie = "trestle_" + (place.port > 0 ? std::to_string(place.port)
                                                 : sha256(token).substr(0, 8));
  return settings;
}

/// @param certificate  null: plain
void print_address(const ListenPlace& place, std::uint16_t port, const std::string& token,
                   const web::CertificateFacts* certificate) {
  const bool own = is_own(place.address);
  std::string host = in_an_address(place.address);
  // A browser accepts a certificate under the names that are in it.
  if (certificate != nullptr && !own && !certificate->names.empty())
    host = certificate->names.front();
  std::printf("%s://%s:%u/#%s\n", certificate != nullptr ? "https" : "http", host.c_str(),
              port, token.c_str());
  std::fflush(stdout);
  if (certificate != nullptr && !certificate->problem.empty())
    std::fprintf(stderr, "%s\n", certificate->problem.c_str());
  if (certificate == nullptr && !own)
    std::fprintf(stderr,
                 "--insecure: anybody on the way can read the page and its token\n");
}

}  // namespace

std::string watch_key_file() {
  return host::state_folder() + "/watch-keys";
}

int serve_watch_page(const WatchServerOptions& options) {
  const std::optional<ListenPlace> place = read_place(options.listen);
  if (!place)
    return refuse_to_serve("--listen " + options.listen +
                           ": an address and a port, such as 127.0.0.1:8080");
  for (const std::string& verb : options.allow)
    if (verb != "hold" && verb != "stop" && verb != "note")
      return refuse_to_serve("--allow " + verb +
                             ": a page can be allowed hold, stop and note");
  if (options.certificate.empty() != options.key.empty())
    return refuse_to_serve("--tls-cert and --tls-key: TLS needs both");
  const bool encrypted = !options.certificate.empty();
  if (!is_own(place->address) && !encrypted && !options.insecure)
    return refuse_to_serve(
        "--listen " + options.listen +
        ": from another host anybody on the way could read the page and its token. Listen "
        "on 127.0.0.1 and use `ssh -L`, encrypt it with --tls-cert and --tls-key, or "
        "accept "
        "it with --insecure");
  if (const std::string problem =
          options.person.empty() ? "" : host::refusal_of_name(options.person);
      !problem.empty())
    return refuse_to_serve(problem);
  setpriority(PRIO_PROCESS, 0, kServerNiceness);  // the nodes of this host come first
  try {
    // Each record has its own process: the second of a comparison may run as well.
    std::vector<std::unique_ptr<FolderLink>> links;
    std::vector<web::NodeLink*> nodes;
    for (const std::string& folder : options.folders) {
      links.push_back(std::make_unique<FolderLink>(folder, options.person));
      nodes.push_back(links.back().get());
    }
    const std::string token = web::new_token();
    web::CertificateFacts certificate;
    if (encrypted) certificate = web::read_certificate(options.certificate, utc_seconds());
    ReportMaker reports(options.folders);
    web::PageService::Settings settings =
        page_settings(options, *place, certificate.names, token);
    settings.report = [&reports] {
      return reports.take();
    };
    web::PageService service(std::move(settings), nodes);
    web::WebServer server(service, place->address, place->port,
                          {options.certificate, options.key});
    print_address(*place, server.port(), token, encrypted ? &certificate : nullptr);
    server.run();
  } catch (const std::runtime_error& error) {
    return refuse_to_serve(error.what());
  }
  return kExitComplete;
}

}  // namespace trestle::cli
