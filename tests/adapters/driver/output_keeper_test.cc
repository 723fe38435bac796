#include "adapters/driver_program/output_keeper.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "adapters/plugin/monotonic_ns.h"

namespace trestle::driver_program {
namespace {

/// A plug-in, which notes what it is told; a site that is played by hand.
struct Outputs {
  std::vector<std::uint32_t> told;
  trestle_contacts_v1 contacts{sizeof(trestle_contacts_v1), 0, nullptr, nullptr,
                               [](void* rig, std::uint32_t closed) {
                                 static_cast<Outputs*>(rig)->told.push_back(closed);
                               }};
  trestle_adapter_v1 table{};
  std::unique_ptr<driver::DriverPage> page = std::make_unique<driver::DriverPage>();
  DriverLog log{STDERR_FILENO};
  HoldKeeper holds{table, this, *page, log};
  OutputKeeper keeper{table, this, *page, holds, log};

  Outputs() {
    table.contacts = &contacts;
    table.hold = [](void*) {
    };
  }
  void ask(std::uint64_t word) {
    page->outputs = word;
    page->outputs_asked += 1;
    keeper.look();
  }
};

TEST(OutputKeeper, SetsWhatTheSiteAsksForAndOpensAllOfACorruptedWord) {
  Outputs outputs;
  outputs.keeper.look();
  outputs.ask(driver::outputs_word(2));
  outputs.keeper.look();
  outputs.ask(7);
  EXPECT_EQ(outputs.told, (std::vector<std::uint32_t>{2, 0}));
}

/// The thread of the keeper of holds never ends: what it uses stays.
TEST(OutputKeeper, OpensAllOnceForASilenceAndNotAgainWhenTheSiteIsBack) {
  Outputs& outputs = *new Outputs;
  outputs.ask(driver::outputs_word(3));
  outputs.page->watchdog_ns = 1;
  outputs.holds.moves();
  std::thread([&outputs] { outputs.holds.run(); }).detach();
  const std::int64_t end = plugin::monotonic_ns() + 60'000'000'000;
  while (outputs.told.size() < 2 && plugin::monotonic_ns() < end) outputs.keeper.look();
  EXPECT_EQ(outputs.told, (std::vector<std::uint32_t>{3, 0}));
  outputs.holds.hold_again();  // the first drive of a site that is back
  outputs.ask(driver::outputs_word(1));
  outputs.keeper.look();
  EXPECT_EQ(outputs.told, (std::vector<std::uint32_t>{3, 0, 1}));
}

/// What comes later would be told to a rig that is closed.
TEST(OutputKeeper, SetsNothingBehindItsEnd) {
  Outputs outputs;
  outputs.ask(driver::outputs_word(2));
  EXPECT_TRUE(outputs.keeper.end());
  outputs.ask(driver::outputs_word(3));
  outputs.keeper.open_all();
  outputs.keeper.look();
  EXPECT_EQ(outputs.told, std::vector<std::uint32_t>{2});
  EXPECT_TRUE(outputs.keeper.end());
}

}  // namespace
}  // namespace trestle::driver_program
