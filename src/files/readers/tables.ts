import type { ReadTable } from '../file-jobs';
import {
  CELL_CHARACTERS_MAX,
  TABLE_CELLS_MAX,
  TABLE_COLUMNS_MAX,
  TABLE_ROWS_MAX,
  TABLES_CHARACTERS_MAX,
  TABLES_MAX,
  TEXT_CHARACTERS_MAX,
} from '../file-limits';

/** Collects tables up to the bounds of tables, rows, cells and text. */
export class BoundedTables {
  readonly tables: ReadTable[] = [];
  isCut = false;
  private rows = 0;
  private cells = 0;
  private characters = 0;

  add([header, ...rows]: readonly (readonly string[])[]): void {
    if (header === undefined) {
      return;
    }
    if (this.tables.length >= TABLES_MAX) {
      this.isCut = true;
      return;
    }
    const first = this.row(header);
    if (first === null) {
      this.isCut = true;
      return;
    }
    const table: ReadTable = { header: first, rows: [] };
    this.tables.push(table);
    for (const row of rows) {
      const isFull = this.rows >= TABLE_ROWS_MAX || this.cells >= TABLE_CELLS_MAX;
      const kept = isFull ? null : this.row(row);
      if (kept === null) {
        this.isCut = true;
        return;
      }
      table.rows.push(kept);
    }
  }

  /** Null where the row has more text than there is room for. */
  private row(cells: readonly string[]): string[] | null {
    const kept = cells
      .slice(0, TABLE_COLUMNS_MAX)
      .map((cell) => cell.slice(0, CELL_CHARACTERS_MAX).toWellFormed());
    this.isCut ||=
      cells.length > TABLE_COLUMNS_MAX || cells.some((cell) => cell.length > CELL_CHARACTERS_MAX);
    const characters = kept.reduce((sum, cell) => sum + cell.length, 0);
    if (this.characters + characters > TABLES_CHARACTERS_MAX) {
      return null;
    }
    this.characters += characters;
    this.rows += 1;
    this.cells += kept.length;
    return kept;
  }
}

/** Cut where it is as long as a text may be. */
export function markdownTable({ header, rows }: ReadTable): string {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const lines = [lineOf(header, columns), `|${' --- |'.repeat(columns)}`];
  let length = 0;
  for (const row of rows) {
    const line = lineOf(row, columns);
    length += line.length + 1;
    if (length > TEXT_CHARACTERS_MAX) {
      break;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

function lineOf(cells: readonly string[], columns: number): string {
  const padded = Array.from({ length: columns }, (_, column) => escaped(cells[column] ?? ''));
  return `| ${padded.join(' | ')} |`;
}

function escaped(cell: string): string {
  return cell.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}
