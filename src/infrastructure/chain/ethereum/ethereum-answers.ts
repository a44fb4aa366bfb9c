import { OperatorCallFailed } from '../../operator-http/operator-http';

/** More wei than there will ever be. A node that tells of more is broken, or lies. */
const WEI_MAX = 10n ** 27n;
/** The latest second that a Date can be of. */
const SECONDS_MAX = 8_640_000_000_000;

export interface Block {
  number: number;
  hash: string;
  time: Date;
}

export interface BlockTransaction {
  hash: string;
  /** In lower case; null for one that makes a contract. */
  to: string | null;
  value: bigint;
}

/** @throws OperatorCallFailed for all that is not hexadecimal with a prefix, or of more than 256 bits */
export function quantityOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) {
    throw nonsense('a quantity');
  }
  return BigInt(value);
}

export function weiOf(value: unknown): bigint {
  const wei = quantityOf(value);
  if (wei > WEI_MAX) {
    throw nonsense('an amount');
  }
  return wei;
}

export function countOf(value: unknown): number {
  const count = quantityOf(value);
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw nonsense('a count');
  }
  return Number(count);
}

export function blockOf(value: unknown): Block {
  const { number, hash, timestamp } = objectOf(value);
  const seconds = countOf(timestamp);
  if (seconds > SECONDS_MAX) {
    throw nonsense('a time');
  }
  return { number: countOf(number), hash: hashOf(hash), time: new Date(seconds * 1000) };
}

/** The transactions of a block that was asked for in full. */
export function transactionsOf(value: unknown): BlockTransaction[] {
  const { transactions } = objectOf(value);
  if (!Array.isArray(transactions)) {
    throw nonsense('transactions');
  }
  return transactions.map((transaction: unknown) => {
    const { hash, to, value: wei } = objectOf(transaction);
    return {
      hash: hashOf(hash),
      to: typeof to === 'string' ? to.toLowerCase() : null,
      value: quantityOf(wei),
    };
  });
}

/** Whether a transaction did what it says. Before 2017 receipts did not tell. */
export function isSuccess(receipt: unknown): boolean {
  return objectOf(receipt).status === '0x1';
}

function hashOf(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) {
    throw nonsense('a hash');
  }
  return value.toLowerCase();
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) {
    throw nonsense('an object');
  }
  return value as Record<string, unknown>;
}

function nonsense(what: string): OperatorCallFailed {
  return new OperatorCallFailed(`the node answered no ${what.replace(/^an? /, '')} that makes sense`);
}
