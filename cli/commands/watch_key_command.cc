#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/commands/watch_server.h"
#include "cli/terminal/exit_code.h"
#include "core/host/person.h"
#include "observe/web/key_file.h"

namespace trestle::cli {
namespace {

constexpr std::int64_t kDay = 86400;  // [s]

struct WatchKeyOptions {
  std::string person;
  std::string role = "viewer";
  int days = 30;
};

std::int64_t now_utc() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// "until 2026-12-24 18:00 UTC"
std::string end_text(std::int64_t expires, std::int64_t now) {
  if (expires == 0) return "without end";
  const std::time_t seconds = expires;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[40] = {};
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
  return (expires > now ? "until " : "expired on ") + std::string(text);
}

/// Runs `what`, and prints the sentence of what it throws.
template <typename Action>
int with_sentence(Action what) {
  try {
    return what();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

int add_key(const WatchKeyOptions& options) {
  const std::string problem = options.person.empty()
                                  ? "NAME must be a person's name"
                                  : host::refusal_of_name(options.person);
  if (!problem.empty()) {
    std::fprintf(stderr, "NAME%s\n", problem.substr(problem.find(' ')).c_str());
    return kExitConfiguration;
  }
  return with_sentence([&options] {
    const std::int64_t now = now_utc();
    const std::int64_t expires = options.days == 0 ? 0 : now + options.days * kDay;
    const bool commands = options.role == "operator";
    web::KeyFile file(watch_key_file());
    const std::string token = file.add(
        options.person, commands ? web::Role::kOperator : web::Role::kViewer, expires);
    std::printf("%s\n", token.c_str());
    std::fprintf(
        stderr,
        "the token of %s (%s), %s. It is shown this once. %s opens the address that "
        "`trestle watch --listen` prints, with this token behind the #%s\n",
        options.person.c_str(), options.role.c_str(), end_text(expires, now).c_str(),
        options.person.c_str(),
        commands ? ". What an operator may do, `--allow` says" : "");
    return kExitComplete;
  });
}

int list_keys() {
  return with_sentence([] {
    web::KeyFile file(watch_key_file());
    const auto keys = file.read();
    if (keys.empty()) std::printf("no keys in %s\n", file.path().c_str());
    for (const web::AccessKey& key : keys)
      std::printf("%-24s %-9s %s\n", key.person.c_str(),
                  std::string(web::name(key.role)).c_str(),
                  end_text(key.expires, now_utc()).c_str());
    return kExitComplete;
  });
}

int remove_key(const std::string& person) {
  return with_sentence([&person] {
    web::KeyFile file(watch_key_file());
    if (!file.remove(person)) {
      std::fprintf(stderr,
                   "%s has no key of %s; `trestle watch-key list` shows whom it has\n",
                   file.path().c_str(), person.c_str());
      return kExitConfiguration;
    }
    std::printf("%s sees no page of this host any more\n", person.c_str());
    return kExitComplete;
  });
}

}  // namespace

void add_watch_key_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<WatchKeyOptions>();
  CLI::App* const group =
      app.add_subcommand("watch-key", "tokens of the persons who may look at pages");
  group->require_subcommand(1);
  group->footer(
      "A page that is open closes within a second when its person is removed or the time "
      "is\n"
      "over. The file is watch-keys in the state folder; it has no token, only digests.");
  CLI::App* const add = group->add_subcommand("add", "make a token for a person");
  add->add_option("name", options->person, "the person, as the audit will name her")
      ->required();
  add->add_option("--role", options->role, "viewer: looks; operator: what --allow permits")
      ->check(CLI::IsMember({"viewer", "operator"}))
      ->capture_default_str();
  add->add_option("--days", options->days, "for which it holds; 0: without end")
      ->check(CLI::Range(0, 3660))
      ->capture_default_str();
  commands.add(add, [options] { return add_key(*options); });
  CLI::App* const list = group->add_subcommand("list", "who has a token, and until when");
  commands.add(list, [] { return list_keys(); });
  CLI::App* const remove = group->add_subcommand("remove", "take a person's token away");
  remove->add_option("name", options->person, "the person")->required();
  commands.add(remove, [options] { return remove_key(options->person); });
}

}  // namespace trestle::cli
