#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace trestle {

/// Durable files. After the death of the process or a loss of power a file has either its
/// whole new content or its whole old content. What cannot be made again (the summary, the
/// effective test, keys, latches) is written so; pictures, tables and reports are not.
///
/// All but the last throw std::runtime_error with one sentence: the file, what is wrong,
/// what to do. None of them is for the step path: each waits for the disk.

/// Writes a draft beside `path`, and puts it there when it is safe.
/// @param mode  of the file
void keep_file(const std::string& path, std::string_view text, mode_t mode = 0644);

/// The same for a path that must not exist yet.
/// @throws std::runtime_error also where something does; that stays as it is
void keep_new_file(const std::string& path, std::string_view text, mode_t mode = 0644);

/// Renames a complete and closed draft to `path`; both are in the same folder.
void publish_file(const std::string& draft, const std::string& path);

/// Renames inside one folder, or between two on one disk.
void move_file(const std::string& from, const std::string& to);

/// Makes a folder and those above it that are missing, each with a name that lasts.
void make_folders(const std::string& folder);

/// Names in this folder last.
void sync_folder(const std::string& folder);

/// Fills the first `room` bytes of a file with `text` and line ends. Once this was done the
/// space is on the disk, and later texts can use it even on a full disk.
/// @returns false if it cannot be done
bool write_in_place(const std::string& path, std::string_view text,
                    std::size_t room) noexcept;

}  // namespace trestle
