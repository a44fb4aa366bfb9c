import { setTimeout as delay } from 'node:timers/promises';
import { usdToNano } from '../../src/ledger/money';
import { BASE_NANO_USD, priceNanoUsd, TOKEN_NANO_USD } from '../support/ledger/call-outcome';
import { LockStep } from '../support/ledger/lock-step';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { SeededRandom } from '../support/seeded-random';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { StreamedCall } from '../support/upstream/streamed-call';
import {
  bodyOf,
  FATES,
  isComplete,
  OUTPUT_TOKENS_MAX,
  randomPlan,
  reactionOf,
  tokensOf,
  type StreamPlan,
} from '../support/upstream/stream-plan';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';
import { createAccount, type TestAccount } from '../support/api/world';

const STREAMS = 100;
const RUNS = depth('STREAM_RUNS', { short: 1, deep: 3 });
const ACCOUNTS = 4;
const CREDIT_NANO_USD = 10_000_000_000n;
/** Room for some, not for all, of the streams that the limited key begins at once. */
const LIMIT_NANO_USD = 30_000_000n;
/** Long enough for the pieces of every stream that stalls, on a busy machine too. */
const STALLED_MS = 8_000;

interface Stream {
  readonly plan: StreamPlan;
  readonly account: TestAccount;
  readonly requestId: string;
  readonly lockStep: LockStep;
  readonly call: StreamedCall;
}

interface ReceiptRow {
  outcome: string;
  status: number;
  reserved_nano: string;
  charged_nano: string;
}

