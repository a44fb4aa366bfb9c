import {
  CELL_CHARACTERS_MAX,
  TABLE_CELLS_MAX,
  TABLE_COLUMNS_MAX,
  TABLE_ROWS_MAX,
  TABLES_MAX,
} from '../file-limits';
import type { ReadTable } from '../read-file';

/** Collects tables until together they have as many tables, rows and cells as are handed on. */
export class BoundedTables {
  readonly tables: ReadTable[] = [];
  /** Whether something was left out. */
  isCut = false;
  private rows = 0;
  private cells = 0;

  /** Adds a table whose first row is its header. */
  add([header, ...rows]: readonly (readonly string[])[]): void {
    if (header === undefined) {
      return;
    }
    if (this.tables.length >= TABLES_MAX) {
      this.isCut = true;
      return;
    }
    const table: ReadTable = { header: this.row(header), rows: [] };
    this.tables.push(table);
    for (const row of rows) {
      if (this.rows >= TABLE_ROWS_MAX || this.cells >= TABLE_CELLS_MAX) {
        this.isCut = true;
        return;
      }
      table.rows.push(this.row(row));
    }
  }

  private row(cells: readonly string[]): string[] {
    const kept = cells
      .slice(0, TABLE_COLUMNS_MAX)
      .map((cell) => cell.slice(0, CELL_CHARACTERS_MAX).toWellFormed());
    this.isCut ||=
      cells.length > TABLE_COLUMNS_MAX || cells.some((cell) => cell.length > CELL_CHARACTERS_MAX);
    this.rows += 1;
    this.cells += kept.length;
    return kept;
  }
}
