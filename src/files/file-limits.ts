/** Then the child process is killed, so that a refusal comes within five seconds. */
export const FILE_DEADLINE_MS = 4_700;
/** In UTF-16 units; the rest is cut off. */
export const TEXT_CHARACTERS_MAX = 2_000_000;
export const PAGES_MAX = 2_000;
/** Of all frames of an animation together. */
export const IMAGE_PIXELS_MAX = 50_000_000;
export const IMAGE_SIDE_PIXELS_MAX = 8_192;
/** All entries of an archive together, inflated. */
export const INFLATED_BYTES_MAX = 64 * 1024 * 1024;
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** Of one file: rows of all its tables, columns of each, UTF-16 units of a cell. */
export const TABLES_MAX = 200;
export const TABLE_ROWS_MAX = 50_000;
export const TABLE_COLUMNS_MAX = 500;
export const TABLE_CELLS_MAX = 500_000;
export const CELL_CHARACTERS_MAX = 10_000;
/** Of all cells together, so that copying them never blocks the service. */
export const TABLES_CHARACTERS_MAX = TEXT_CHARACTERS_MAX;
export const NESTING_MAX = 256;