describe('a hundred streams at once, of which most break off', () => {
  let upstream: RawUpstream;
  let service: ServiceWithUpstreams;

  beforeAll(async () => {
    upstream = await RawUpstream.start(() => ({ instead: 'reset' }));
    const times = { connect_timeout_ms: 5_000, first_byte_timeout_ms: 50_000, total_timeout_ms: 50_000 };
    service = await ServiceWithUpstreams.start([
      { name: 'patient', base_url: upstream.baseUrl, models: [{ id: 'patient' }], ...times },
      {
        name: 'hasty',
        base_url: upstream.baseUrl,
        models: [{ id: 'hasty' }],
        ...times,
        total_timeout_ms: STALLED_MS,
      },
    ]);
  });
  afterAll(async () => {
    await service.stop();
    await until('every connection is closed', () => upstream.connections === 0);
    await upstream.stop();
  });

  it.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
    'pays for just what was delivered (seed %d)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const accounts = await Promise.all(
        Array.from({ length: ACCOUNTS }, () => createAccount(service.service, { creditUsd: '10' })),
      );
      const [limited] = accounts as [TestAccount];
      const limits = await service.service.call('setKeyLimits', {
        credential: limited.token,
        params: { key_id: limited.keyId },
        body: { daily_limit: Number(LIMIT_NANO_USD) / 1e9 },
      });
      expect(limits.status).toBe(200);
      const streams = begin(random, accounts, `streams-${seed}`);
      const watch = watchSpending(limited);
      await Promise.all(streams.map((stream) => run(stream)));
      const receipts = await receiptsOf(streams);
      expect(await watch.stop()).toBeLessThanOrEqual(LIMIT_NANO_USD);

      const refused = streams.filter(({ call }) => call.status === 402);
      expect(new Set(refused.map(({ account }) => account.id))).toEqual(new Set([limited.id]));
      const served = streams.filter((stream) => !refused.includes(stream));
      const prices = served.map((stream) => [stream.requestId, priceOf(stream, receipts)] as const);
      const charges = served.map(({ requestId }) => {
        const row = receipts.get(requestId);
        expect(row).toMatchObject({ outcome: 'settled', status: 200 });
        return [requestId, BigInt(row?.charged_nano ?? -1)] as const;
      });
      expect(charges).toEqual(prices);
      expect(await spentBy(accounts)).toBe(prices.reduce((sum, [, price]) => sum + price, 0n));
      expect(new Set(served.map(({ plan }) => plan.fate)).size).toBe(FATES.length);
      expect(await service.faults()).toEqual([]);
    },
  );

  function begin(random: SeededRandom, accounts: readonly TestAccount[], name: string): Stream[] {
    const plans = Array.from({ length: STREAMS }, () => randomPlan(random));
    const lockSteps = plans.map(() => new LockStep());
    upstream.script = ({ body }) => {
      const index = Number(body?.user);
      const [plan, lockStep] = [plans[index], lockSteps[index]];
      return plan && lockStep ? reactionOf(plan, lockStep) : { instead: 'reset' };
    };
    return plans.map((plan, index) => {
      const account = random.pick(accounts);
      const requestId = `${name}-${index}`;
      const url = `${service.url}/v1/chat/completions`;
      const call = new StreamedCall({ url, key: account.key, requestId, body: bodyOf(plan, index) });
      return { plan, account, requestId, lockStep: lockSteps[index] as LockStep, call };
    });
  }

  /** The next piece is written only when the client has the one before: what was delivered is known to the word. */
  async function run({ plan, lockStep, call }: Stream): Promise<void> {
    for (let piece = 1; piece <= plan.pieces.length; piece += 1) {
      lockStep.release();
      await until('the next piece', () => call.data.length >= piece || call.end !== null, 50_000);
      if (call.status === 402) {
        return;
      }
    }
    if (plan.fate === 'is left') {
      call.leave();
      return;
    }
    if (plan.fate === 'waits') {
      await delay(500);
    }
    lockStep.releaseAll();
    await call.ends();
    expect(call).toMatchObject({ status: 200, isDone: isComplete(plan), delivered: plan.pieces.join('') });
    expect(call.error === null).toBe(isComplete(plan));
  }

  /** Waits until every stream has its receipt, also those whose clients did not wait for it. */
  async function receiptsOf(streams: readonly Stream[]): Promise<Map<string, ReceiptRow>> {
    const ids = streams.map(({ requestId }) => requestId);
    const sql = `SELECT client_request_id AS request_id, outcome, status, reserved_nano, charged_nano FROM calls
      WHERE client_request_id = ANY($1)`;
    let rows: (ReceiptRow & { request_id: string })[] = [];
    await until('every stream is settled', async () => {
      rows = await service.service.database.query(sql, [ids]);
      return rows.length === STREAMS;
    });
    await until('the upstream is left alone', () => upstream.calls.every(({ isOver }) => isOver));
    return new Map(rows.map((row) => [row.request_id, row]));
  }

  /** The most that the key had spent or reserved at any look at it, until it is stopped. */
  function watchSpending({ keyId }: TestAccount): { stop: () => Promise<bigint> } {
    let [most, isOn] = [0n, true];
    const watching = (async () => {
      while (isOn) {
        const [row]: { spent: string }[] = await service.service.database.query(
          'SELECT day_spent_nano AS spent FROM access_keys WHERE id = $1',
          [keyId],
        );
        most = BigInt(row?.spent ?? 0) > most ? BigInt(row?.spent ?? 0) : most;
        await delay(10);
      }
      return most;
    })();
    return {
      stop: () => {
        isOn = false;
        return watching;
      },
    };
  }

  async function spentBy(accounts: readonly TestAccount[]): Promise<bigint> {
    const balances = await Promise.all(
      accounts.map(({ token }) => service.service.call('getBalance', { credential: token })),
    );
    return balances.reduce((sum, { body }) => sum + CREDIT_NANO_USD - usdToNano(body.balance), 0n);
  }
});

function priceOf({ plan, requestId }: Stream, receipts: ReadonlyMap<string, ReceiptRow>): bigint {
  const reserved = BigInt(receipts.get(requestId)?.reserved_nano ?? 0);
  const countedInput = Number((reserved - BASE_NANO_USD) / TOKEN_NANO_USD) - OUTPUT_TOKENS_MAX;
  return priceNanoUsd(tokensOf(plan, countedInput));
}
