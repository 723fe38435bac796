// Notes of people, while a test runs, is cut off, and after its end.
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/operator_lab.h"

namespace trestle::cli {
namespace {

class CliNote : public OperatorLab {
 protected:
  /// The texts of the notes in the audit of the integrator; the chain holds.
  Words noted(const std::string& run) const {
    const Ended audit = trestle({"audit", run, "--json"});
    EXPECT_EQ(audit.code, 0) << audit.out;
    Words texts;
    const Json answer = Json::parse(audit.out);
    for (const Json& journal : answer.at("journals"))
      for (const Json& entry : journal.at("entries"))
        if (entry.at("what") == "noted")
          texts.push_back(entry.at("who").get<std::string>().substr(0, 3) + " | " +
                          entry.at("from").get<std::string>() + " | " +
                          entry.at("text").get<std::string>());
    return texts;
  }
};

TEST_F(CliNote, IsAddedToARecordThatHasEnded) {
  ASSERT_EQ(trestle(Words{"run", example("test.yaml"), "--out", "run"} + kShort).code, 0);
  const std::string rows = exported("run");
  write("my crack.png", "\x89PNG\r\n\x1a\nabc");
  const Ended added = trestle({"note", "run", "crack, at the \"weld\"", "--at", "0.25 s",
                               "--photo", path("my crack.png"), "--as", "ada"});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_TRUE(holds(added.out, "(after the end), at step 256")) << added.out;
  EXPECT_EQ(trestle({"note", "run", "last", "--as", "bob"}).code, 0);
  const Words texts = noted("run");
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].find("ada | terminal, after the end | step 256, 0.25 s: crack, at the "
                          "\"weld\" [file "),
            0U)
      << texts[0];
  EXPECT_EQ(texts[1], "bob | terminal, after the end | step 512, 0.5 s: last");

  EXPECT_EQ(exported("run"), rows) << "a note changes no row";
  ASSERT_EQ(trestle({"export", "run", "--csv", "rows.csv"}).code, 0);
  std::istringstream notes(read("rows.notes.csv"));
  std::string line;
  std::getline(notes, line);
  EXPECT_EQ(line, "time_s,step,node,who,utc,text,file,sha256,site,video_starts_s");
  std::getline(notes, line);
  EXPECT_EQ(line.find("0.25,256,integrator,ada"), 0U) << line;
  EXPECT_TRUE(holds(line, ",\"crack, at the \"\"weld\"\"\",")) << line;
  ASSERT_TRUE(line.ends_with(",,")) << line << "\nof no site, and with no video";
  line.resize(line.size() - 2);
  const std::size_t file = line.rfind(',', line.rfind(',') - 1) + 1;
  const std::string kept = line.substr(file, line.rfind(',') - file);
  EXPECT_TRUE(kept.ends_with("-my_crack.png")) << kept;
  EXPECT_EQ(read("run/files/" + kept), "\x89PNG\r\n\x1a\nabc");

  ASSERT_EQ(trestle({"report", "run", "--out", "report.html"}).code, 0);
  const std::string report = read("report.html");
  EXPECT_TRUE(holds(report, "data:image/png;base64,iVBORw0KGgphYmM=")) << "the photo";
  EXPECT_TRUE(holds(report, "crack, at the &quot;weld&quot;"));
}

TEST_F(CliNote, NamesItsSiteAndWhereItsVideoStarts) {
  ASSERT_EQ(trestle(Words{"run", example("test.yaml"), "--out", "run"} + kShort).code, 0);
  write("gauge.mp4", "moving pictures");
  const Ended added =
      trestle({"note", "run", "the gauge slips", "--at", "0.25s", "--site", "west",
               "--video", path("gauge.mp4"), "--starts=-1.5s", "--as", "ada"});
  EXPECT_EQ(added.code, 0) << added.err;
  const Words texts = noted("run");
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_TRUE(holds(
      texts[0], "step 256, 0.25 s, site west, video from -1.5 s: the gauge slips [file "))
      << texts[0];
  ASSERT_EQ(trestle({"export", "run", "--csv", "rows.csv"}).code, 0);
  EXPECT_TRUE(holds(read("rows.notes.csv"), ",west,-1.5\n")) << read("rows.notes.csv");
  ASSERT_EQ(trestle({"report", "run", "--out", "report.html"}).code, 0);
  EXPECT_TRUE(
      holds(read("report.html"),
            "-gauge.mp4: it starts at -1.500 s of the test; the note &quot;the gauge "
            "slips&quot; is about 1.750 s after its start."));

  const Ended nowhere = trestle({"note", "run", "x", "--site", "wast"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_TRUE(holds(nowhere.err, "this record has no site")) << nowhere.err;
  EXPECT_EQ(trestle({"note", "run", "x", "--video", path("gauge.mp4")}).code, 2);
  EXPECT_EQ(trestle({"note", "run", "x", "--starts", "1s"}).code, 2);
  EXPECT_EQ(
      trestle({"note", "run", "x", "--video", path("gauge.mp4"), "--starts", "soon"}).code,
      2);
  EXPECT_EQ(noted("run").size(), 1U);
}

TEST_F(CliNote, IsRefusedWithAReason) {
  ASSERT_EQ(trestle(Words{"run", example("test.yaml"), "--out", "run"} + kShort).code, 0);
  const Ended late = trestle({"note", "run", "x", "--step", "513"});
  EXPECT_EQ(late.code, 3);
  EXPECT_TRUE(holds(late.err, "step 513 is not done yet; the last one is 512")) << late.err;
  EXPECT_EQ(trestle({"note", "run", std::string(401, 'x')}).code, 2);
  EXPECT_EQ(trestle({"note", "run", ""}).code, 2);
  EXPECT_EQ(trestle({"note", "run", "x", "--at", "soon"}).code, 2);
  EXPECT_EQ(trestle({"note", "run", "x", "--file", "none.png"}).code, 2);
  EXPECT_EQ(trestle({"note", "nowhere", "x"}).code, 2);
  EXPECT_EQ(noted("run"), Words{});
}

TEST_F(CliNote, OfATestThatRunsAndOfOneThatWasCutOffLeaveItResumable) {
  // At the pace of a rig: a run that may compute as fast as it can is soon over.
  const Words words = Words{"run", example("test.yaml"), "--out", "run"} +
                      set({"mode=pseudo-dynamic", "clock=wall", "duration=0.02 s"});
  {
    Program run(words, folder());
    until("run", "RUNNING", 2);
    const Ended running = trestle({"note", "run", "first yield", "--as", "ada"});
    EXPECT_EQ(running.code, 0) << running.err;
    EXPECT_TRUE(holds(running.out, "in the record of integrator: first yield"))
        << running.out;
    run.signal(SIGKILL);
    ASSERT_EQ(run.exit_code(), 128 + SIGKILL);
  }
  const Ended between = trestle({"note", "run", "power was lost", "--as", "bob"});
  EXPECT_EQ(between.code, 0) << between.err;
  EXPECT_TRUE(holds(between.out, "(no process runs the test)")) << between.out;
  const Ended resumed = trestle({"resume", "run"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(holds(resumed.out, "COMPLETE   21 of 21 steps")) << resumed.out;
  const Words texts = noted("run");
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].find("ada | operator channel | step "), 0U) << texts[0];
  EXPECT_TRUE(texts[0].ends_with(" s: first yield")) << texts[0];
  EXPECT_EQ(texts[1].find("bob | terminal, no process | step "), 0U) << texts[1];
}

}  // namespace
}  // namespace trestle::cli
