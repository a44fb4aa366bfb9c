import { readFileSync } from 'node:fs';
import type { FileReaders } from '../../src/files/file-readers';
import type { ReadTable } from '../../src/files/file-jobs';
import type { FileKind } from '../../src/files/sniff-file-kind';
import { datesIn } from '../../src/text/dates';
import { keyValuesIn, tablesIn } from '../../src/text/tables';

const FOLDER = 'test/fixtures/text';
const ORDER = { accountId: 'bench' };

interface TableCase {
  /** Both null where there is no table. */
  readonly header?: readonly string[] | null;
  readonly rows?: readonly (readonly string[])[] | null;
}

interface PdfCase extends TableCase {
  readonly file: string;
  readonly kind: string;
  /** Phrases in the order in which they are read, with any space as one. */
  readonly order: readonly string[];
  readonly form?: readonly (readonly [string, string])[];
  readonly dates?: readonly (string | null)[];
  /** A query whose words the text has whole, and how the text begins. */
  readonly search?: readonly (readonly [string, string])[];
}

interface TextCase extends TableCase {
  readonly id: string;
  readonly kind: FileKind;
  readonly text: string;
}

export const pdfCases = casesOf<PdfCase>('pdf.json');
export const tableCases = casesOf<TextCase>('tables.json');

/** The cases of a file of test/fixtures/text. */
export function casesOf<Case>(file: string): Case[] {
  return JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Case[];
}

/** What a file is read as, in the form of a case, so that both compare. */
export async function pdfAsRead(files: FileReaders, { file, ...expected }: PdfCase): Promise<PdfCase> {
  const { text, tables } = await files.read('pdf', readFileSync(`${FOLDER}/pdf/${file}`), ORDER);
  const flat = text.replaceAll(/\s+/g, ' ');
  const { order, form, dates, search } = expected;
  const pairs = keyValuesIn(text).map(({ key, value }) => [key, value] as const);
  return {
    ...expected,
    ...tableAsRead(tables, expected),
    file,
    order: [...order]
      .filter((phrase) => flat.includes(phrase))
      .sort((one, other) => flat.indexOf(one) - flat.indexOf(other)),
    ...(form && { form: pairs }),
    ...(dates && { dates: datesIn(text).map(({ date }) => date) }),
    ...(search && {
      search: search.map(([query, start]) => [
        query
          .split(' ')
          .filter((word) => flat.split(/[^\p{L}]+/u).includes(word))
          .join(' '),
        flat.slice(0, start.length),
      ]),
    }),
  };
}

export async function textAsRead(files: FileReaders, expected: TextCase): Promise<TextCase> {
  const { tables } = await files.read(expected.kind, Buffer.from(expected.text), ORDER);
  const seen = tables.length === 0 && expected.kind === 'txt' ? tablesIn(expected.text) : tables;
  return { ...expected, ...tableAsRead(seen, expected) };
}

/** The only table; null for none, or where the case expects none and there is one. */
function tableAsRead(tables: readonly ReadTable[], expected: TableCase): TableCase {
  const [table, ...others] = tables;
  if (table === undefined) {
    return expected.header ? { header: null, rows: null } : {};
  }
  return others.length === 0 ? { header: table.header, rows: table.rows } : { header: ['several'], rows: [] };
}
