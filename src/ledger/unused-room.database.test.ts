import { setTimeout as delay } from 'node:timers/promises';
import { useLeaseLedger } from '../../test/support/ledger/lease-ledger';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import { until } from '../../test/support/until';
import { SpendingLimitsRepository } from '../accounts/spending-limits';
import type { Batch } from './flush-batch';
import { FlushConnection } from './flush-connection';

const EXACT_FOR_MS = 1_000;
const MUCH = 10n ** 15n;

describe('what a process has unused', () => {
  const { current, orderOf, settlementOf, counted } = useLeaseLedger();
  let other: OpenLedger;

  beforeEach(async () => {
    other = await openLedger(current.testDatabase.url);
    await delay(1.1 * EXACT_FOR_MS);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await other.close();
  });

  /** Holds back what this process is told of a flush, once it is committed. @returns a function that lets it hear */
  const holdBack = (isHeldBack: (batch: Batch) => boolean): (() => void) => {
    let letHear = (): void => undefined;
    const heard = new Promise<void>((resolve) => (letHear = resolve));
    const { processId } = current.ledger;
    const flush = Reflect.get(FlushConnection.prototype, 'flush');
    jest.spyOn(FlushConnection.prototype, 'flush').mockImplementation(async function (
      this: FlushConnection,
      ...sent
    ) {
      const isHeld = sent[0] === processId && isHeldBack(sent[1]);
      const answer = await flush.apply(this, sent);
      await (isHeld ? heard : null);
      return answer;
    });
    return letHear;
  };
  const reserve = (amountNanoUsd: bigint) =>
    current.ledger.reserve(orderOf(current.holder, { amountNanoUsd }));
  const lentNanoUsd = async (): Promise<bigint> => {
    const [row]: { lent: string }[] = await current.database.query(
      `SELECT sum(amount_nano) AS lent FROM leases WHERE account_id = $1`,
      [current.holder.accountId],
    );
    return BigInt(row?.lent ?? 0);
  };
  /** Whether a call of the other process is refused, or waits for what this one gives back. */
  const becomes = async (amountNanoUsd: bigint) => {
    const verdict = other.ledger.reserve(orderOf(current.holder, { amountNanoUsd }));
    let told: string | null = null;
    void Promise.resolve(verdict).then((answer) => (told = answer.verdict));
    const hasRecalled = async () => /^ledger_recalls_total [1-9]/m.test(await other.metrics.text());
    await until('it is told or waits', async () => told !== null || (await hasRecalled()));
    return { told, verdict };
  };

  it('is waited for where it is a part of what a cost beyond a reservation waits for', async () => {
    await other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 1n }));
    const order = orderOf(current.holder, { amountNanoUsd: 800n });
    await current.ledger.reserve(order);
    const letHear = holdBack(({ leases }) => leases.some(({ excess }) => excess !== null));
    const settled = current.ledger.settle(settlementOf(order, { chargeNanoUsd: MUCH }));
    await until('all but what is given back is lent', async () => (await lentNanoUsd()) > 970n);
    const { told, verdict } = await becomes(100n);
    letHear();
    expect(told).toBeNull();
    await Promise.all([settled, verdict]);
  });

  it('is waited for where a call needs less than another one had reserved', async () => {
    const first = orderOf(current.holder, { amountNanoUsd: 1_000n });
    await current.ledger.reserve(first);
    // Who is not heard of reserves nothing in memory.
    jest.spyOn(current.register, 'isHeard', 'get').mockReturnValue(false);
    const letHear = holdBack(({ ends, leases }) => ends.length > 0 && leases.length > 0);
    // Whoever releases is told nothing after half a second, and the flush is held back for longer on a busy machine.
    const released = current.ledger
      .settle(settlementOf(first, { outcome: 'released', chargeNanoUsd: 0n }))
      .catch(() => null);
    const second = reserve(300n);
    await until('the release is committed', async () => (await lentNanoUsd()) === 1_000n && isReleased());
    const { told, verdict } = await becomes(500n);
    letHear();
    expect(told).toBeNull();
    expect(await second).toEqual({ verdict: 'reserved' });
    await released;
    expect(await verdict).toEqual({ verdict: 'reserved' });

    async function isReleased(): Promise<boolean> {
      const rows: unknown[] = await current.database.query('SELECT FROM calls WHERE id = $1', [first.callId]);
      return rows.length > 0;
    }
  });

  it('is waited for by a call that came while another one was asked for', async () => {
    await other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 1n }));
    const letHear = holdBack(({ leases }) => leases.length > 0);
    const first = reserve(980n);
    await until('the first one is lent', async () => (await lentNanoUsd()) > 980n);
    const second = reserve(10n);
    letHear();
    expect(await first).toEqual({ verdict: 'reserved' });
    expect(await second).toEqual({ verdict: 'reserved' });
  });

  it('is given back also by who is asked for more all the time', async () => {
    await reserve(1n);
    let isAsking = true;
    const asking = (async () => {
      while (isAsking) {
        await reserve(2_000n);
      }
    })();
    const verdict = await other.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 990n }));
    isAsking = false;
    await asking;
    expect(verdict).toEqual({ verdict: 'reserved' });
  });

  it.each([
    ['has heard', false],
    ['has not heard', true],
  ])('is of no day that others have ended, also where it %s of what it gave back', async (_, isLate) => {
    const midnight = new Date('2099-07-02T00:00:00.000Z');
    const now = new Date(midnight.getTime() - 1);
    const first = orderOf(current.holder, { amountNanoUsd: 10n, now });
    await current.ledger.reserve(first);
    const gives = ({ leases }: Batch) => leases.some(({ ask }) => ask?.takes === false);
    const letHear = holdBack((batch) => isLate && gives(batch));
    const next = orderOf(current.holder, { amountNanoUsd: 1n, now: midnight });
    expect(await other.ledger.reserve(next)).toEqual({ verdict: 'reserved' });

    const released = current.ledger
      .settle(settlementOf(first, { outcome: 'released', chargeNanoUsd: 0n, now }))
      .catch(() => null);
    const verdict = current.ledger.reserve(orderOf(current.holder, { amountNanoUsd: 1n, now }));
    letHear();
    expect(await verdict).toEqual({ verdict: 'reserved' });
    await released;
    await Promise.all([current.ledger.show(null), other.ledger.show(null)]);
    const { accountId, keyId } = current.holder;
    const [limits]: unknown[] = await current.database.query(
      'SELECT day_spent_nano FROM key_limits($1, $2, $3)',
      [keyId, accountId, midnight],
    );
    expect(limits).toEqual({ day_spent_nano: '2' });
  });

  it('is nothing of what a call was lent before a limit was lowered, and has not heard of', async () => {
    const { accountId, keyId } = current.holder;
    const limits = new SpendingLimitsRepository(current.databases, current.clock, current.register);
    await limits.set(accountId, keyId, { dailyLimitNano: 10n });
    const letHear = holdBack(({ leases }) => leases.length > 0);
    const first = reserve(10n);
    await until('the first one is lent', async () => (await lentNanoUsd()) === 10n);
    let isTold = false;
    current.register.onChange(() => void (isTold = true));
    const lowered = limits.set(accountId, keyId, { dailyLimitNano: 8n });
    await until('the process is told of the new limit', () => isTold);
    const { told } = await becomes(5n);
    letHear();
    expect(told).toBe('daily');
    expect(await first).toEqual({ verdict: 'reserved' });
    await lowered;
  });

  it('is topped up before a call has to wait', async () => {
    for (let call = 0; call < 60; call += 1) {
      const order = orderOf(current.holder, { amountNanoUsd: 1n });
      expect(await current.ledger.reserve(order)).toEqual({ verdict: 'reserved' });
      await current.ledger.settle(settlementOf(order));
    }
    expect(await counted('ledger_reservations_total{path="flush"}')).toBe(1);
  });

  it.each([
    [[5, 5, 5], 0, 10, 10],
    [[5, 5, 5], 0, 15, 15],
    [[5, 5, 5], 0, 4, 0],
    [[5, 5, 5], 3, 6, 2],
    [[5, 5, 5], 7, 2, 0],
    [[5, 5, 5], 7, 3, 3],
    [[9, 1], 0, 8, 0],
    [[3], 10, 5, 0],
    [[], 0, 5, 0],
  ])('is lent as far as whole calls need it: of %p, with %p at hand and %p to be had, %p', async (...row) => {
    const [needs, atHand, bound, lent] = row;
    expect(
      await current.database.query('SELECT ledger_fitting($1, $2, $3)::integer AS lent', [
        needs,
        atHand,
        bound,
      ]),
    ).toEqual([{ lent }]);
  });
});
