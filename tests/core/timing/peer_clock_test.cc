#include "core/timing/peer_clock.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::timing::exchange_book_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// Two ends whose clocks differ, with messages of known delay between them.
struct Ends {
  Duration ahead = seconds(3600);  ///< the site's clock
  Duration there = microseconds(400);
  Duration back = microseconds(100);
  TimePoint now{seconds(10)};  ///< on the integrator's clock
  PeerClock integrator;
  PeerClock site;

  void to_site() {
    const SyncTimestamps stamps = integrator.outgoing(now);
    now += there;
    site.incoming(stamps, now + ahead);
  }
  void to_integrator() {
    const SyncTimestamps stamps = site.outgoing(now + ahead);
    now += back;
    integrator.incoming(stamps, now);
  }
  void rounds(int count) {
    for (int n = 0; n < count; ++n) {
      to_site();
      to_integrator();
      now += milliseconds(10);
    }
  }
};

TEST(PeerClock, KnowsNothingBeforeAnExchangeIsComplete) {
  Ends ends;
  ends.to_site();
  EXPECT_FALSE(ends.site.known()) << "only one way was gone";
  EXPECT_EQ(ends.site.bound(ends.now), Duration::max());
  ends.to_integrator();
  EXPECT_TRUE(ends.integrator.known());
  EXPECT_EQ(ends.integrator.exchanges(), 1);
  EXPECT_FALSE(ends.site.known());
  ends.to_site();
  EXPECT_TRUE(ends.site.known());
}

TEST(PeerClock, FindsTheOtherClockAtBothEndsWithinItsBound) {
  Ends ends;
  ends.rounds(20);
  const Duration there = ends.integrator.offset(ends.now) - ends.ahead;
  const Duration here = ends.site.offset(ends.now + ends.ahead) + ends.ahead;
  EXPECT_LE(std::abs(there.count()), ends.integrator.bound(ends.now).count());
  EXPECT_LE(std::abs(here.count()), ends.site.bound(ends.now + ends.ahead).count());
  // Half a round trip of 0.5 ms; the site's holds 10 ms more, which its stamps take out.
  EXPECT_LE(ends.integrator.bound(ends.now), microseconds(300));
  EXPECT_LE(ends.site.bound(ends.now + ends.ahead), microseconds(300));
  const TimePoint session_zero{seconds(9)};
  EXPECT_LE(std::abs((ends.site.to_own(session_zero) - session_zero - ends.ahead).count()),
            ends.site.bound(ends.now + ends.ahead).count() + 1);
}

TEST(PeerClock, BearsMessagesTwiceLateAndWithoutStamps) {
  Ends ends;
  ends.rounds(5);
  const SyncTimestamps old = ends.integrator.outgoing(ends.now);
  ends.rounds(5);
  ends.site.incoming(old, ends.now + ends.ahead);  // an old one overtaken, 50 ms late
  ends.site.incoming(old, ends.now + ends.ahead);
  ends.to_integrator();  // and its echo
  ends.site.incoming({}, ends.now + ends.ahead);
  ends.rounds(5);
  EXPECT_LE(std::abs((ends.integrator.offset(ends.now) - ends.ahead).count()),
            ends.integrator.bound(ends.now).count());
  EXPECT_LE(std::abs((ends.site.offset(ends.now + ends.ahead) + ends.ahead).count()),
            ends.site.bound(ends.now + ends.ahead).count());
  EXPECT_LE(ends.site.bound(ends.now + ends.ahead), microseconds(300));
}

TEST(PeerClock, ForgetsARestartedEnd) {
  Ends ends;
  ends.rounds(5);
  ends.integrator.restart();
  EXPECT_FALSE(ends.integrator.known());
  EXPECT_EQ(ends.integrator.exchanges(), 0);
  const SyncTimestamps fresh = ends.integrator.outgoing(ends.now);
  EXPECT_EQ(fresh.origin, TimePoint{});
  ends.site = PeerClock();
  ends.ahead = -seconds(5);
  ends.rounds(5);
  EXPECT_LE(std::abs((ends.integrator.offset(ends.now) - ends.ahead).count()),
            ends.integrator.bound(ends.now).count());
}

TEST(PeerClock, IsExactWhereThereIsOneClock) {
  PeerClock book(true);
  EXPECT_TRUE(book.known());
  book.incoming({TimePoint(seconds(5)), TimePoint(seconds(1)), TimePoint(seconds(3))},
                TimePoint(seconds(2)));
  EXPECT_EQ(book.offset(TimePoint(seconds(7))), Duration::zero());
  EXPECT_EQ(book.bound(TimePoint(seconds(7))), Duration::zero());
  EXPECT_EQ(book.to_own(TimePoint(seconds(7))), TimePoint(seconds(7)));
  EXPECT_EQ(book.outgoing(TimePoint(seconds(8))).origin, TimePoint(seconds(5)))
      << "stamps ride on, for the other end's ledger";
}

TEST(PeerClock, GoesByTheHostsClocksWhereItIsTold) {
  Ends ends;
  ends.rounds(5);
  ends.integrator.use_system_clocks(true);
  EXPECT_FALSE(ends.integrator.known()) << "exchanges do not count";
  EXPECT_EQ(ends.integrator.bound(ends.now), Duration::max());
  const TimePoint utc{seconds(1'700'000'000)};
  ends.integrator.update_from_system_clocks({ends.now, utc, microseconds(20)},
                                            {ends.now + ends.ahead, utc, microseconds(30)});
  EXPECT_TRUE(ends.integrator.known());
  EXPECT_EQ(ends.integrator.offset(ends.now), ends.ahead);
  EXPECT_EQ(ends.integrator.bound(ends.now), microseconds(50));
  EXPECT_EQ(ends.integrator.bound(ends.now + seconds(1)), microseconds(450))
      << "and grows by 400 ppm";
  EXPECT_EQ(ends.integrator.to_own(ends.now + ends.ahead), ends.now);
}

}  // namespace
}  // namespace trestle::timing::exchange_book_test
