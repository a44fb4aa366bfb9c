import { createInterface } from 'node:readline/promises';
import { CommandFailure, EXIT } from './failures';

/** What a command reads and writes. Results go to `output`; everything else to `errors`, so that results can be piped. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
  errors: NodeJS.WritableStream & { isTTY?: boolean };
}

/**
 * Accounts choose their names, reasons and addresses: what would move the cursor, change colours or turn the direction of
 * writing could make a row look like another.
 */
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export interface Column<Row> {
  title: string;
  value: (row: Row) => string | number | boolean | null;
}

/** Asks before something is destroyed. Where nobody can be asked, the command has to say --yes. */
export async function confirm(terminal: Terminal, question: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) {
    return;
  }
  if (terminal.input.isTTY !== true) {
    throw new CommandFailure(`${question} Nobody can be asked here: say --yes.`, EXIT.unconfirmed);
  }
  const lines = createInterface({ input: terminal.input, output: terminal.errors });
  const answer = await lines.question(`${printable(question)} [y/N] `).finally(() => lines.close());
  if (!/^y(?:es)?$/i.test(answer.trim())) {
    throw new CommandFailure('Nothing was done.', EXIT.unconfirmed);
  }
}

/** Says how far long work is, on one line that is written over; in a log it would only be noise. */
export function printProgress({ errors }: Pick<Terminal, 'errors'>, text: string): void {
  if (errors.isTTY === true) {
    errors.write(`\r\u001b[K${printable(text)}`);
  }
}

export function endProgress(terminal: Pick<Terminal, 'errors'>): void {
  printProgress(terminal, '');
}

/** JSON in which deceptive characters stand as escapes: JSON.stringify leaves those above U+007E as they are. */
export function printJson(terminal: Terminal, value: unknown): void {
  const lines = JSON.stringify(value, null, 2).split('\n');
  const escaped = lines.map((line) =>
    line.replaceAll(DECEPTIVE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  terminal.output.write(`${escaped.join('\n')}\n`);
}

/** Rows under their titles; numbers stand at the right of their column. */
export function printTable<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  const cells = rows.map((row) => columns.map(({ value }) => cellOf(value(row))));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((row) => row[index]?.text.length ?? 0)),
  );
  const line = (row: readonly { text: string; isNumber: boolean }[]) =>
    row
      .map(({ text, isNumber }, index) =>
        isNumber ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const titles = columns.map(({ title }, index) => ({
    text: title,
    isNumber: cells.length > 0 && cells.every((row) => row[index]?.isNumber),
  }));
  terminal.output.write(`${[titles, ...cells].map(line).join('\n')}\n`);
}

/** One thing: the names of its fields beside their values. */
export function printFields(
  terminal: Terminal,
  fields: Record<string, string | number | boolean | null>,
): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    terminal.output.write(`${name.padEnd(width)}  ${cellOf(value).text}`.trimEnd() + '\n');
  }
}

/** USD without an exponent: 1e-9 is 0.000000001. */
export function usd(amount: number): string {
  return amount.toFixed(9).replace(/\.?0+$/, '');
}

function cellOf(value: string | number | boolean | null): { text: string; isNumber: boolean } {
  const text = value === null ? '-' : printable(String(value));
  return { text, isNumber: typeof value === 'number' || /^-?\d+(?:\.\d+)?$/.test(text) };
}

/** The text with a mark in place of each deceptive character. */
export function printable(text: string): string {
  return text.replaceAll(DECEPTIVE, '\ufffd');
}
