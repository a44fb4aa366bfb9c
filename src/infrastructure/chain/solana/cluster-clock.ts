import { ChainUnavailable } from '../chain-errors';
import { type ChainTip } from '../payment-chain';
import { listOf, recordOf, textOf } from './answers';

/** The account in which each slot leaves its number and its time. */
export const CLOCK_ACCOUNT = 'SysvarC1ock11111111111111111111111111111111';

/** The number of the slot; when the epoch began, its number and that of the next schedule; the time in seconds since 1970. */
const CLOCK_BYTES = 40;
const TIME_AT = 32;
const SECONDS_MAX = 8_640_000_000_000n;

/**
 * Slot and time of one and the same block: getSlot and getBlockTime would be two looks, and skipped slots have no time.
 * @param answer of getAccountInfo for {@link CLOCK_ACCOUNT} in base64
 * @throws ChainUnavailable
 */
export function tipOf(answer: unknown): ChainTip {
  const { value } = recordOf(answer, 'the clock');
  const { data } = recordOf(value, 'the clock');
  const bytes = Buffer.from(textOf(listOf(data, 'the clock')[0], 'the clock'), 'base64');
  if (bytes.length !== CLOCK_BYTES) {
    throw new ChainUnavailable("the node's answer makes no sense: the clock has another length");
  }
  const [slot, seconds] = [bytes.readBigUInt64LE(0), bytes.readBigInt64LE(TIME_AT)];
  if (slot > BigInt(Number.MAX_SAFE_INTEGER) || seconds <= 0n || seconds > SECONDS_MAX) {
    throw new ChainUnavailable("the node's answer makes no sense: the clock shows an impossible time");
  }
  return { height: Number(slot), time: new Date(Number(seconds) * 1_000) };
}
