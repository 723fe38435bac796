// Writes the seed corpora: fuzz_seeds FOLDER. Small, and each takes a fuzzer deep at once.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/bus/message_codec.h"
#include "core/journal/sqlite_database.h"
#include "core/types/execution_mode.h"
#include "tests/observe/run_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace trestle;

void write(const fs::path& file, const void* data, std::size_t size) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary)
      .write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
}
void write(const fs::path& file, std::span<const std::byte> bytes) {
  write(file, bytes.data(), bytes.size());
}
void write(const fs::path& file, const std::vector<int>& choices) {
  std::string bytes;
  for (const int choice : choices) bytes.push_back(static_cast<char>(choice));
  write(file, bytes.data(), bytes.size());
}

/// One of each kind, with the longer ones filled.
template <std::size_t... Kind>
std::vector<SessionMessage> session_messages(std::index_sequence<Kind...>) {
  std::vector<SessionMessage> all = {std::variant_alternative_t<Kind, SessionMessage>{}...};
  for (SessionMessage& message : all) {
    if (auto* hello = std::get_if<Hello>(&message))
      hello->site = {"west", "0.2", 1,   {{"1", DofKind::kRotation}}, all_execution_modes(),
                     true,   true,  1e-3};
    if (auto* configure = std::get_if<Configure>(&message)) {
      configure->session = {1, 2, 3};
      configure->layout = {{.name = "floor.x", .displacement_limit = 0.06}};
      configure->limits = {{.displacement = 0.06, .rate = 0.5}};
    }
    if (auto* halt = std::get_if<Halt>(&message)) halt->reason = "too much";
  }
  return all;
}

void write_messages(const fs::path& folder) {
  bus::MessageCodec codec;
  StepCommand command;
  command.session = {1, 2, 3};
  command.step = 7;
  command.target = InterfaceMotion::zero(2);
  write(folder / "command", codec.encode(command));
  command.feedforward_target = command.target;
  command.command_feedforward = InterfaceVector::Constant(2, 0.01);
  write(folder / "command_feedforward", codec.encode(command));
  const ActuatorVector one = ActuatorVector::Ones(3);
  write(folder / "response", codec.encode(StepResponse{.session = {1, 2, 3},
                                                       .measured = InterfaceVector::Ones(2),
                                                       .force = InterfaceVector::Ones(3),
                                                       .actuators = {one, one, one, one}}));
  constexpr auto kKinds = std::make_index_sequence<std::variant_size_v<SessionMessage>>{};
  for (const SessionMessage& message : session_messages(kKinds))
    write(folder / ("session_" + std::to_string(message.index())), codec.encode(message));
}

/// A choice of site_fuzz.cc and what it asks for in turn.
std::vector<int> site_run(int mode) {
  std::vector<int> choices = {0, 1, 0,           // Welcome of version 1.0
                              1, 1, mode, 1, 3,  // Configure: session, mode, ticks, seed
                              0, 0,              // no resume, nothing spoilt
                              2, 1, 3,    1};    // Arm, Start
  for (int step = 0; step < 8; ++step) {
    choices.insert(choices.end(), {4, 128 + 8 * step});
    choices.insert(choices.end(), {13, 2});  // 10 ms pass
  }
  return choices;
}

void write_site_lives(const fs::path& folder) {
  for (int mode = 0; mode < 4; ++mode) {
    std::vector<int> run = site_run(mode);
    write(folder / ("run_" + std::to_string(mode)), run);
    std::vector<int> halted = run;
    halted.insert(halted.end(), {8, 1, 0, 4, 200, 11, 1, 1, 4, 200, 9, 1, 13, 4});
    write(folder / ("halted_" + std::to_string(mode)), halted);
    std::vector<int> stopped = run;
    stopped.insert(stopped.end(),
                   {9, 1, 13, 4, 1, 1, mode, 1, 3, 0, 0, 2, 1, 3, 1, 4, 120});
    write(folder / ("stopped_" + std::to_string(mode)), stopped);
    std::vector<int> killed = run;
    killed.insert(killed.end(), {17, 0, 1, 0, 1, 1, mode, 1, 3, 7, 0, 11, 1, 1, 4, 150});
    write(folder / ("killed_" + std::to_string(mode)), killed);
  }
}

std::vector<int> integrator_run(int mode) {
  std::vector<int> choices = {mode};
  for (const int site : {0, 1}) choices.insert(choices.end(), {0, site, 1, 1, 1, 0, 0, 0});
  for (const int site : {0, 1}) choices.insert(choices.end(), {1, site, 1, 170});
  for (const int site : {0, 1}) choices.insert(choices.end(), {2, site, 1});
  for (int step = -1; step < 8; ++step) {
    for (const int site : {0, 1}) choices.insert(choices.end(), {3, site, 1});
    choices.insert(choices.end(), {12, 0, 1});
  }
  for (const int site : {0, 1}) choices.insert(choices.end(), {9, site, 1, 7});
  return choices;
}

void write_integrator_lives(const fs::path& folder) {
  for (int mode = 0; mode < 4; ++mode) {
    std::vector<int> run = integrator_run(mode);
    write(folder / ("run_" + std::to_string(mode)), run);
    run.resize(run.size() - 20);
    run.insert(run.end(), {8, 0, 1, 4, 7, 0, 1, 7, 1, 1, 9, 0, 1, 3, 9, 1, 1, 3});
    write(folder / ("halted_" + std::to_string(mode)), run);
  }
}

/// A short run, in pages as small as SQLite has them.
void write_journal(const fs::path& folder) {
  const testing::RunFolder run;
  {
    journal::SqliteDatabase journal(run.file("journal.db"),
                                    journal::SqliteDatabase::Access::kWrite);
    journal.execute("PRAGMA journal_mode=DELETE");
    journal.execute("PRAGMA page_size=512");
    journal.execute("VACUUM");
  }
  fs::create_directories(folder);
  fs::copy_file(run.file("journal.db"), folder / "run",
                fs::copy_options::overwrite_existing);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: fuzz_seeds FOLDER\n";
    return 2;
  }
  const fs::path folder = arguments[1];
  write_messages(folder / "codec");
  write_site_lives(folder / "site");
  write_integrator_lives(folder / "integrator");
  write_journal(folder / "journal");
  return 0;
}
