/** What a single file may be, have and cost. */

/** How long a child process may work on a file before it is killed: with the kill, a refusal comes within five seconds. */
export const FILE_DEADLINE_MS = 4_700;
/** Text beyond it is cut off, in UTF-16 units. */
export const TEXT_CHARACTERS_MAX = 2_000_000;
export const PAGES_MAX = 2_000;
/** Of all frames of an animation together. */
export const IMAGE_PIXELS_MAX = 50_000_000;
/** Of an image that is written. */
export const IMAGE_SIDE_PIXELS_MAX = 8_192;
/** All entries of an archive together, inflated. */
export const INFLATED_BYTES_MAX = 64 * 1024 * 1024;
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** Tables of a file, their rows together, the columns of each, and the UTF-16 units of a cell. */
export const TABLES_MAX = 200;
export const TABLE_ROWS_MAX = 50_000;
export const TABLE_COLUMNS_MAX = 500;
export const TABLE_CELLS_MAX = 500_000;
export const CELL_CHARACTERS_MAX = 10_000;
/** Of all cells together, so that handing them over never holds up the service: as much as a text may have. */
export const TABLES_CHARACTERS_MAX = TEXT_CHARACTERS_MAX;
/** How deep elements, lists and JSON values may be nested. */
export const NESTING_MAX = 256;
