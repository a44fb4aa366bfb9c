import { RpcOutcome } from '../../../http/operator-http';
import { type ChainTip, ChainUnavailable, WrongNetwork } from '../payment-chain';

/**
 * Each reader throws ChainUnavailable for another type.
 * @param what the part, as the message names it; never the value, which anybody may have written
 */
export function recordOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw nonsense(what);
  }
  return value as Record<string, unknown>;
}

/** A longer list costs nothing: none of its entries is read. */
export function listOf(value: unknown, what: string, countMax = Infinity): unknown[] {
  if (!Array.isArray(value) || value.length > countMax) {
    throw nonsense(what);
  }
  return value;
}

export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') {
    throw nonsense(what);
  }
  return value;
}

/** A large one may have lost its last digits when its JSON was read. */
export function naturalOf(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw nonsense(what);
  }
  return value;
}

export function timeOf(value: unknown, what: string): Date | null {
  if (value === null || value === undefined) {
    return null;
  }
  const time = new Date(naturalOf(value, what) * 1_000);
  if (Number.isNaN(time.getTime())) {
    throw nonsense(what);
  }
  return time;
}

function nonsense(what: string): ChainUnavailable {
  return new ChainUnavailable(`the node's answer makes no sense: ${what}`);
}

export interface ListedSignature {
  signature: string;
  blockTime: Date | null;
}

export interface SignatureStatus {
  slot: number;
  commitment: 'processed' | 'confirmed' | 'finalized';
  confirmations: number;
}

const ROOTED_CONFIRMATIONS = 32;

/** The answer of getSignaturesForAddress, newest first. @throws ChainUnavailable */
export function listedSignatures(answer: unknown, countMax: number): ListedSignature[] {
  return listOf(answer, 'signatures', countMax).map((entry) => {
    const { signature, blockTime } = recordOf(entry, 'a listed signature');
    const text = textOf(signature, 'a signature');
    if (!isSignature(text)) {
      throw nonsense('a signature');
    }
    return { signature: text, blockTime: timeOf(blockTime, 'a block time') };
  });
}

/** Many are listed, and decoding each would take long. */
function isSignature(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text);
}

export function signatureStatuses(answer: unknown, count: number): (SignatureStatus | null)[] {
  const statuses = listOf(recordOf(answer, 'statuses').value, 'statuses');
  if (statuses.length !== count) {
    throw nonsense('as many statuses as signatures');
  }
  return statuses.map((status) => (status === null ? null : statusOf(recordOf(status, 'a status'))));
}

function statusOf({ slot, confirmations, confirmationStatus }: Record<string, unknown>): SignatureStatus {
  const commitment = textOf(confirmationStatus, 'a confirmation status');
  const height = naturalOf(slot, 'a slot');
  switch (commitment) {
    case 'processed':
      return { slot: height, commitment, confirmations: 0 };
    case 'finalized':
      return { slot: height, commitment, confirmations: ROOTED_CONFIRMATIONS };
    case 'confirmed': {
      // Null is rooted for this node alone; whether the network agrees is what the commitment says.
      const count = confirmations === null ? ROOTED_CONFIRMATIONS : naturalOf(confirmations, 'confirmations');
      return {
        slot: height,
        commitment,
        confirmations: Math.min(Math.max(count, 1), ROOTED_CONFIRMATIONS - 1),
      };
    }
    default:
      throw nonsense('a confirmation status');
  }
}

export const CLOCK_ACCOUNT = 'SysvarC1ock11111111111111111111111111111111';

/** The slot; when the epoch began, its number and that of the next schedule; the time in seconds since 1970. */
const CLOCK_BYTES = 40;
const TIME_AT = 32;
const SECONDS_MAX = 8_640_000_000_000n;

/** Of one and the same block: getSlot and getBlockTime would be two looks, and skipped slots have no time. */
export function tipOf(answer: unknown): ChainTip {
  const { value } = recordOf(answer, 'the clock');
  const { data } = recordOf(value, 'the clock');
  const bytes = Buffer.from(textOf(listOf(data, 'the clock')[0], 'the clock'), 'base64');
  if (bytes.length !== CLOCK_BYTES) {
    throw nonsense('the clock has another length');
  }
  const [slot, seconds] = [bytes.readBigUInt64LE(0), bytes.readBigInt64LE(TIME_AT)];
  if (slot > BigInt(Number.MAX_SAFE_INTEGER) || seconds <= 0n || seconds > SECONDS_MAX) {
    throw nonsense('the clock shows an impossible time');
  }
  return { height: Number(slot), time: new Date(Number(seconds) * 1_000) };
}

const NETWORKS = new Map([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'mainnet-beta'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'testnet'],
]);

export function solanaNetwork(genesisHash: unknown, environment: 'test' | 'live'): string {
  const hash = textOf(genesisHash, 'a genesis hash');
  const name = NETWORKS.get(hash) ?? `private-${hash.slice(0, 8)}`;
  if ((name === 'mainnet-beta') !== (environment === 'live')) {
    throw new WrongNetwork(`the Solana node is on ${name}, which is not for the ${environment} environment`);
  }
  return name;
}

export function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome === undefined || 'error' in outcome) {
    throw new ChainUnavailable('the node refuses a call', outcome?.error);
  }
  return outcome.result;
}
