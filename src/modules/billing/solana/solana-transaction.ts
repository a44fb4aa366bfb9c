import { base58 } from '@scure/base';
import { LRUCache } from 'lru-cache';
import { ChainUnavailable } from '../payment-chain';
import { listOf, naturalOf, recordOf, textOf, timeOf } from './solana-rpc';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const TRANSFER = 2;
const TRANSFER_WITH_SEED = 11;

/** The longest input of the two, with the longest seed, has 84 bytes. */
const INPUT_LENGTH_MAX = 116;

/** More than there will ever be; an instruction can claim any number. */
const LAMPORTS_MAX = 10n ** 18n;

interface Instruction {
  program: string;
  accounts: readonly string[];
  data: string;
}

interface SystemTransfer {
  from: string;
  to: string;
  lamports: bigint;
  /** The accounts after those that the program needs, where Solana Pay puts references. */
  references: readonly string[];
}

/** `Transfer` and `TransferWithSeed`, from the instruction's bytes: JSON numbers lose digits of large amounts. */
function systemTransfer({ program, accounts, data }: Instruction): SystemTransfer | null {
  if (program !== SYSTEM_PROGRAM || data.length > INPUT_LENGTH_MAX) {
    return null;
  }
  const input = base58Bytes(data);
  if (input === null || input.length < 12) {
    return null;
  }
  const kind = input.readUInt32LE(0);
  const lamports = input.readBigUInt64LE(4);
  // With a seed, the sender's base account stands between sender and receiver.
  const receiver = kind === TRANSFER ? 1 : kind === TRANSFER_WITH_SEED ? 2 : null;
  const [from, to] = [accounts[0], receiver === null ? undefined : accounts[receiver]];
  if (from === undefined || to === undefined || receiver === null || lamports > LAMPORTS_MAX) {
    return null;
  }
  return { from, to, lamports, references: accounts.slice(receiver + 1) };
}

export function base58Bytes(data: string): Buffer | null {
  try {
    return Buffer.from(base58.decode(data));
  } catch {
    return null;
  }
}

const ACCOUNTS_MAX = 256;

/** The network runs 64 in one transaction, inner ones included. */
const INSTRUCTIONS_MAX = 256;

interface ReadTransaction extends Omit<ReceivedTransaction, 'arrivals'> {
  address: string;
  keys: ReadonlySet<string>;
  /** By how many lamports the address grew; null where the node's numbers are too large to be exact. */
  increase: bigint | null;
  /** To the address, each no larger than what the address kept of all of them. */
  transfers: readonly ReadTransfer[];
}

interface ReadTransfer {
  /** `signature:i` for an instruction, `signature:i.j` for an inner one. */
  id: string;
  lamports: bigint;
  references: readonly string[];
}

export interface ReceivedTransaction {
  signature: string;
  slot: number;
  blockTime: Date | null;
  isFailed: boolean;
  arrivals: readonly Arrival[];
}

interface Arrival {
  id: string;
  lamports: bigint;
}

/** Reads only what all known versions have. @throws ChainUnavailable also where it is missing */
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
    address,
    slot: naturalOf(slot, 'a slot'),
    blockTime: timeOf(blockTime, 'a block time'),
    isFailed,
    keys: new Set(keys),
    increase: change,
    transfers: isFailed || change === null ? all : bounded(all, change),
  };
}

/** Where no transfer carries the reference, as when a contract pays, it is the increase less others' transfers. */
export function arrivalsOf(transaction: ReadTransaction, reference: string | null): Arrival[] {
  const { signature, address, isFailed, keys, increase, transfers } = transaction;
  const own =
    reference === null ? transfers : transfers.filter((each) => each.references.includes(reference));
  const namesReference = own.length > 0 && reference !== null;
  if (isFailed || namesReference || (reference !== null && !keys.has(reference))) {
    return own.map(({ id, lamports }) => ({ id, lamports }));
  }
  const attributed = reference === null ? own : transfers.filter((each) => each.references.length > 0);
  const rest = (increase ?? 0n) - attributed.reduce((sum, { lamports }) => sum + lamports, 0n);
  return [
    ...own.map(({ id, lamports }) => ({ id, lamports })),
    ...(rest > 0n
      ? [{ id: `${signature}:${reference === null ? address : 'balance'}`, lamports: rest }]
      : []),
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
  // Null where a node keeps no inner instructions; their effect is then only in the balances.
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

/** With the owner's signature a transaction can also take from the address: then less was paid than transferred. */
function bounded(transfers: readonly ReadTransfer[], change: bigint): ReadTransfer[] {
  let left = change > 0n ? change : 0n;
  return transfers.flatMap((transfer) => {
    const lamports = transfer.lamports < left ? transfer.lamports : left;
    left -= lamports;
    return lamports > 0n ? [{ ...transfer, lamports }] : [];
  });
}

/** Transactions and their transfers, up to 256 each. */
const KEPT_MAX = 150_000;

const LATE_MAX = 500;

export interface TransactionFor {
  signature: string;
  address: string;
  reference: string | null;
}

interface KeptTransaction {
  transaction: ReceivedTransaction;
  isFinal: boolean;
}

/** A transaction is read once, and again where a fork has put it into another slot. */
export class TransactionMemory {
  private readonly kept = new LRUCache<string, KeptTransaction>({
    maxSize: KEPT_MAX,
    sizeCalculation: ({ transaction }) => 1 + transaction.arrivals.length,
  });
  late: readonly string[] = [];

  find(which: TransactionFor): KeptTransaction | undefined {
    return this.kept.peek(keyOf(which));
  }

  keep(which: TransactionFor, kept: KeptTransaction): void {
    this.kept.set(keyOf(which), kept);
  }

  putOff(signatures: readonly string[]): void {
    const now = new Set(signatures);
    this.late = [...this.late.filter((each) => !now.has(each)), ...now].slice(-LATE_MAX);
  }
}

function keyOf({ signature, address, reference }: TransactionFor): string {
  return `${signature} ${address} ${reference ?? ''}`;
}
