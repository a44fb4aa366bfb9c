import { countTokens } from '../../../src/text/count-tokens';
import { Ledger } from '../../../src/ledger/ledger';
import type { TestService } from '../api/service';
import { createAccount, type TestAccount } from '../api/world';
import { ledgerFaults } from '../ledger/ledger-faults';
import { priceNanoUsd } from '../ledger/call-outcome';
import { until } from '../until';
import type { LedStream, LedStreams } from './led-streams';
import { openReservations } from '../ledger/open-reservations';

const OUTPUT_TOKENS_MAX = 1_000;
const AT_ONCE = 20;
const AFFORDABLE = 5;

export interface SharedStreams {
  service: TestService;
  led: LedStreams;
  /** Where calls go by turns; all of these serve from the service's database, with the led streams as their upstream. */
  urls: readonly string[];
}

/** One price for all: how many streams a cap has room for is then a matter of division. */
export function itCapsStreams(start: () => Promise<SharedStreams> | SharedStreams): void {
  let service: TestService;
  let led: LedStreams;
  let urls: readonly string[];
  /** What each stream reserves. */
  let reservedNanoUsd: bigint;
  /** What was counted as its input. */
  let inputTokens: number;

  beforeAll(async () => {
    ({ service, led, urls } = await start());
    const account = await createAccount(service, { creditUsd: '1' });
    const [stream] = begin(account, 'measured', 1);
    await stream?.call.receives(0);
    await until('it is reserved', async () => (await spending(account)).reservedNanoUsd > 0n);
    ({ reservedNanoUsd } = await spending(account));
    inputTokens = Number((reservedNanoUsd - priceNanoUsd(OUTPUT_TOKENS_MAX)) / 10_000n);
    stream?.lockStep.releaseAll();
    await stream?.call.ends();
  });

  const begin = (account: TestAccount, name: string, count: number): LedStream[] =>
    Array.from({ length: count }, (_, index) => {
      const fields = { key: account.key, outputTokensMax: OUTPUT_TOKENS_MAX };
      return led.begin({ url: urls[index % urls.length] ?? '', requestId: `${name}-${index}`, ...fields });
    });
  const spending = async ({ id }: TestAccount) => service.app.get(Ledger).balance(id);

  /** Those that got through; the others were refused. Each of them has one piece then, and stands still. */
  const admitted = async (streams: readonly LedStream[], refusal: string): Promise<LedStream[]> => {
    const outcomes = await Promise.all(
      streams.map(async (stream) => {
        const delivery = led.deliver(stream, 1).catch(() => null);
        await until('it is answered', () => stream.call.status !== null);
        return { stream, isServed: stream.call.status === 200, delivery };
      }),
    );
    for (const { stream, isServed, delivery } of outcomes) {
      await delivery;
      if (!isServed) {
        expect(stream.call.status).toBe(402);
        expect(JSON.parse(stream.call.text)).toMatchObject({ error: refusal });
      }
    }
    return outcomes.filter(({ isServed }) => isServed).map(({ stream }) => stream);
  };

  it.each([
    ['spending limit', 'Spending limit exceeded'],
    ['balance', 'Insufficient credits'],
  ])('never pass its %s, neither while they run nor by what they cost', async (cap, refusal) => {
    const capNanoUsd = AFFORDABLE * Number(reservedNanoUsd) + Number(reservedNanoUsd) / 2;
    const creditUsd = cap === 'balance' ? (capNanoUsd / 1e9).toFixed(9) : '10';
    const account = await createAccount(service, { creditUsd });
    const before = (await spending(account)).balanceNanoUsd;
    if (cap !== 'balance') {
      const params = { key_id: account.keyId };
      const body = { daily_limit: capNanoUsd / 1e9 };
      const limits = await service.call('setKeyLimits', { credential: account.token, params, body });
      expect(limits.status).toBe(200);
    }

    const first = await admitted(begin(account, `first-${cap}`, AT_ONCE), refusal);
    expect(first).toHaveLength(AFFORDABLE);
    for (const stream of first) {
      stream.lockStep.releaseAll();
      await stream.call.ends();
      expect(stream.call.isDone).toBe(true);
    }
    const { prompt_tokens, completion_tokens } = led.usage;
    const charged = BigInt(first.length) * priceNanoUsd(prompt_tokens + completion_tokens);
    await until('they are settled', async () => (await spending(account)).reservedNanoUsd === 0n);
    expect(before - (await spending(account)).balanceNanoUsd).toBe(charged);

    // What the first ones left over is room for others, and for no more.
    const room = Math.floor((capNanoUsd - Number(charged)) / Number(reservedNanoUsd));
    const second = await admitted(begin(account, `second-${cap}`, AT_ONCE), refusal);
    expect(second).toHaveLength(room);
    second.forEach(({ call }) => call.leave());
    // A replica sees the calls of another one when they have lasted 200 ms.
    const left = BigInt(second.length) * priceNanoUsd(inputTokens + countTokens('Three'));
    const spent = async () => before - (await spending(account)).balanceNanoUsd;
    await until('they are settled', async () => (await spent()) >= charged + left);
    expect(await spent()).toBe(charged + left);
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect(await openReservations(service, account.id)).toEqual([]);
  });
}
