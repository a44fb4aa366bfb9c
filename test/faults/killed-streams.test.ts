import { Ledger } from '../../src/ledger/ledger';
import { formatUsd } from '../../src/ledger/money';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { openReservations } from '../support/ledger/open-reservations';

const STREAMS = 60;
const AT_ONCE = 20;
const KILLED_AFTER = 25;
const LEASES_OVER_MS = 3_600_000;

/** What the client of a stream read until the connection ended or broke. */
interface Read {
  requestId: string;
  text: string;
}

describe('a server that is killed while streams leave', () => {
  let service: TestService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await TestService.start();
    account = await createAccount(service, { creditUsd: '10' });
  });
  afterAll(async () => service.stop());

  it('has charged whoever has read how his stream ended, just what it says there, and keeps nobody’s credit', async () => {
    const read = await streamUntilKilled();
    const complete = read.filter(({ text }) => text.includes('[DONE]'));
    expect(complete.length).toBeGreaterThanOrEqual(KILLED_AFTER);
    expect(complete.length).toBeLessThan(STREAMS);

    await service.app.get(Ledger).sweep(new Date(Date.now() + LEASES_OVER_MS));

    expect(await ledgerFaults(service.database)).toEqual([]);
    expect(await openReservations(service)).toEqual([]);
    const charged = await chargesOf(complete);
    expect(complete.map(({ text }) => /: cost=(\S+)/.exec(text)?.[1])).toEqual(charged);
  });

  async function streamUntilKilled(): Promise<Read[]> {
    const victim = await CompiledService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
    });
    const read: Read[] = [];
    let next = 0;
    let ended = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < STREAMS; index = next++) {
        const one = { requestId: `killed-stream-${index}`, text: '' };
        read.push(one);
        await stream(victim, account, one).catch(() => undefined);
        ended += 1;
        if (ended === KILLED_AFTER) {
          await victim.kill();
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await victim.kill();
    return read;
  }

  async function chargesOf(read: Read[]): Promise<(string | undefined)[]> {
    const rows: { request_id: string; charged: string }[] = await service.database.query(
      `SELECT client_request_id AS request_id, charged_nano AS charged FROM calls
       WHERE client_request_id = ANY($1) AND outcome = 'settled'`,
      [read.map(({ requestId }) => requestId)],
    );
    const charges = new Map(rows.map((row) => [row.request_id, formatUsd(BigInt(row.charged))]));
    return read.map(({ requestId }) => charges.get(requestId));
  }
});

async function stream(victim: CompiledService, account: TestAccount, read: Read): Promise<void> {
  const content = `${'The library opens at nine. It closes at six. '.repeat(10)}When does the library open?`;
  const body = { model: 'any', stream: true, max_tokens: 200, messages: [{ role: 'user', content }] };
  const headers = { 'x-api-key': account.key, 'x-request-id': read.requestId };
  const response = await victim.post('/v1/chat/completions', body, headers);
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    read.text += decoder.decode(bytes as Uint8Array, { stream: true });
  }
}
