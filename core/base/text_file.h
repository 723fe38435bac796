#pragma once

#include <fstream>
#include <string>

namespace trestle {

/// Returns why a path is no file that can be read to its end; empty: it is one. A device
/// may have no end, and opening a pipe blocks until another process writes to it.
std::string why_no_plain_file(const std::string& path);

/// Opens a file that a person named, at its first character: behind the mark of UTF-8 that
/// spreadsheets write.
/// @param stream  open if the result is empty
/// @returns why the file cannot be read: "there is no such file"; empty: it can
std::string open_text_file(const std::string& path, std::ifstream& stream);

}  // namespace trestle
