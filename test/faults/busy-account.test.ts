import { Client } from 'pg';
import { Ledger } from '../../src/ledger/ledger';
import { UnchargedCalls } from '../../src/pipeline/uncharged-calls';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';

/**
 * The lock is waited for four seconds. The time-out of a statement would only come after as much again. The clock is
 * asked only where the machine does nothing else.
 */
const ANSWERED_WITHIN_MS = depth('BUSY_ANSWERED_WITHIN_MS', { short: Infinity, deep: 8_000 });

describe('an account whose balance stays locked', () => {
  it('is told to be busy within seconds, and nothing is released that was never reserved', async () => {
    const service = await TestService.start();
    const account = await createAccount(service, { creditUsd: '1' });
    const blocker = new Client(service.databaseUrl);
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM balances WHERE account_id = $1 FOR UPDATE', [account.id]);
    const startedMs = performance.now();
    const busy = await service.call('createMemory', {
      credential: account.key,
      body: { key: 'k', value: 'v' },
    });
    expect([busy.status, busy.headers['retry-after'], busy.body.message]).toEqual([
      503,
      '1',
      'The account is busy; call again.',
    ]);
    expect(performance.now() - startedMs).toBeLessThan(ANSWERED_WITHIN_MS);
    await blocker.query('COMMIT');
    await blocker.end();

    await service.app.get(UnchargedCalls, { strict: false }).write();
    const calls = await service.database.query('SELECT outcome, status FROM calls WHERE account_id = $1', [
      account.id,
    ]);
    expect(calls).toEqual([{ outcome: 'refused', status: 503 }]);
    expect(await service.app.get(Ledger).balance(account.id)).toEqual({
      balanceNanoUsd: 1_000_000_000n,
      reservedNanoUsd: 0n,
    });
    expect(await ledgerFaults(service.database)).toEqual([]);
    await service.stop();
  });
});
