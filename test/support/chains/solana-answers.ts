import { base58 } from '@scure/base';
import { randomBytes } from 'node:crypto';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** An instruction with its accounts written out. */
export interface WrittenInstruction {
  program?: string;
  accounts: string[];
  /** Base58. */
  data: string;
  /** What it called. */
  calls?: WrittenInstruction[];
}

export interface WrittenTransaction {
  signature?: string;
  slot?: number;
  instructions: WrittenInstruction[];
  /** By how many lamports each account changes; numbers, as JSON has them. */
  changes?: Record<string, number>;
  /** What accounts had before; a million by default. */
  before?: Record<string, number>;
  /** Accounts that come from a lookup table, for a transaction of version 0. */
  loaded?: { writable: string[]; readonly: string[] };
  version?: number;
  err?: unknown;
}

export function freshSignature(): string {
  return base58.encode(randomBytes(64));
}

/** The input of the system program's `Transfer`. */
export function transferData(lamports: bigint, kind = 2): string {
  const input = Buffer.alloc(12);
  input.writeUInt32LE(kind, 0);
  input.writeBigUInt64LE(lamports, 4);
  return base58.encode(input);
}

/** What getTransaction answers in the encoding `json`. */
export function transactionAnswer(written: WrittenTransaction): Record<string, unknown> {
  const { instructions, changes = {}, before = {}, loaded, version, err = null } = written;
  const { signature = freshSignature(), slot = 7 } = written;
  const called = instructions.flatMap(({ calls = [] }) => calls);
  const named = [...instructions, ...called].flatMap((each) => [
    ...each.accounts,
    each.program ?? SYSTEM_PROGRAM,
  ]);
  const fromTables = loaded ? [...loaded.writable, ...loaded.readonly] : [];
  const own = [...new Set([...named, ...Object.keys(changes)])].filter((key) => !fromTables.includes(key));
  const keys = [...own, ...fromTables];
  const compiled = ({ program = SYSTEM_PROGRAM, accounts, data }: WrittenInstruction) => ({
    programIdIndex: keys.indexOf(program),
    accounts: accounts.map((account) => keys.indexOf(account)),
    data,
    stackHeight: null,
  });
  const had = keys.map((key) => before[key] ?? 1_000_000);
  return {
    slot,
    blockTime: 1_790_000_000,
    version: version ?? (loaded ? 0 : 'legacy'),
    transaction: {
      signatures: [signature],
      message: { accountKeys: own, instructions: instructions.map(compiled) },
    },
    meta: {
      err,
      preBalances: had,
      postBalances: keys.map((key, index) => (had[index] ?? 0) + (changes[key] ?? 0)),
      innerInstructions: instructions.flatMap(({ calls }, index) =>
        calls ? [{ index, instructions: calls.map(compiled) }] : [],
      ),
      ...(loaded ? { loadedAddresses: loaded } : {}),
    },
  };
}
