#include "tests/cli/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

namespace trestle::cli {
namespace {

// Far above what anything takes here, on a busy machine, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::chrono::seconds kPatience{350};  // many times slower there
#else
constexpr std::chrono::seconds kPatience{100};
#endif

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return {ends[0], ends[1]};
}

void drain(int& pipe, std::string& into) {
  std::array<char, 4096> bytes{};
  const ssize_t count = read(pipe, bytes.data(), bytes.size());
  if (count > 0) {
    into.append(bytes.data(), static_cast<std::size_t>(count));
    return;
  }
  close(pipe);
  pipe = -1;
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const std::string& folder)
    : Program(arguments, folder, {}) {}

Program::Program(const std::vector<std::string>& arguments, const std::string& folder,
                 const std::function<void()>& in_child) {
  const Pipe out = make_pipe();
  const Pipe err = make_pipe();
  std::vector<std::string> words{TRESTLE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> raw;
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("no process");
  if (child_ == 0) {
    dup2(out.write_end, STDOUT_FILENO);
    dup2(err.write_end, STDERR_FILENO);
    if (chdir(folder.c_str()) != 0) _exit(126);
    // No rig of another test, and no person but this one.
    setenv("TRESTLE_STATE", (folder + "/state").c_str(), 1);
    setenv("TRESTLE_AS", "ada", 1);
    if (in_child) in_child();
    execv(raw[0], raw.data());
    _exit(127);
  }
  close(out.write_end);
  close(err.write_end);
  out_pipe_ = out.read_end;
  err_pipe_ = err.read_end;
}

Program::~Program() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  if (out_pipe_ >= 0) close(out_pipe_);
  if (err_pipe_ >= 0) close(err_pipe_);
}

bool Program::read_some(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  if (left.count() <= 0) return false;
  std::array<pollfd, 2> pipes{pollfd{out_pipe_, POLLIN, 0}, pollfd{err_pipe_, POLLIN, 0}};
  if (poll(pipes.data(), pipes.size(), static_cast<int>(left.count())) <= 0) return false;
  if (pipes[0].revents != 0) drain(out_pipe_, out_);
  if (pipes[1].revents != 0) drain(err_pipe_, err_);
  return true;
}

bool Program::says(const std::string& text) {
  const Clock::time_point deadline = Clock::now() + kPatience;
  while (true) {
    const std::size_t found = err_.find(text, heard_);
    if (found != std::string::npos) {
      heard_ = found + text.size();
      return true;
    }
    if (err_pipe_ < 0 || !read_some(deadline)) return false;
  }
}

const std::string& Program::heard() {
  while (err_pipe_ >= 0 && read_some(Clock::now() + std::chrono::milliseconds(20))) {
  }
  return err_;
}

void Program::stop_reading() {
  for (int* pipe : {&out_pipe_, &err_pipe_}) {
    if (*pipe >= 0) close(*pipe);
    *pipe = -1;
  }
}

void Program::signal(int number) const {
  if (child_ > 0) kill(child_, number);
}

int Program::exit_code() {
  const Clock::time_point deadline = Clock::now() + kPatience;
  while (out_pipe_ >= 0 || err_pipe_ >= 0)
    if (!read_some(deadline)) return -1;
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace trestle::cli
