#pragma once

#include <cstdint>
#include <string>

namespace equipment {

/// What happened at the equipment: a line each, `CLOCK HOST WORD key=value ...`, the
/// equipment's own time and the host's, in nanoseconds. Written out once per turn of the
/// loop; what is written outlives the process.
class RigLog {
 public:
  explicit RigLog(const std::string& path);
  ~RigLog();
  RigLog(const RigLog&) = delete;
  RigLog& operator=(const RigLog&) = delete;

  void set_clock(std::int64_t own_ns) { own_ns_ = own_ns; }
  __attribute__((format(printf, 2, 3))) void say(const char* format, ...);
  void flush();

 private:
  int file_;
  std::int64_t own_ns_ = 0;
  std::string waiting_;
};

std::int64_t host_ns();

}  // namespace equipment
