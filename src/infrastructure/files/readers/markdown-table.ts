import { TEXT_CHARACTERS_MAX } from '../file-limits';
import type { ReadTable } from '../read-file';

/** A table as Markdown writes it, until it is as long as a text may be. */
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
