#include "adapters/plugin/adapter_loader.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/setting_error.h"

namespace trestle::plugin {
namespace {

constexpr int kLaterVersions = 9;  // that an entry's name is tried for
// Common advice for another architecture and for a shared object that lacks a library.
const char* const kBuildIt =
    "; build it on this machine, against trestle/site_adapter_abi.h";

std::string with_version(int version) {
  std::string name(TRESTLE_SITE_ADAPTER_ENTRY);
  name.back() = static_cast<char>('0' + version);
  return name;
}

std::string no_entry(void* handle, const std::string& file) {
  for (int version = 2; version <= kLaterVersions; ++version)
    if (dlsym(handle, with_version(version).c_str()) != nullptr)
      return file + " speaks version " + std::to_string(version) +
             " of site_adapter_abi.h alone, this program version 1; update the program, or "
             "build the plug-in for version 1";
  return file + " exports no function " + TRESTLE_SITE_ADAPTER_ENTRY +
         "; a plug-in exports this one, as a C function that is visible "
         "(see `trestle adapter new`)";
}

/// dlsym() also finds what a library exports that the plug-in links: another plug-in, whose
/// settings are not those of this one.
bool in_one_object(const void* one, const void* other) {
  Dl_info of_one{};
  Dl_info of_other{};
  return dladdr(one, &of_one) != 0 && dladdr(other, &of_other) != 0 &&
         of_one.dli_fbase == of_other.dli_fbase;
}

/// The name of a function that every table must have and this one has not; else null.
const char* missing_function(const trestle_adapter_v1& table) {
  const std::array<std::pair<bool, const char*>, 11> functions{{
      {table.open != nullptr, "open"},
      {table.describe != nullptr, "describe"},
      {table.describe_channel != nullptr, "describe_channel"},
      {table.prepare != nullptr, "prepare"},
      {table.read != nullptr, "read"},
      {table.write != nullptr, "write"},
      {table.hold != nullptr, "hold"},
      {table.stop != nullptr, "stop"},
      {table.diagnose != nullptr, "diagnose"},
      {table.close != nullptr, "close"},
      {(table.save == nullptr) == (table.restore == nullptr), "save without restore, or"},
  }};
  for (const auto& [there, name] : functions)
    if (!there) return name;
  return nullptr;
}

/// The table of the first release ended there; it is a part of each later one.
constexpr std::uint32_t kFirstSize = offsetof(trestle_adapter_v1, contacts);

/// What is wrong with the contacts; empty: nothing, or there are none.
std::string contacts_error(const trestle_contacts_v1* contacts, const std::string& file) {
  if (contacts == nullptr) return {};
  if (contacts->size < sizeof(trestle_contacts_v1))
    return file + " has a table of contacts of " + std::to_string(contacts->size) +
           " bytes, version 1 has " + std::to_string(sizeof(trestle_contacts_v1)) +
           "; fill `size`";
  for (const auto& [there, name] : {std::pair{contacts->count != nullptr, "count"},
                                    {contacts->inputs != nullptr, "inputs"},
                                    {contacts->set_outputs != nullptr, "set_outputs"}})
    if (!there)
      return file + " has a table of contacts without " + name +
             "; every function must be there, or the table is NULL";
  return {};
}

std::string table_error(const trestle_adapter_v1* table, const std::string& file) {
  if (table == nullptr)
    return file + " returns NULL from " + TRESTLE_SITE_ADAPTER_ENTRY +
           "; it must return its table";
  if (table->abi != TRESTLE_SITE_ADAPTER_ABI)
    return file + " says in its table that it speaks version " +
           std::to_string(table->abi) + " of site_adapter_abi.h; the entry " +
           TRESTLE_SITE_ADAPTER_ENTRY + " must speak version 1";
  if (table->size != kFirstSize && table->size < sizeof(trestle_adapter_v1))
    return file + " has a table of " + std::to_string(table->size) +
           " bytes, version 1 has " + std::to_string(kFirstSize) + ", or " +
           std::to_string(sizeof(trestle_adapter_v1)) +
           " with contacts; it was built against a draft of site_adapter_abi.h, or does "
           "not fill `size`";
  if (const char* name = missing_function(*table))
    return file + " has a table without " + name + "; every function must be there";
  return {};
}

}  // namespace

void LoadedAdapter::Unloader::operator()(void* handle) const noexcept {
  dlclose(handle);
}

LoadedAdapter::LoadedAdapter(std::string file, const std::string& path)
    : file_(std::move(file)) {
  std::error_code unreadable;
  if (!std::filesystem::exists(file_, unreadable))
    throw SettingError(path, "there is no file " + file_ +
                                 "; give the path of the plug-in's shared object");
  if (!std::filesystem::is_regular_file(file_, unreadable))
    throw SettingError(path, file_ +
                                 " is no file; give the path of the plug-in's "
                                 "shared object");
  // A name without a slash would be looked for elsewhere.
  const std::string place = std::filesystem::absolute(file_).string();
  handle_.reset(dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (handle_ == nullptr) {
    const char* const why = dlerror();  // NOLINT(concurrency-mt-unsafe): one per thread
    throw SettingError(path, std::string("cannot load the plug-in: ") +
                                 (why != nullptr ? why : file_.c_str()) + kBuildIt);
  }
  void* const entry = dlsym(handle_.get(), TRESTLE_SITE_ADAPTER_ENTRY);
  if (entry == nullptr) throw SettingError(path, no_entry(handle_.get(), file_));
  const trestle_adapter_v1* const given =
      reinterpret_cast<decltype(&trestle_site_adapter_v1)>(entry)();
  if (const std::string why = table_error(given, file_); !why.empty())
    throw SettingError(path, why);
  // Of a later release only the part that is known.
  std::memcpy(&table_, given, std::min<std::size_t>(given->size, sizeof(table_)));
  if (const std::string why = contacts_error(table_.contacts, file_); !why.empty())
    throw SettingError(path, why);
  void* const reader = dlsym(handle_.get(), "trestle_site_adapter_settings_v1");
  if (reader != nullptr && in_one_object(entry, reader))
    settings_table_ = reinterpret_cast<decltype(&trestle_site_adapter_v1)>(reader)();
  if (settings_table_ != nullptr && !table_error(settings_table_, file_).empty())
    settings_table_ = nullptr;
}

}  // namespace trestle::plugin
