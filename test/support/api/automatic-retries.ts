import type { DescribeStatus, ValidRequest } from './describe-operation';
import { callAs } from './call-as';
import { policyOf, type ApiRequest, type OperationId } from './service';
import { newId } from '../../../src/runtime/ids';
import type { World } from './world';

/** What an operation stores to replay is its own. */
export function replayedRetry(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  const { status } = policyOf(operationId);
  const refuses = 'refuses an Idempotency-Key that was used for another request';
  add(
    422,
    `${refuses}, and replays its answer to the same one, byte for byte and free of charge`,
    async (world) => {
      const key = newId();
      const request = withKey(await valid(world, 0), key);
      const first = await callAs(operationId, world, request);
      const before = await sums(world);
      const retry = await callAs(operationId, world, request);
      expect([first.status, retry.status, retry.text]).toEqual([status, status, first.text]);
      expect([first.headers['idempotent-replayed'], retry.headers['idempotent-replayed']]).toEqual([
        undefined,
        'true',
      ]);
      const other = await callAs(operationId, world, withKey(await valid(world, 1), key));
      expect([other.status, other.body.error]).toEqual([422, 'Unprocessable']);
      expect(await sums(world)).toEqual(before);
    },
  );
}

/** What Idempotency-Key guarantees alike on all operations of a kind. */
export function retryRefusals(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  const { status } = policyOf(operationId);

  add(
    409,
    'refuses a retry while the first call runs, with the time to wait, and charges nothing',
    async (world) => {
      const key = newId();
      const request = withKey(await valid(world, 0), key);
      const first = await callAs(operationId, world, request);
      await world.service.database.query('UPDATE idempotency_claims SET status = NULL, answer = NULL');
      const before = await sums(world);
      const answer = await callAs(operationId, world, request);
      expect([first.status, answer.status, answer.body.error]).toEqual([status, 409, 'Conflict']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(await sums(world)).toEqual(before);
    },
  );

  add(status, 'does the work once when ten retries race', async (world) => {
    const request = withKey(await valid(world, 0), newId());
    const before = await works(world);
    const answers = await Promise.all(Array.from({ length: 10 }, () => callAs(operationId, world, request)));
    expect(answers.filter((answer) => ![status, 409].includes(answer.status))).toEqual([]);
    const fresh = answers.filter(
      (answer) => answer.status === status && !answer.headers['idempotent-replayed'],
    );
    expect(fresh).toHaveLength(1);
    const done = (await works(world)).map((count, index) => count - (before[index] ?? 0));
    expect([Math.max(...done), Math.min(...done) >= 0]).toEqual([1, true]);
  });
}

function withKey(request: ApiRequest, key: string): ApiRequest {
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
}

/** The balances of everybody in the world: a retry may change none of them. */
async function sums(world: World): Promise<string> {
  const accounts = [world.owner, world.stranger, world.admin];
  return (await Promise.all(accounts.map((account) => world.balanceNanoUsd(account)))).join(' ');
}

/**
 * How many ledger entries, payments, actions of admins, keys and so on the world's accounts have: a call that takes the key
 * makes one of at least one of these, and no more than one of any.
 */
async function works(world: World): Promise<number[]> {
  const [row]: Record<string, string>[] = await world.service.database.query(
    `SELECT (SELECT count(*) FROM ledger_entries WHERE account_id = ANY($1)) AS entries,
       (SELECT count(*) FROM payments WHERE account_id = ANY($1)) AS payments,
       (SELECT count(*) FROM admin_actions WHERE account_id = ANY($1)) AS actions,
       (SELECT count(*) FROM access_keys WHERE account_id = ANY($1)) AS keys,
       (SELECT count(*) FROM webhooks WHERE account_id = ANY($1)) AS webhooks,
       (SELECT count(*) FROM replaced_secrets s JOIN access_keys k ON k.id = s.key_id WHERE account_id = ANY($1)) AS secrets,
       (SELECT count(*) FROM webhooks WHERE account_id = ANY($1) AND previous_secret IS NOT NULL) AS signing,
       (SELECT count(*) FROM deliveries WHERE account_id = ANY($1)) AS deliveries,
       (SELECT count(*) FROM agents WHERE account_id = ANY($1)) AS agents,
       (SELECT count(*) FROM upgrade_requests WHERE account_id = ANY($1)) AS requests`,
    [[world.owner.id, world.stranger.id, world.admin.id]],
  );
  return Object.values(row ?? {}).map(Number);
}
