#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands/commands.h"
#include "cli/commands/note_writer.h"
#include "cli/commands/operated_folder.h"
#include "cli/commands/watch_server.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/curses_screen.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/local_time.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/status_text.h"
#include "observe/live/screen_text.h"
#include "observe/live/watch_page.h"

namespace trestle::cli {
namespace {

struct WatchOptions {
  std::string where;      ///< a run's folder, a site's, or a site's name
  std::string person;     ///< name that the person gave; may be empty
  bool once = false;      ///< print one screen and end
  bool plain = false;     ///< ASCII, no colour
  std::size_t width = 0;  ///< of `once`; 0: the terminal's, else 80
  std::string beside;     ///< a second folder, to compare; may be empty
  WatchServerOptions page;
};

using WatchClock = std::chrono::steady_clock;

constexpr double kBetweenQuestions = 0.25;  // asks four times a second [s]
constexpr int kBetweenScreens = 200;        // [ms]
constexpr Duration kPatienceForAnswer = std::chrono::milliseconds(150);
constexpr double kShortestWindow = 0.5;  // [s]
constexpr double kLongestWindow = 1e6;   // [s]
constexpr int kNiceness = 10;

double watch_seconds() {
  return std::chrono::duration<double>(WatchClock::now().time_since_epoch()).count();
}

/// The test in a folder, and the process that serves it.
class Watched {
 public:
  explicit Watched(const std::string& folder)
      : folder_(folder), test_({.folder = folder}) {}

  void look(Duration patience) {
    const double now = watch_seconds();
    if (asked_ < 0.0 || now - asked_ >= kBetweenQuestions) {
      asked_ = now;
      ask(patience);
    }
    test_.look(now, status_ ? &*status_ : nullptr);
  }

  const live::TestFollower& test() const { return test_; }
  /// Another user's process serves the test.
  bool untold() const { return untold_; }
  std::vector<std::string> sentences() const {
    if (!status_) return {problem_};
    std::vector<std::string> lines;
    for (const std::string& line : operators::why(*status_))
      lines.push_back(live::legible_line(line));
    return lines;
  }

 private:
  void ask(Duration patience) {
    const Result<std::string> line = operators::send_operator_request(
        folder_, {.verb = operators::OperatorVerb::kStatus, .reason = {}}, patience);
    if (!line) {
      // A process that is busy has not gone away.
      if (line.error().code == ErrorCode::kTimedOut && status_) return;
      problem_ = line.error().detail;
      untold_ = line.error().code == ErrorCode::kRefused;
      status_.reset();
      return;
    }
    const Result<operators::OperatorReply> answer = operators::read_answer(line.value());
    if (answer && answer.value().standing) status_ = answer.value().standing;
    untold_ = false;
  }

  std::string folder_;
  live::TestFollower test_;
  double asked_ = -1.0;
  std::optional<NodeStatus> status_;
  std::string problem_;
  bool untold_ = false;
};

int print_once(Watched& watched, const WatchOptions& options) {
  watched.look(std::chrono::seconds(2));
  std::size_t width = options.width;
  winsize size{};
  if (width == 0)
    width =
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  live::WatchPageState state;
  state.untold = watched.untold();
  state.local_time = local_clock();
  for (const live::ScreenRow& row :
       live::watch_page(watched.test(), watched.sentences(), state,
                        {.width = width, .height = 0, .plain = options.plain}))
    std::printf("%s\n", live::legible_line(row.text).c_str());
  return kExitComplete;
}

/// What the keys change.
class WatchKeys {
 public:
  WatchKeys(std::string folder, std::string person)
      : folder_(std::move(folder)), person_(std::move(person)) {}

  const live::WatchPageState& state() const { return state_; }

  /// @returns false: leave
  bool press(int key, const live::TestView& view) {
    if (asks_) return type(key), true;
    state_.message.clear();
    if (key == 'q') return false;
    if (key == '?') state_.help = !state_.help;
    if (key >= '1' && key <= '9') state_.actuator = static_cast<std::size_t>(key - '1');
    if (key == '+') state_.window_s = std::min(state_.window_s * 2.0, kLongestWindow);
    if (key == '-') state_.window_s = std::max(state_.window_s / 2.0, kShortestWindow);
    if (key == 'w') state_.window_s = std::max(view.time(), kShortestWindow);
    if (key == 'h') ask(/*for_note=*/false);
    if (key == 'n') ask(/*for_note=*/true);
    return true;
  }

 private:
  void ask(bool for_note) {
    asks_ = true;
    for_note_ = for_note;
    text_.clear();
    show();
  }
  void show() {
    state_.prompt = (for_note_ ? "Note (Enter writes it, Esc goes back): "
                               : "Hold the test. Reason (Enter holds, Esc goes back): ") +
                    text_;
  }

  void type(int key) {
    constexpr int kEscape = 27;
    if (key == kEscape) return close();
    if (key == '\n' || key == '\r') {
      state_.message = for_note_ ? note() : hold();
      return close();
    }
    if ((key == 8 || key == 127 || key == kBackspaceKey) && !text_.empty())
      text_.pop_back();
    if (key >= ' ' && key < 127 && text_.size() < operators::kLongestReason)
      text_ += static_cast<char>(key);
    show();
  }

