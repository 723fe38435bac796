#include "tests/adapters/driver/stubborn_driver.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace trestle::driver::driver_test {

StubbornDriver::StubbornDriver(const std::string& name)
    : folder_(::testing::TempDir() + "trestle-driver-" + name + "-" +
              std::to_string(getpid())) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
  settings.file = std::string(TRESTLE_TEST_PLUGINS) + "/stubborn.so";
  settings.settings = "log: " + folder_ + "/log\nstick: " + folder_ + "/stick\n";
  settings.folder = folder_ + "/driver";
  settings.limits = {{0.1, 10.0}};
  settings.overruns = 9;
}

StubbornDriver::~StubbornDriver() {
  stick("");
  rig_.reset();
  try {
    end_orphan(settings);  // where a test failed
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  std::filesystem::remove_all(folder_);
}

void StubbornDriver::open() {
  auto proxy = std::make_unique<DriverProxy>(settings, "adapter");
  proxy_ = proxy.get();
  plugin::PluginRigSettings of_rig;
  of_rig.file = settings.file;
  of_rig.overruns = settings.overruns;
  rig_ = std::make_unique<plugin::PluginRig>(of_rig, std::move(proxy),
                                             std::make_unique<TickClock>(), "adapter");
  rig_->prepare({kTick, 1});
}

bool StubbornDriver::tick(double drive) {
  Measurement sensed = Measurement::zero(1);
  const TimePoint now{std::chrono::milliseconds(20 * ticks_++)};
  return rig_->read(now, sensed) == AdapterStatus::kOk &&
         rig_->write(ActuatorVector::Constant(1, drive)) == AdapterStatus::kOk;
}

void StubbornDriver::stick(const std::string& function) const {
  const std::string file = folder_ + "/stick";
  std::ofstream(file + ".new") << function;
  std::filesystem::rename(file + ".new", file);
}

std::vector<std::string> StubbornDriver::log() const {
  std::ifstream file(folder_ + "/log");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

int StubbornDriver::last(const std::string& entry) const {
  const std::vector<std::string> lines = log();
  for (int n = static_cast<int>(lines.size()) - 1; n >= 0; --n)
    if (lines[static_cast<std::size_t>(n)].starts_with(entry)) return n;
  return -1;
}

bool eventually(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

bool has_ended(pid_t process) {
  if (waitpid(process, nullptr, WNOHANG) == process) return true;
  // A process of another parent waits for that one.
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string state;
  for (int field = 0; field < 3; ++field) file >> state;
  return !file || state == "Z";
}

}  // namespace trestle::driver::driver_test
