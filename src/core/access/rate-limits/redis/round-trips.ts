import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedisConnection } from '../../../../infrastructure/redis/redis-connection';
import { RedisScript } from '../../../../infrastructure/redis/redis-script';
import type { RateDecision } from '../rate-limiter';
import { tripDecisions } from './trip-decisions';
import { tripParameters } from './trip-parameters';
import type { WaitingCall } from './waiting-call';

const TAKE_CALLS = new RedisScript(readFileSync(join(__dirname, 'take-calls.lua'), 'utf8'));

const CALLS_PER_TRIP_MAX = 100;
const WAITING_MAX = 5_000;
// When this process pauses, the time of a call can be over before the call is sent. Redis still gets this long to
// answer, because it is not to blame.
const TRIP_MS_MIN = 20;

/**
 * Sends calls to Redis in batches, one round trip at a time. Calls that arrive during a trip wait for the next one and
 * keep their order. So a single call leaves at once, and under load many calls share the cost of a trip.
 */
export class RoundTrips {
  private readonly waiting: WaitingCall[] = [];
  private isUnderWay = false;

  constructor(private readonly redis: RedisConnection) {}

  /** Whether so many calls wait that no more should be added. */
  get isFull(): boolean {
    return this.waiting.length >= WAITING_MAX;
  }

  /**
   * Decides one call in Redis.
   *
   * @throws RedisUnavailable when Redis fails, or has not answered when about the time-out of the connection is over,
   *   in which waiting for earlier calls is included. Redis may have counted the call all the same
   * @throws TypeError when the answer of Redis does not fit the calls
   */
  decide(call: Pick<WaitingCall, 'subjects' | 'windows' | 'timeMs'>): Promise<RateDecision> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        ...call,
        deadlineMs: performance.now() + this.redis.address.timeoutMs,
        resolve,
        reject,
      });
      if (!this.isUnderWay) {
        void this.run();
      }
    });
  }

  private async run(): Promise<void> {
    this.isUnderWay = true;
    while (this.waiting.length > 0) {
      await this.carry(this.waiting.splice(0, CALLS_PER_TRIP_MAX));
    }
    this.isUnderWay = false;
  }

  private async carry(calls: WaitingCall[]): Promise<void> {
    try {
      const { keys, values } = tripParameters(calls, this.redis.address.keyPrefix);
      const leftMs = (calls[0]?.deadlineMs ?? 0) - performance.now();
      const answer = await this.redis.run(TAKE_CALLS, keys, values, Math.max(TRIP_MS_MIN, leftMs));
      const decisions = tripDecisions(calls, answer);
      calls.forEach((call, index) => call.resolve(decisions[index] as RateDecision));
    } catch (error) {
      calls.forEach((call) => call.reject(error));
    }
  }
}
