import type { OmmBatchResponse } from '../../generated/types';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { textInput } from '../support/omm/inputs';
import { CompiledService } from '../support/processes/compiled-service';
import { until } from '../support/until';
import { endOpenReservations, openReservations } from '../support/ledger/open-reservations';

const KILLS = depth('BATCH_KILLS', { short: 1, deep: 5 });
/** Files are written by processes, so that none of these is done at once. */
const ITEMS = Array.from({ length: 20 }, (_, index) => ({
  operation: 'transform',
  body: { input: textInput(`Copy ${index}. `.repeat(300)), to: index % 2 === 0 ? 'docx' : 'pdf' },
}));

describe('a service that is killed in the middle of a batch', () => {
  let service: TestService;
  let account: TestAccount;
  const replica = () =>
    CompiledService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
    });

  beforeAll(async () => {
    service = await TestService.start();
    account = await createAccount(service, { creditUsd: '10' });
  });
  afterAll(async () => service.stop());

  it.each(Array.from({ length: KILLS }, (_, index) => index + 1))(
    'charges each item once, however often it is retried, and by whichever replicas at once (kill %d)',
    async (kill) => {
      const key = `batch-${kill}`;
      const chargesBefore = (await charges()).length;
      const kept = async () => (await charges()).length - chargesBefore;
      const victim = await replica();
      const lost = send(victim, key).catch(() => null);
      await until('some items are charged', async () => (await kept()) >= 2 * kill);
      await victim.kill();
      expect(await lost).toBeNull();
      const charged = await charges();
      expect(charged.length - chargesBefore).toBeLessThan(ITEMS.length);

      const replicas = await Promise.all([replica(), replica()]);
      const [one, other] = replicas;
      if (one === undefined || other === undefined) {
        throw new Error('two replicas were started');
      }
      expect((await send(one, key)).status).toBe(409);
      await endLeases();
      const answers = await Promise.all([send(one, key), send(other, key)]);
      // Which of them runs it is a matter of chance; the other comes too early, or gets the same answer.
      expect(answers.map(({ status }) => status)).toContain(200);
      expect([200, 409]).toContain(Math.max(...answers.map(({ status }) => status)));
      const again = await send(other, key);
      await Promise.all(replicas.map((each) => each.stop()));

      const { data, metadata } = again.body;
      expect([again.status, data.succeeded, data.failed]).toEqual([200, ITEMS.length, 0]);
      const all = (await charges()).slice(chargesBefore);
      expect(all.map(({ request_id }) => request_id).sort()).toEqual(
        data.results.map(({ request_id }) => request_id).sort(),
      );
      const sumNano = all.reduce((sum, { charged_nano }) => sum + BigInt(charged_nano), 0n);
      expect([Math.round(data.cost * 1e9), Math.round(metadata.cost * 1e9)]).toEqual([
        Number(sumNano),
        Number(sumNano),
      ]);
      expect(await openReservations(service)).toEqual([]);
      expect(await ledgerFaults(service.database)).toEqual([]);
    },
  );

  async function send(to: CompiledService, key: string) {
    const headers = { 'x-api-key': account.key, 'idempotency-key': key };
    const response = await to.post('/api/omm/batch', { items: ITEMS }, headers);
    return { status: response.status, body: (await response.json()) as OmmBatchResponse };
  }

  /** What the account was charged, in the order in which it was. */
  function charges(): Promise<{ request_id: string; charged_nano: string }[]> {
    return service.database.query(
      'SELECT request_id, charged_nano FROM calls WHERE account_id = $1 AND charged_nano > 0 ORDER BY position',
      [account.id],
    );
  }

  /** As if so much time had gone by that whoever held a claim or a reservation must be dead. */
  async function endLeases(): Promise<void> {
    await service.database.query(
      "UPDATE idempotency_claims SET lease_until = now() - interval '1 minute' WHERE status IS NULL",
    );
    await endOpenReservations(service);
  }
});
