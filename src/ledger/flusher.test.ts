import type { FlushConnection } from './flush-connection';
import type { FlushOwner } from './flush-batch';
import { Flusher } from './flusher';
import type { Lease } from './lease';
import type { LedgerMetrics } from './ledger.metrics';

describe('Flusher', () => {
  afterEach(() => jest.useRealTimers());

  it('closes a connection over which nothing was sent for a minute', async () => {
    jest.useFakeTimers();
    const close = jest.fn();
    const connection = { connect: jest.fn(), close } as unknown as FlushConnection;
    const owner = { processId: 'p', lending: { hasSlack: () => false } } as unknown as FlushOwner;
    const flusher = new Flusher(owner, {} as LedgerMetrics, [connection, connection]);
    const touch = () => flusher.touch({ accountId: 'a', prepare: () => false } as unknown as Lease);
    touch();
    await jest.advanceTimersByTimeAsync(59_000);
    touch();
    await jest.advanceTimersByTimeAsync(59_000);
    expect(close).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(close).toHaveBeenCalledTimes(1);
  });
});
