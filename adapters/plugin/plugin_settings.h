/** @file
 * Reads the settings that open() of a plug-in receives: lines `path: value`. For plug-ins
 * in C or C++; not part of the binary interface. Numbers may have a unit and are returned
 * in SI units. */
#ifndef TRESTLE_PLUGIN_SETTINGS_H
#define TRESTLE_PLUGIN_SETTINGS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Copies the text of the setting `path` to `value`, cut to `size` bytes with the zero at
 * its end. Returns 1, or 0 if the setting is absent; `value` is then empty. */
static inline int trestle_setting(const char* settings, const char* path, char* value,
                                  size_t size) {
  const size_t length = strlen(path);
  const char* line = settings;
  if (size > 0) value[0] = '\0';
  while (line != NULL && *line != '\0') {
    const char* const end = strchr(line, '\n');
    if (strncmp(line, path, length) == 0 && strncmp(line + length, ": ", 2) == 0) {
      const char* const text = line + length + 2;
      size_t count = end != NULL ? (size_t)(end - text) : strlen(text);
      if (size == 0) return 1;
      if (count >= size) count = size - 1;
      memcpy(value, text, count);
      value[count] = '\0';
      return 1;
    }
    line = end != NULL ? end + 1 : NULL;
  }
  return 0;
}

/** Returns the factor from a unit to SI; 0 if the unit is unknown. */
static inline double trestle_unit(const char* unit) {
  static const struct {
    const char* name;
    double factor;
  } units[] = {{"", 1.0},      {"m", 1.0},     {"mm", 1e-3},
               {"um", 1e-6},   {"cm", 1e-2},   {"rad", 1.0},
               {"mrad", 1e-3}, {"urad", 1e-6}, {"N", 1.0},
               {"kN", 1e3},    {"MN", 1e6},    {"N.m", 1.0},
               {"kN.m", 1e3},  {"N/m", 1.0},   {"kN/m", 1e3},
               {"N/mm", 1e3},  {"kN/mm", 1e6}, {"s", 1.0},
               {"ms", 1e-3},   {"us", 1e-6},   {"ns", 1e-9},
               {"Hz", 1.0},    {"kHz", 1e3},   {"m/s", 1.0},
               {"mm/s", 1e-3}, {"m/s2", 1.0},  {"g", 9.80665},
               {"V", 1.0},     {"mV", 1e-3},   {"deg", 0.017453292519943295},
               {"%", 1e-2}};
  size_t i;
  for (i = 0; i < sizeof(units) / sizeof(units[0]); ++i)
    if (strcmp(units[i].name, unit) == 0) return units[i].factor;
  return 0.0;
}

/** Reads a number in SI units: "60 mm" is 0.06. `number` is `fallback` if the setting is
 * absent. Returns 1, or 0 with a sentence in `why` if the text is not a number with a known
 * unit. */
static inline int trestle_number(const char* settings, const char* path, double fallback,
                                 double* number, char* why, uint32_t why_size) {
  char text[64];
  char* unit = NULL;
  *number = fallback;
  if (!trestle_setting(settings, path, text, sizeof(text))) return 1;
  *number = strtod(text, &unit);
  if (unit != text) {
    while (*unit == ' ') ++unit;
    *number *= trestle_unit(unit);
    if (trestle_unit(unit) > 0.0 && isfinite(*number)) return 1;
  }
  snprintf(why, why_size, "%s: is %s; must be a number, with a unit that is known", path,
           text);
  return 0;
}

/** Checks that each setting is one of `known`, which ends with NULL; "field[" stands for
 * all entries of a list. Returns 1, or 0 with a sentence in `why`. */
static inline int trestle_settings_known(const char* settings, const char* const* known,
                                         char* why, uint32_t why_size) {
  const char* line = settings;
  while (line != NULL && *line != '\0') {
    const char* const end = strchr(line, '\n');
    const char* const colon = strstr(line, ": ");
    const size_t length =
        colon != NULL && (end == NULL || colon < end) ? (size_t)(colon - line) : 0;
    size_t i;
    int found = 0;
    for (i = 0; known[i] != NULL && !found; ++i) {
      const size_t size = strlen(known[i]);
      found = size > 0 && length >= size && strncmp(line, known[i], size) == 0 &&
              (length == size || known[i][size - 1] == '[');
    }
    if (!found && length == 0) {
      snprintf(why, why_size, "the settings must be lines `name: value`");
      return 0;
    }
    if (!found) {
      snprintf(why, why_size, "%.*s: is no setting that this plug-in knows", (int)length,
               line);
      return 0;
    }
    line = end != NULL ? end + 1 : NULL;
  }
  return 1;
}

#ifdef __cplusplus
}
#endif
#endif
