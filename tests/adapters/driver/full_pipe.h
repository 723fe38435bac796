#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

namespace trestle::driver_program {

/// A pipe that takes no more before somebody reads: a log whose disk stands still.
class FullPipe {
 public:
  FullPipe() {
    EXPECT_EQ(pipe2(ends_.data(), O_CLOEXEC), 0);
    fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    const std::string page(4096, '.');
    while (write(ends_[1], page.data(), page.size()) > 0) {
    }
    fcntl(ends_[1], F_SETFL, 0);
  }
  ~FullPipe() {
    close(ends_[0]);
    close(ends_[1]);
  }
  FullPipe(const FullPipe&) = delete;
  FullPipe& operator=(const FullPipe&) = delete;

  int end() const { return ends_[1]; }
  /// Reads until this text comes, or long has passed. @returns what came, the filling apart
  std::string read_until(const std::string& text) const {
    const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::string all;
    std::array<char, 4096> bytes{};
    while (all.find(text) == std::string::npos && std::chrono::steady_clock::now() < last) {
      pollfd ready{ends_[0], POLLIN, 0};
      if (poll(&ready, 1, 100) <= 0) continue;
      const ssize_t count = read(ends_[0], bytes.data(), bytes.size());
      if (count <= 0) break;
      all.append(bytes.data(), static_cast<std::size_t>(count));
      all.erase(0, all.find_first_not_of('.'));
    }
    return all;
  }

 private:
  std::array<int, 2> ends_{};
};

}  // namespace trestle::driver_program
