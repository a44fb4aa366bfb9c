import type { Ledger } from '../../ledger/ledger';
import { ManualClock } from '../../runtime/clock';
import { PaymentStreams } from './billing';
import type { Payments } from './payments.repository';

describe('PaymentStreams', () => {
  const nothing = { balanceNanoUsd: 0n, reservedNanoUsd: 0n };
  const ledger = { balance: () => Promise.resolve(nothing) } as Partial<Ledger> as Ledger;
  const payments = { recent: () => Promise.resolve([]) } as Partial<Payments> as Payments;

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
