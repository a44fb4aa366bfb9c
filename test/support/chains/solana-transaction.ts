import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { randomBytes } from 'node:crypto';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/** The number of the system program's instruction `Transfer`. */
const TRANSFER = 2;

export interface SolanaKey {
  address: string;
  secret: Uint8Array;
}

export interface SolanaTransfer {
  to: string;
  lamports: bigint;
  /** Keys that take no part in the transfer, by which it can be found: Solana Pay's references. */
  references?: string[];
}

export function freshSolanaKey(): SolanaKey {
  const secret = new Uint8Array(randomBytes(32));
  return { address: base58.encode(ed25519.getPublicKey(secret)), secret };
}

/** An address whose key nobody has, or a reference. */
export function freshSolanaAddress(): string {
  return freshSolanaKey().address;
}

/**
 * A signed transaction in the legacy format, as base64: one instruction of the system program for each transfer.
 * https://solana.com/docs/core/transactions
 *
 * @param blockhash a recent one
 */
export function signTransfers(from: SolanaKey, transfers: SolanaTransfer[], blockhash: string): string {
  // The order is the format's: who signs, who is written to, who is only read.
  const written = new Set([from.address, ...transfers.map(({ to }) => to)]);
  const read = new Set([...transfers.flatMap(({ references = [] }) => references), SYSTEM_PROGRAM]);
  const readOnly = [...read].filter((key) => !written.has(key));
  const keys = [...written, ...readOnly];
  const instructions = transfers.map(({ to, lamports, references = [] }) => [
    keys.indexOf(SYSTEM_PROGRAM),
    ...counted([from.address, to, ...references].map((key) => [keys.indexOf(key)])),
    ...counted([...transferInput(lamports)].map((byte) => [byte])),
  ]);
  const message = Uint8Array.from([
    // One signature is needed; no signer and these last keys are only read.
    ...[1, 0, readOnly.length],
    ...counted(keys.map((key) => [...base58.decode(key)])),
    ...base58.decode(blockhash),
    ...counted(instructions),
  ]);
  const signature = ed25519.sign(message, from.secret);
  return Buffer.from([...counted([[...signature]]), ...message]).toString('base64');
}

/** A list after its length, which is one byte for all that fits into a transaction here. */
function counted(items: number[][]): number[] {
  if (items.length > 127) {
    throw new Error('a longer list has a longer length');
  }
  return [items.length, ...items.flat()];
}

function transferInput(lamports: bigint): Buffer {
  const input = Buffer.alloc(12);
  input.writeUInt32LE(TRANSFER, 0);
  input.writeBigUInt64LE(lamports, 4);
  return input;
}
