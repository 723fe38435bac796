#include "composition/hybrid_test/link_factory.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "core/base/setting_error.h"
#include "proto/config/network.pb.h"

namespace trestle::network::link_catalog_test {
namespace {

using namespace std::chrono_literals;

LinkSettings made(const std::function<void(config::Link&)>& edit) {
  config::Link link;
  edit(link);
  return composition::make_link(link, 7, "west", "sites.west.link");
}

std::string complaint(const std::function<void(config::Link&)>& edit) {
  try {
    made(edit);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(LinkCatalog, KnowsItsProfiles) {
  const LinkSettings campus = made([](auto& link) { link.set_profile("campus"); });
  EXPECT_EQ(campus.delay, 200us);
  EXPECT_EQ(campus.outages.every, 0s);
  const LinkSettings continent = made([](auto& link) { link.set_profile("continent"); });
  EXPECT_EQ(continent.delay + continent.return_delay, 40ms);
  const LinkSettings ocean = made([](auto& link) { link.set_profile("ocean"); });
  EXPECT_EQ(ocean.delay + ocean.return_delay, 150ms);
  EXPECT_EQ(ocean.outages.every, 60s);
  EXPECT_EQ(ocean.outages.duration, 1s);
  const LinkSettings bad = made([](auto& link) { link.set_profile("bad-day"); });
  EXPECT_GT(bad.jitter, ocean.jitter);
  EXPECT_LT(bad.bandwidth, ocean.bandwidth);
  EXPECT_GT(bad.loss, 0.0);
  EXPECT_GT(bad.stalls.every, 0s);
}

TEST(LinkCatalog, NamesTheProfilesWhereOneIsUnknown) {
  EXPECT_EQ(complaint([](auto& link) { link.set_profile("lake"); }),
            "sites.west.link.profile: there is no profile `lake`; must be one of campus, "
            "continent, ocean, bad-day");
}

TEST(LinkCatalog, PutsWhatIsSaidInPlaceOfTheProfiles) {
  const LinkSettings settings = made([](auto& link) {
    link.set_profile("ocean");
    link.set_delay(0.05);
    link.set_jitter(0.0);
    link.set_bandwidth(1e6);
    link.set_loss(0.25);
    link.mutable_stalls()->set_every(10.0);
    link.mutable_stalls()->set_duration(0.5);
    link.mutable_stalls()->set_first(3.0);
    link.mutable_stalls()->set_regular(true);
  });
  EXPECT_EQ(settings.delay, 50ms);
  EXPECT_EQ(settings.return_delay, 50ms);
  EXPECT_EQ(settings.jitter, 0s);
  EXPECT_EQ(settings.bandwidth, 1e6);
  EXPECT_EQ(settings.loss, 0.25);
  EXPECT_EQ(settings.stalls.first, 3s);
  EXPECT_TRUE(settings.stalls.regular);
  EXPECT_EQ(settings.outages.every, 60s) << "the ocean's still";
}

TEST(LinkCatalog, LetsTheWayBackDiffer) {
  const LinkSettings settings = made([](auto& link) {
    link.set_delay(0.02);
    link.set_return_delay(0.03);
  });
  EXPECT_EQ(settings.delay, 20ms);
  EXPECT_EQ(settings.return_delay, 30ms);
}

TEST(LinkCatalog, TakesTheTestsSeedWhereTheLinkHasNone) {
  EXPECT_EQ(made([](auto&) {}).seed, 7U);
  EXPECT_EQ(made([](auto& link) { link.set_seed(9); }).seed, 9U);
  config::Link link;
  EXPECT_NE(composition::make_link(link, 7, "west", "").stream,
            composition::make_link(link, 7, "east", "").stream);
}

TEST(LinkCatalog, RefusesWhatNoLinkCanDo) {
  EXPECT_EQ(
      complaint([](auto& link) { link.set_delay(1e300); }),
      "sites.west.link.delay: is longer than 3600 s; links of that kind carry no test");
  EXPECT_EQ(complaint([](auto& link) { link.set_bandwidth(1.0); }),
            "sites.west.link.bandwidth: is below 1000 bit/s; it is in bit/s");
  EXPECT_EQ(complaint([](auto& link) {
              link.mutable_outages()->set_every(1.0);
              link.mutable_outages()->set_duration(1.0);
            }),
            "sites.west.link.outages.duration: is as long as `every`; a link must work in "
            "between");
  EXPECT_EQ(complaint([](auto& link) {
              link.mutable_stalls()->set_every(1e-6);
              link.mutable_stalls()->set_duration(1e-7);
            }),
            "sites.west.link.stalls.every: is below 1 ms; make it longer");
}

TEST(LinkCatalog, TakesADelayFromOnePlaceOnly) {
  EXPECT_EQ(complaint([](auto& link) {
              link.set_trace("trace.csv");
              link.set_jitter(0.001);
            }),
            "sites.west.link.trace: says the delay; remove delay, return_delay and jitter, "
            "or this");
  EXPECT_EQ(complaint([](auto& link) { link.set_trace("there/is/none.csv"); }),
            "sites.west.link.trace: cannot read the file there/is/none.csv: there is no "
            "such file");
}

}  // namespace
}  // namespace trestle::network::link_catalog_test
