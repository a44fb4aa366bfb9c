import { formatUsd } from './money';
import type { Transaction } from './transactions';

export const CSV_HEAD = {
  status: 200,
  headers: {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': 'attachment; filename="transactions.csv"',
  },
};

const NAMES = [
  'created_at',
  'type',
  'amount_usd',
  'balance_after_usd',
  'description',
  'request_id',
  'key_id',
  'reference_id',
  'id',
];

const encoder = new TextEncoder();

/** Transactions as comma-separated values with a line of names (RFC 4180). */
export async function* csvOf(pages: AsyncIterable<readonly Transaction[]>): AsyncGenerator<Uint8Array> {
  yield encoder.encode(`${NAMES.join(',')}\r\n`);
  for await (const page of pages) {
    yield encoder.encode(page.map((transaction) => `${line(transaction)}\r\n`).join(''));
  }
}

function line(transaction: Transaction): string {
  return [
    transaction.createdAt.toISOString(),
    transaction.type,
    formatUsd(transaction.amountNanoUsd),
    formatUsd(transaction.balanceAfterNanoUsd),
    textCell(transaction.description),
    textCell(transaction.requestId),
    textCell(transaction.keyId),
    textCell(transaction.referenceId),
    transaction.id,
  ].join(',');
}

/** What spreadsheets begin a formula with; also behind white space, which some of them skip (OWASP, CSV Injection). */
const FORMULA = /^\s*[=+\-@\t\r]/;

export function textCell(text: string | null): string {
  if (text === null) {
    return '';
  }
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
