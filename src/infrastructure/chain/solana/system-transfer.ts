import { base58 } from '@scure/base';

/** The program that moves SOL between accounts. */
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const TRANSFER = 2;
const TRANSFER_WITH_SEED = 11;

/** The longest input of the two, with the longest seed, has 84 bytes; no more is decoded. */
const INPUT_LENGTH_MAX = 116;

/** There will never be as many lamports; an instruction can say any number. */
const LAMPORTS_MAX = 10n ** 18n;

/** One instruction with its accounts looked up. */
export interface Instruction {
  program: string;
  accounts: readonly string[];
  /** Base58. */
  data: string;
}

export interface SystemTransfer {
  from: string;
  to: string;
  lamports: bigint;
  /** The accounts behind those that the program needs; the program ignores them, and Solana Pay puts references there. */
  references: readonly string[];
}

/**
 * Reads `Transfer` and `TransferWithSeed` of the system program, the amount from the instruction's own bytes: JSON numbers
 * lose the last digits of a large one.
 * @returns null for any other instruction, and for an amount that no transfer can have
 */
export function systemTransfer({ program, accounts, data }: Instruction): SystemTransfer | null {
  if (program !== SYSTEM_PROGRAM || data.length > INPUT_LENGTH_MAX) {
    return null;
  }
  const input = decoded(data);
  if (input === null || input.length < 12) {
    return null;
  }
  const kind = input.readUInt32LE(0);
  const lamports = input.readBigUInt64LE(4);
  // With a seed, the account that the sender was derived from stands between sender and receiver.
  const receiver = kind === TRANSFER ? 1 : kind === TRANSFER_WITH_SEED ? 2 : null;
  const [from, to] = [accounts[0], receiver === null ? undefined : accounts[receiver]];
  if (from === undefined || to === undefined || receiver === null || lamports > LAMPORTS_MAX) {
    return null;
  }
  return { from, to, lamports, references: accounts.slice(receiver + 1) };
}

function decoded(data: string): Buffer | null {
  try {
    return Buffer.from(base58.decode(data));
  } catch {
    return null;
  }
}