  void close() {
    asks_ = false;
    state_.prompt.clear();
  }

  std::string hold() const {
    const Result<std::string> line = operators::send_operator_request(
        folder_, {.verb = operators::OperatorVerb::kHold, .reason = text_, .as = person_},
        std::chrono::seconds(5));
    if (!line) return "not told to hold: " + line.error().detail;
    const Result<operators::OperatorReply> answer = operators::read_answer(line.value());
    if (!answer) return answer.error().detail;
    return answer.value().refusal.empty()
               ? live::legible_line(answer.value().said)
               : "refused: " + live::legible_line(answer.value().refusal);
  }

  std::string note() const {
    if (text_.empty()) return "no text, no note";
    const NoteOutcome outcome =
        write_note(folder_, {.text = text_}, person_, std::chrono::seconds(5));
    return live::legible_line(outcome.problem.empty() ? outcome.said
                                                      : "not noted: " + outcome.problem);
  }

  std::string folder_;
  std::string person_;
  live::WatchPageState state_;
  bool asks_ = false;
  bool for_note_ = false;
  std::string text_;
};

int show_screen(Watched& watched, const std::string& folder, const WatchOptions& options) {
  setpriority(PRIO_PROCESS, 0, kNiceness);  // the nodes of this host come first
  CursesScreen screen(!options.plain && std::getenv("NO_COLOR") == nullptr);
  WatchKeys keys(folder, options.person);
  while (true) {
    watched.look(kPatienceForAnswer);
    live::WatchPageState state = keys.state();
    state.untold = watched.untold();
    state.local_time = local_clock();
    screen.draw(live::watch_page(watched.test(), watched.sentences(), state,
                                 {.width = screen.width(),
                                  .height = screen.height(),
                                  .plain = options.plain || !screen.shows_utf8(),
                                  .keys = true}));
    int key = screen.key(kBetweenScreens);
    for (; key != CursesScreen::kNoKey; key = screen.key(0))
      if (!keys.press(key, watched.test().view())) return kExitComplete;
  }
}

int no_such_folder(const std::string& where) {
  std::fprintf(stderr, "%s\n", no_folder(where).c_str());
  return kExitConfiguration;
}

int watch(const WatchOptions& options) {
  const std::string folder = operated_folder(options.where);
  if (folder.empty()) return no_such_folder(options.where);
  if (!options.page.listen.empty()) {
    WatchServerOptions page = options.page;
    page.person = options.person;
    page.folders = {folder};
    if (!options.beside.empty()) page.folders.push_back(operated_folder(options.beside));
    if (page.folders.back().empty()) return no_such_folder(options.beside);
    return serve_watch_page(page);
  }
  if (!options.beside.empty()) {
    std::fprintf(stderr, "a second folder is for the page: --listen 127.0.0.1:8080\n");
    return kExitConfiguration;
  }
  Watched watched(folder);
  if (options.once) return print_once(watched, options);
  const char* const term = std::getenv("TERM");
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1 || term == nullptr ||
      std::string_view(term) == "dumb") {
    std::fprintf(
        stderr,
        "this is no terminal that can show a screen; for one picture: trestle watch "
        "%s --once\n",
        folder.c_str());
    return kExitConfiguration;
  }
  return show_screen(watched, folder, options);
}

}  // namespace

void add_watch_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<WatchOptions>();
  CLI::App* const verb =
      app.add_subcommand("watch", "show a running or finished test on one screen");
  verb->add_option("where", options->where, "folder of a run or a site, or a site's name")
      ->required();
  verb->add_flag("--once", options->once, "print one screen and end");
  verb->add_flag("--plain", options->plain, "ASCII letters, no colour");
  verb->add_option("--width", options->width,
                   "columns of --once; default: the terminal's, else 80")
      ->check(CLI::Range(20, 1000));
  verb->add_option("beside", options->beside,
                   "a second folder, for the page: laid over the first");
  verb->add_option("--listen", options->page.listen,
                   "serve the page: address and port, such as 127.0.0.1:8080; port 0: any");
  verb->add_option("--allow", options->page.allow,
                   "what the page may do besides looking: hold, stop, note")
      ->delimiter(',');
  verb->add_option("--viewer-token", options->page.viewer_token,
                   "file with a lasting token of 32 letters or more, only for looking: for "
                   "Prometheus");
  verb->add_option(
      "--tls-cert", options->page.certificate,
      "with --listen: encrypt by TLS with this certificate (PEM, with those that "
      "signed it)");
  verb->add_option("--tls-key", options->page.key,
                   "the certificate's key (PEM, no passphrase, not readable by others)");
  verb->add_flag("--insecure", options->page.insecure,
                 "with --listen: other hosts may connect, without encryption");
  add_person_option(*verb, options->person);
  verb->footer(
      "Keys: 1-9 actuator, + - window, w whole time, h hold, n note, ? keys, q leave.\n"
      "Exit codes: 0 left, 2 usage, no such folder, or no terminal.");
  commands.add(verb, [options] { return watch(*options); });
}

}  // namespace trestle::cli
