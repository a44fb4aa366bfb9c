import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { policyOf, TestService } from '../../test/support/api/service';
import { createAccount } from '../../test/support/api/world';
import type { CallTransport } from './call-transport';
import { MeteredCall } from './metered-call';
import { UnchargedCalls } from './uncharged-calls';

const WAITING_MAX = 10_000;

describe('UnchargedCalls', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(async () => service.stop());

  it('keeps no more than two batches while the database stalls, and says how many calls it dropped', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const account = await createAccount(service, { creditUsd: '0' });
    const uncharged = service.app.get(UnchargedCalls, { strict: false });
    // Made before the database stalls: a write that waits for it too long is given up, and its rows are lost.
    const calls = Array.from({ length: 10 + 3 * WAITING_MAX + 6 }, (_, index) => {
      const transport = { requestId: `request ${index}` } as CallTransport;
      const call = new MeteredCall(policyOf('listModels'), transport, service.clock.now());
      Object.assign(call, {
        caller: { kind: 'key', account: { id: account.id }, key: { id: account.keyId } },
      });
      return call;
    });
    const note = (count: number): void => calls.splice(0, count).forEach((call) => uncharged.note(call, 200));
    const blocker = new Client(service.databaseUrl);
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE calls IN ACCESS EXCLUSIVE MODE');
    note(10);
    const writes = [uncharged.write()];
    for (const batch of [1, 2, 3]) {
      note(WAITING_MAX + batch);
      writes.push(uncharged.write());
    }
    await blocker.query('COMMIT');
    await blocker.end();
    await Promise.all(writes);
    const [row]: { count: string }[] = await service.database.query(
      'SELECT count(*) FROM calls WHERE account_id = $1',
      [account.id],
    );
    expect(Number(row?.count)).toBe(10 + WAITING_MAX);
    expect(warned.mock.calls.map(([line]) => line as unknown)).toContainEqual({
      message: 'usage rows of uncharged calls were dropped',
      count: 1 + WAITING_MAX + 2 + WAITING_MAX + 3,
    });
    warned.mockRestore();
  });
});
