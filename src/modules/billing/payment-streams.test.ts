import type { Ledger } from '../../ledger/ledger';
import { ManualClock } from '../../runtime/clock';
import { PaymentStreams } from './billing';
import type { Payments } from './payments.repository';

describe('PaymentStreams', () => {
  const nothing = { balanceNanoUsd: 0n, reservedNanoUsd: 0n };
  const ledger = { balance: () => Promise.resolve(nothing) } as Partial<Ledger> as Ledger;
  const payments = { recent: () => Promise.resolve([]) } as Partial<Payments> as Payments;

  it('are counted as they open, also where several do at once', async () => {
    const streams = new PaymentStreams(ledger, payments, new ManualClock());
    const { signal } = new AbortController();
    const answers = Array.from({ length: 6 }, () => streams.watch('an account', 0));
    const firsts = answers.map((answer) => answer.bytes(signal)[Symbol.asyncIterator]().next());
    const opened = await Promise.allSettled(firsts);
    expect(opened.map(({ status }) => status)).toEqual([...Array<string>(5).fill('fulfilled'), 'rejected']);
  });

  it.each<[string, (streams: PaymentStreams, stop: AbortController) => void]>([
    ['the process ends', (streams) => streams.onModuleDestroy()],
    ['nobody reads them', (_, stop) => stop.abort()],
  ])('end soon when %s', async (_, ends) => {
    const streams = new PaymentStreams(ledger, payments, new ManualClock());
    const stop = new AbortController();
    const pieces = streams.watch('an account', 600).bytes(stop.signal)[Symbol.asyncIterator]();
    expect((await pieces.next()).done).toBe(false);
    const next = pieces.next();
    ends(streams, stop);
    expect((await next).done).toBe(true);
  });
});
