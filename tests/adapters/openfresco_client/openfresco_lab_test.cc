#include "adapters/openfresco_client/openfresco_lab.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <span>

#include "adapters/plugin/conformance/overtaken_drive.h"
#include "tests/adapters/openfresco_client/laboratory_host.h"

namespace trestle::openfresco {
namespace {

using openfresco::LabSettings;
using openfresco::OpenFrescoLab;
using openfresco::Server;
using Kind = LaboratoryHost::Kind;
using Trouble = LaboratoryHost::Trouble;

LabSettings settings_for(const LaboratoryHost& host, Server kind = Server::kSite) {
  LabSettings settings;
  settings.server = host.address();
  settings.kind = kind;
  settings.refresh = 0.001;
  return settings;
}

/// Ticks, until the laboratory is at the drive, or a thousand of them were in vain.
OpenFrescoLab::Reading at(OpenFrescoLab& lab, double drive) {
  lab.write({&drive, 1});
  OpenFrescoLab::Reading reading;
  for (int tick = 0; tick < 10000; ++tick) {
    reading = lab.read();
    if (reading.status == AdapterStatus::kTripped) return reading;
    if (reading.status == AdapterStatus::kOk &&
        std::abs(reading.displacement[0] - drive) < 1e-12)
      return reading;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  ADD_FAILURE() << "the laboratory never came to " << drive;
  return reading;
}

void expect_the_law(const LaboratoryHost::Settings& there, LabSettings here) {
  const LaboratoryHost host(there);
  here.server = host.address();
  OpenFrescoLab lab(here);
  lab.prepare();
  EXPECT_EQ(lab.read().force[0], 0.0) << "nothing has moved";
  EXPECT_TRUE(host.trials().empty());
  for (int k = 1; k <= 200; ++k) {
    const double d = 0.3 * std::sin(0.05 * k);
    const OpenFrescoLab::Reading reading = at(lab, d);
    ASSERT_EQ(reading.status, AdapterStatus::kOk);
    // What came back is of the trial itself: one multiplication.
    ASSERT_NEAR(reading.force[0], 2.8 * d, 1e-12);
  }
  lab.leave();
}

TEST(OpenFrescoLab, MeasuresTheLawOfASiteServer) {
  expect_the_law({.kind = Kind::kSite}, {});
}
TEST(OpenFrescoLab, MeasuresTheLawOfALaboratoryServer) {
  expect_the_law({.kind = Kind::kLab}, {.server = {}, .kind = Server::kLab});
}
TEST(OpenFrescoLab, MeasuresTheLawOfASiteServerOverUdp) {
  expect_the_law({.datagrams = true}, {.server = {}, .datagrams = true});
}
TEST(OpenFrescoLab, MeasuresTheLawOfALaboratoryServerOverUdpWithItsGreeting) {
  expect_the_law({.kind = Kind::kLab, .datagrams = true, .greets = true},
                 {.server = {}, .datagrams = true, .kind = Server::kLab, .greeting = true});
}

TEST(OpenFrescoLab, DropsDatagramsThatAreNoPartOfAnAnswer) {
  LabSettings here;
  here.datagrams = true;
  here.refresh = 0.001;
  expect_the_law({.datagrams = true, .trouble = Trouble::kSaysMore}, here);
}

TEST(OpenFrescoLab, TakesAnElementServersDisplacementForThatOfTheTrial) {
  const LaboratoryHost host({.kind = Kind::kElement});
  OpenFrescoLab lab(settings_for(host, Server::kElement));
  lab.prepare();
  const double drive = 0.2;
  lab.write({&drive, 1});
  for (int tick = 0; tick < 10000 && lab.read().force.empty(); ++tick) {
  }
  double force = 0.0;
  for (int tick = 0; tick < 10000 && force == 0.0; ++tick) {
    const OpenFrescoLab::Reading reading = lab.read();
    if (reading.status == AdapterStatus::kOk) force = reading.force[0];
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_NEAR(force, 0.56, 1e-12);
}

TEST(OpenFrescoLab, CommitsATrialBeforeTheNext) {
  const LaboratoryHost host({});
  LabSettings settings = settings_for(host);
  settings.refresh = 1000.0;
  OpenFrescoLab lab(settings);
  lab.prepare();
  at(lab, 0.1);
  at(lab, 0.2);
  lab.leave();
  for (int wait = 0; wait < 1000 && host.codes().back() != 99; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(host.codes(), (std::vector<int>{6, 3, 6, 5, 3, 6, 5, 99}));
}

TEST(OpenFrescoLab, SendsOnlyTheNewestDriveWhileTheLaboratoryMoves) {
  const LaboratoryHost host({.slow_ms = 50});
  OpenFrescoLab lab(settings_for(host));
  lab.prepare();
  for (int k = 1; k <= 100; ++k) {
    const double drive = 0.001 * k;
    ASSERT_EQ(lab.write({&drive, 1}), AdapterStatus::kOk);
  }
  at(lab, 0.1);
  EXPECT_LE(host.trials().size(), 3U);
  EXPECT_EQ(host.trials().back(), 0.1);
}

TEST(OpenFrescoLab, SendsNothingFurtherAfterHold) {
  const LaboratoryHost host({.slow_ms = 20});
  OpenFrescoLab lab(settings_for(host));
  lab.prepare();
  at(lab, 0.1);
  double drive = 0.2;
  lab.write({&drive, 1});
  drive = 0.3;
  lab.write({&drive, 1});  // waits for the laboratory
  lab.hold();
  for (int tick = 0; tick < 1000; ++tick) {
    EXPECT_NE(lab.read().status, AdapterStatus::kTripped);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_EQ(host.trials().back(), 0.2);
  EXPECT_EQ(at(lab, 0.4).status, AdapterStatus::kOk);
}

TEST(OpenFrescoLab, MovesNothingByAWriteThatAHoldOvertakes) {
  const LaboratoryHost host({});
  OpenFrescoLab lab(settings_for(host));
  lab.prepare();
  at(lab, 0.1);
  {
    constexpr double kLate = 0.2;
    conformance::OvertakenDrive overtaken([&lab] { lab.hold(); });
    EXPECT_EQ(overtaken.write({&kLate, 1},
                              [&lab](const double* late) {
                                EXPECT_EQ(lab.write({late, 1}), AdapterStatus::kLate);
                              }),
              conformance::HoldInWrite::kCame);
  }
  for (int tick = 0; tick < 200; ++tick) {
    EXPECT_NE(lab.read().status, AdapterStatus::kTripped);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_EQ(host.trials().back(), 0.1);
  EXPECT_EQ(at(lab, 0.3).status, AdapterStatus::kOk) << "the next write ends the hold";
}

std::string sentence(const OpenFrescoLab& lab) {
  char text[400];
  lab.diagnose(text);
  return text;
}

TEST(OpenFrescoLab, TripsWhereTheServerClosesAndComesBackAtTheNextPrepare) {
  const LaboratoryHost host({.trouble = Trouble::kClosesOnTrial});
  OpenFrescoLab lab(settings_for(host));
  lab.prepare();
  at(lab, 0.1);
  at(lab, 0.2);
  EXPECT_EQ(at(lab, 0.3).status, AdapterStatus::kTripped);
  EXPECT_NE(sentence(lab).find("closed the connection"), std::string::npos);
  lab.prepare();
  EXPECT_EQ(at(lab, 0.1).status, AdapterStatus::kOk);
}

/// Ticks that only read, until one is good.
bool comes_back(OpenFrescoLab& lab) {
  for (int tick = 0; tick < 20000; ++tick) {
    if (lab.read().status == AdapterStatus::kOk) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST(OpenFrescoLab, CallsAgainWhereTheServerClosedAndGoesOnFromWhereItStands) {
  const LaboratoryHost host({.trouble = Trouble::kClosesOnTrial, .keeps_its_place = true});
  OpenFrescoLab lab(settings_for(host));
  lab.prepare();
  at(lab, 0.1);
  at(lab, 0.2);
  EXPECT_EQ(at(lab, 0.3).status, AdapterStatus::kTripped);
  lab.hold();
  const std::size_t trials = host.trials().size();
  EXPECT_TRUE(comes_back(lab)) << sentence(lab);
  EXPECT_EQ(lab.read().displacement[0], 0.3) << "what was sent last was carried out unseen";
  EXPECT_EQ(host.trials().size(), trials) << "nothing goes out before a new drive";
  EXPECT_EQ(at(lab, 0.25).status, AdapterStatus::kOk);
}

TEST(OpenFrescoLab, DoesNotGoOnWhereTheSpecimenStandsElsewhere) {
  const LaboratoryHost host({.trouble = Trouble::kClosesOnTrial});  // and is at zero again
  OpenFrescoLab lab(settings_for(host));
  lab.prepare();
  at(lab, 0.1);
  at(lab, 0.2);
  EXPECT_EQ(at(lab, 0.3).status, AdapterStatus::kTripped);
  for (int look = 0; look < 20000 && sentence(lab).find("stands at") == std::string::npos;
       ++look) {
    EXPECT_EQ(lab.read().status, AdapterStatus::kTripped);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_NE(sentence(lab).find("stands at 0.0"), std::string::npos) << sentence(lab);
}

TEST(OpenFrescoLab, SaysTheEndAsOpenFrescosOwnClientsDo) {
  for (const Server kind : {Server::kSite, Server::kLab}) {
    const bool tagged = kind == Server::kLab;
    const LaboratoryHost host({.kind = tagged ? Kind::kLab : Kind::kSite});
    OpenFrescoLab lab(settings_for(host, kind));
    lab.prepare();
    at(lab, 0.1);
    lab.leave();
    for (int wait = 0; wait < 10000 && host.farewell().empty(); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::vector<double> expected(256, 0.0);
    expected[0] = 99.0;
    if (tagged) expected[1] = 1.0;  // the tag that open gave, not the displacement
    EXPECT_EQ(host.farewell(), expected);
  }
}

TEST(OpenFrescoLab, GivesUpGettingReadyWhereItIsToHold) {
  const LaboratoryHost silent({.datagrams = true, .greets = true});
  LabSettings settings = settings_for(silent);
  settings.datagrams = true;  // and no greeting: it never answers
  settings.connect = 3600.0;
  OpenFrescoLab lab(settings);
  const std::jthread beside([&lab](const std::stop_token& stop) {
    while (!stop.stop_requested()) lab.hold();
  });
  EXPECT_THROW(lab.prepare(), std::runtime_error);
}

TEST(OpenFrescoLab, TripsOnANumberThatIsNotFinite) {
  const LaboratoryHost host({.trouble = Trouble::kSaysNaN});
  OpenFrescoLab lab(settings_for(host));
  lab.prepare();
  at(lab, 0.1);
  at(lab, 0.2);
  EXPECT_EQ(at(lab, 0.3).status, AdapterStatus::kTripped);
  EXPECT_NE(sentence(lab).find("not finite"), std::string::npos);
}

/// Its answers are lost, or it gives none.
void expect_silence_to_be_noticed(bool datagrams) {
  const LaboratoryHost host({.datagrams = datagrams, .trouble = Trouble::kSaysNothing});
  LabSettings settings = settings_for(host);
  settings.datagrams = datagrams;
  settings.stale = 0.02;
  settings.patience = 0.2;
  OpenFrescoLab lab(settings);
  lab.prepare();
  at(lab, 0.1);
  at(lab, 0.2);
  const double drive = 0.3;
  lab.write({&drive, 1});
  bool late = false;
  OpenFrescoLab::Reading reading;
  for (int tick = 0; tick < 10000; ++tick) {
    reading = lab.read();
    late = late || reading.status == AdapterStatus::kLate;
    if (reading.status == AdapterStatus::kTripped) break;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  EXPECT_TRUE(late);
  EXPECT_EQ(reading.status, AdapterStatus::kTripped);
  EXPECT_NE(sentence(lab).find("did not answer"), std::string::npos);
}

TEST(OpenFrescoLab, IsLateAndThenTripsWhereTheServerFallsSilent) {
  expect_silence_to_be_noticed(false);
}
TEST(OpenFrescoLab, IsLateAndThenTripsWhereDatagramsAreLost) {
  expect_silence_to_be_noticed(true);
}

std::string complaint(const LabSettings& settings) {
  OpenFrescoLab lab(settings);
  try {
    lab.prepare();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(OpenFrescoLab, SaysWhomItCannotReachAndWhatItDoesNotUnderstand) {
  LabSettings nobody;
  nobody.server = "127.0.0.1:1";
  nobody.connect = 0.2;
  EXPECT_NE(complaint(nobody).find("127.0.0.1:1 cannot be reached"), std::string::npos);
  nobody.server = "nowhere";
  EXPECT_NE(complaint(nobody).find("must be HOST:PORT"), std::string::npos);

  const LaboratoryHost closes({.trouble = Trouble::kClosesAtOnce});
  EXPECT_NE(complaint(settings_for(closes)).find("closed the connection"),
            std::string::npos);

  const LaboratoryHost older({.kind = Kind::kLab, .trouble = Trouble::kOtherVersion});
  EXPECT_NE(complaint(settings_for(older, Server::kLab)).find("is 2.7"), std::string::npos);

  const LaboratoryHost silent({.datagrams = true, .greets = true});
  LabSettings ungreeted = settings_for(silent);
  ungreeted.datagrams = true;
  ungreeted.connect = 0.2;
  EXPECT_NE(complaint(ungreeted).find("no first measurement"), std::string::npos);
}

}  // namespace
}  // namespace trestle::openfresco
