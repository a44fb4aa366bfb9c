import { ChainUnavailable } from '../chain-errors';
import { listOf, naturalOf, recordOf, textOf, timeOf } from './answers';
import { type Instruction, systemTransfer } from './system-transfer';

/** An instruction names an account by one byte. */
const ACCOUNTS_MAX = 256;

/** The network runs 64 in one transaction, those that others call included. */
const INSTRUCTIONS_MAX = 256;

/** What a transaction meant for one address. */
export interface ReadTransaction {
  signature: string;
  slot: number;
  blockTime: Date | null;
  /** It is in a block, and moved nothing. */
  isFailed: boolean;
  /** Every account that it names, whether in itself or by a lookup table. */
  keys: ReadonlySet<string>;
  /** By how many lamports the address became richer; null where the node's numbers are too large to be exact. */
  increase: bigint | null;
  /** The transfers to the address, each no larger than what the address kept of all of them. */
  transfers: readonly ReadTransfer[];
}

export interface ReadTransfer {
  /** `signature:i` for an instruction, `signature:i.j` for one that it has called. */
  id: string;
  lamports: bigint;
  references: readonly string[];
}

/** A transaction, as far as it concerns one payment; small, whatever else it names and calls. */
export interface ReceivedTransaction {
  signature: string;
  slot: number;
  blockTime: Date | null;
  isFailed: boolean;
  arrivals: readonly Arrival[];
}

/** What a transaction brought to one payment. */
export interface Arrival {
  id: string;
  lamports: bigint;
}

/**
 * Reads what getTransaction answers in the encoding `json`, of a legacy or a version 0 transaction.
 * @throws ChainUnavailable for what is no such answer, and for another transaction than was asked for
 */
export function readTransaction(answer: unknown, signature: string, address: string): ReadTransaction {
  const { slot, blockTime, transaction, meta } = recordOf(answer, 'a transaction');
  const { signatures, message } = recordOf(transaction, 'a transaction');
  if (listOf(signatures, 'signatures')[0] !== signature) {
    throw new ChainUnavailable('the node answered with another transaction than was asked for');
  }
  const { accountKeys, instructions } = recordOf(message, 'a message');
  const { err, preBalances, postBalances, innerInstructions, loadedAddresses } = recordOf(meta, 'meta');
  const keys = [...textsOf(accountKeys), ...loadedKeys(loadedAddresses)];
  const isFailed = err !== null && err !== undefined;
  const change = changeOf(preBalances, postBalances, keys, address);
  const all = transfersOf(
    listOf(instructions, 'instructions', INSTRUCTIONS_MAX),
    innerInstructions,
    keys,
    signature,
    address,
  );
  return {
    signature,
    slot: naturalOf(slot, 'a slot'),
    blockTime: timeOf(blockTime, 'a block time'),
    isFailed,
    keys: new Set(keys),
    increase: change,
    transfers: isFailed || change === null ? all : bounded(all, change),
  };
}

/**
 * What a transaction brought to the payment with this reference, or to the payment whose own the address is (null). Where
 * no transfer carries the reference, as with a contract that pays, it is the increase less what transfers with references
 * of others brought.
 */
export function arrivalsOf(transaction: ReadTransaction, reference: string | null): Arrival[] {
  const { signature, isFailed, keys, increase, transfers } = transaction;
  const own =
    reference === null ? transfers : transfers.filter((each) => each.references.includes(reference));
  const isTold = own.length > 0 && reference !== null;
  if (isFailed || isTold || (reference !== null && !keys.has(reference))) {
    return own.map(({ id, lamports }) => ({ id, lamports }));
  }
  const attributed = reference === null ? own : transfers.filter((each) => each.references.length > 0);
  const rest = (increase ?? 0n) - attributed.reduce((sum, { lamports }) => sum + lamports, 0n);
  return [
    ...own.map(({ id, lamports }) => ({ id, lamports })),
    ...(rest > 0n ? [{ id: `${signature}:balance`, lamports: rest }] : []),
  ];
}

export function receivedBy(reference: string | null, transaction: ReadTransaction): ReceivedTransaction {
  const { signature, slot, blockTime, isFailed } = transaction;
  return { signature, slot, blockTime, isFailed, arrivals: arrivalsOf(transaction, reference) };
}

function textsOf(value: unknown): string[] {
  return listOf(value, 'account keys', ACCOUNTS_MAX).map((key) => textOf(key, 'an account key'));
}

/** Absent in legacy transactions of some nodes. */
function loadedKeys(value: unknown): string[] {
  if (value === null || value === undefined) {
    return [];
  }
  const { writable, readonly } = recordOf(value, 'loaded addresses');
  return [...textsOf(writable), ...textsOf(readonly)];
}

function changeOf(before: unknown, after: unknown, keys: readonly string[], address: string): bigint | null {
  const [pre, post] = [before, after].map((each) =>
    listOf(each, 'balances', ACCOUNTS_MAX * 3).map((lamports) => naturalOf(lamports, 'a balance')),
  );
  if (pre?.length !== keys.length || post?.length !== keys.length) {
    throw new ChainUnavailable("the node's answer makes no sense: as many balances as accounts");
  }
  const index = keys.indexOf(address);
  const [was, is] = [pre[index] ?? 0, post[index] ?? 0];
  return Number.isSafeInteger(was) && Number.isSafeInteger(is) ? BigInt(is - was) : null;
}

function transfersOf(
  outer: readonly unknown[],
  inner: unknown,
  keys: readonly string[],
  signature: string,
  address: string,
): ReadTransfer[] {
  const called = new Map<number, unknown[]>();
  // Null where a node does not keep what instructions called; what those moved is then in the balances alone.
  for (const group of inner === null || inner === undefined
    ? []
    : listOf(inner, 'inner instructions', INSTRUCTIONS_MAX)) {
    const { index, instructions } = recordOf(group, 'inner instructions');
    called.set(naturalOf(index, 'an index'), listOf(instructions, 'inner instructions', INSTRUCTIONS_MAX));
  }
  const numbered = outer.flatMap((instruction, i) => [
    { id: `${signature}:${i}`, instruction },
    ...(called.get(i) ?? []).map((each, j) => ({ id: `${signature}:${i}.${j}`, instruction: each })),
  ]);
  if (numbered.length > INSTRUCTIONS_MAX) {
    throw new ChainUnavailable("the node's answer makes no sense: more instructions than there can be");
  }
  return numbered.flatMap(({ id, instruction }) => {
    const transfer = systemTransfer(lookedUp(instruction, keys));
    const isArrival = transfer?.to === address && transfer.from !== address && transfer.lamports > 0n;
    return isArrival ? [{ id, lamports: transfer.lamports, references: transfer.references }] : [];
  });
}

function lookedUp(value: unknown, keys: readonly string[]): Instruction {
  const { programIdIndex, accounts, data } = recordOf(value, 'an instruction');
  const keyAt = (index: unknown): string => textOf(keys[naturalOf(index, 'an index')], 'an index');
  return {
    program: keyAt(programIdIndex),
    accounts: listOf(accounts, 'accounts', ACCOUNTS_MAX).map(keyAt),
    data: textOf(data, 'an instruction'),
  };
}

/** A transaction can also take from the address, where its owner signs; then less was paid than was transferred. */
function bounded(transfers: readonly ReadTransfer[], change: bigint): ReadTransfer[] {
  let left = change > 0n ? change : 0n;
  return transfers.flatMap((transfer) => {
    const lamports = transfer.lamports < left ? transfer.lamports : left;
    left -= lamports;
    return lamports > 0n ? [{ ...transfer, lamports }] : [];
  });
}
