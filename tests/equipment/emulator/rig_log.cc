#include "rig_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <stdexcept>

namespace equipment {

std::int64_t host_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

RigLog::RigLog(const std::string& path)
    : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (file_ < 0) throw std::runtime_error("cannot write " + path);
}

RigLog::~RigLog() {
  flush();
  close(file_);
}

void RigLog::say(const char* format, ...) {
  char text[512];
  const int head =
      std::snprintf(text, sizeof text, "%lld %lld ", static_cast<long long>(own_ns_),
                    static_cast<long long>(host_ns()));
  va_list values;
  va_start(values, format);
  std::vsnprintf(text + head, sizeof text - static_cast<std::size_t>(head), format, values);
  va_end(values);
  waiting_ += text;
  waiting_ += '\n';
}

void RigLog::flush() {
  std::size_t done = 0;
  while (done < waiting_.size()) {
    const ssize_t wrote = write(file_, waiting_.data() + done, waiting_.size() - done);
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  waiting_.clear();
}

}  // namespace equipment
