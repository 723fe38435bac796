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

/** Kinds of quantities, as their units show them. Several are joined by `|`. A quantity
 * without a unit is in SI, and of any kind. */
#define TRESTLE_RATIO 0x1u          /**< a number without a unit, or in % */
#define TRESTLE_LENGTH 0x2u         /**< m */
#define TRESTLE_ANGLE 0x4u          /**< rad */
#define TRESTLE_FORCE 0x8u          /**< N */
#define TRESTLE_MOMENT 0x10u        /**< N.m */
#define TRESTLE_STIFFNESS 0x20u     /**< N/m */
#define TRESTLE_TIME 0x40u          /**< s */
#define TRESTLE_FREQUENCY 0x80u     /**< Hz */
#define TRESTLE_VELOCITY 0x100u     /**< m/s */
#define TRESTLE_ACCELERATION 0x200u /**< m/s2 */
#define TRESTLE_VOLTAGE 0x400u      /**< V */

/** Returns the factor from a unit to SI; 0 if the unit is unknown. `kind` becomes the kind
 * of its quantities; 0 for the empty unit and for an unknown one. */
static inline double trestle_unit_of(const char* unit, uint32_t* kind) {
  static const struct {
    const char* name;
    double factor;
    uint32_t kind;
  } units[] = {{"", 1.0, 0u},
               {"m", 1.0, TRESTLE_LENGTH},
               {"mm", 1e-3, TRESTLE_LENGTH},
               {"um", 1e-6, TRESTLE_LENGTH},
               {"cm", 1e-2, TRESTLE_LENGTH},
               {"rad", 1.0, TRESTLE_ANGLE},
               {"mrad", 1e-3, TRESTLE_ANGLE},
               {"urad", 1e-6, TRESTLE_ANGLE},
               {"deg", 0.017453292519943295, TRESTLE_ANGLE},
               {"N", 1.0, TRESTLE_FORCE},
               {"kN", 1e3, TRESTLE_FORCE},
               {"MN", 1e6, TRESTLE_FORCE},
               {"N.m", 1.0, TRESTLE_MOMENT},
               {"kN.m", 1e3, TRESTLE_MOMENT},
               {"N/m", 1.0, TRESTLE_STIFFNESS},
               {"kN/m", 1e3, TRESTLE_STIFFNESS},
               {"N/mm", 1e3, TRESTLE_STIFFNESS},
               {"kN/mm", 1e6, TRESTLE_STIFFNESS},
               {"s", 1.0, TRESTLE_TIME},
               {"ms", 1e-3, TRESTLE_TIME},
               {"us", 1e-6, TRESTLE_TIME},
               {"ns", 1e-9, TRESTLE_TIME},
               {"Hz", 1.0, TRESTLE_FREQUENCY},
               {"kHz", 1e3, TRESTLE_FREQUENCY},
               {"m/s", 1.0, TRESTLE_VELOCITY},
               {"mm/s", 1e-3, TRESTLE_VELOCITY},
               {"m/s2", 1.0, TRESTLE_ACCELERATION},
               {"g", 9.80665, TRESTLE_ACCELERATION},
               {"V", 1.0, TRESTLE_VOLTAGE},
               {"mV", 1e-3, TRESTLE_VOLTAGE},
               {"%", 1e-2, TRESTLE_RATIO}};
  size_t i;
  *kind = 0u;
  for (i = 0; i < sizeof(units) / sizeof(units[0]); ++i) {
    if (strcmp(units[i].name, unit) != 0) continue;
    *kind = units[i].kind;
    return units[i].factor;
  }
  return 0.0;
}

/** Returns the factor from a unit to SI; 0 if the unit is unknown. */
static inline double trestle_unit(const char* unit) {
  uint32_t kind = 0u;
  return trestle_unit_of(unit, &kind);
}

/** Writes the kinds to `text`, and a unit of each: "a length or an angle, for example mm or
 * mrad". */
static inline void trestle_kinds_in_words(uint32_t kinds, char* text, size_t size) {
  static const struct {
    uint32_t kind;
    const char* name;
    const char* unit;
  } known[] = {{TRESTLE_LENGTH, "a length", "mm"},
               {TRESTLE_ANGLE, "an angle", "mrad"},
               {TRESTLE_FORCE, "a force", "kN"},
               {TRESTLE_MOMENT, "a moment", "kN.m"},
               {TRESTLE_STIFFNESS, "a stiffness", "kN/mm"},
               {TRESTLE_TIME, "a time", "ms"},
               {TRESTLE_FREQUENCY, "a frequency", "Hz"},
               {TRESTLE_VELOCITY, "a velocity", "mm/s"},
               {TRESTLE_ACCELERATION, "an acceleration", "m/s2"},
               {TRESTLE_VOLTAGE, "a voltage", "V"}};
  char units[96] = "";
  size_t i;
  if (size == 0) return;
  text[0] = '\0';
  for (i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
    const char* const joined = units[0] != '\0' ? " or " : "";
    if ((kinds & known[i].kind) == 0u) continue;
    snprintf(text + strlen(text), size - strlen(text), "%s%s", joined, known[i].name);
    snprintf(units + strlen(units), sizeof(units) - strlen(units), "%s%s", joined,
             known[i].unit);
  }
  if (units[0] == '\0')
    snprintf(text, size, "a number without a unit");
  else
    snprintf(text + strlen(text), size - strlen(text), ", for example %s", units);
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

/** Checks that the number of a setting has a unit of one of `kinds`: "3 m" is no time. A
 * number without a unit, which is in SI, fits all. Returns 1, also if the setting is absent
 * or if trestle_number() refuses its text; or 0 with a sentence in `why`. */
static inline int trestle_number_is(const char* settings, const char* path, uint32_t kinds,
                                    char* why, uint32_t why_size) {
  char text[64];
  char words[256];
  char* unit = NULL;
  uint32_t kind = 0u;
  if (!trestle_setting(settings, path, text, sizeof(text))) return 1;
  strtod(text, &unit);
  while (unit != text && *unit == ' ') ++unit;
  trestle_unit_of(unit, &kind);
  if (kind == 0u || (kind & kinds) != 0u) return 1;
  trestle_kinds_in_words(kinds, words, sizeof(words));
  snprintf(why, why_size, "%s: is %s; must be %s", path, text, words);
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
