import { once } from 'node:events';
import { connect } from 'node:net';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { SocketClient } from '../support/sockets/socket-client';
import { LockStep } from '../support/ledger/lock-step';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { dataEvent, streamReaction } from '../support/upstream/upstream-answers';
import { openReservations } from '../support/ledger/open-reservations';

const MODEL = 'endless';
/** What docker-compose.yml gives a process to end, and scripts/stack/service-process.ts. */
const GRACE_MS = depth('SHUTDOWN_MS_MAX', { short: Infinity, deep: 40_000 });

describe('a process that is told to end while a stream on a socket goes on for ever', () => {
  it('settles it and ends by itself within its grace period, also where a refused client stays', async () => {
    const lockStep = new LockStep();
    const upstream = await RawUpstream.start(() => streamReaction([WORD, WORD], { lockStep }));
    const service = await TestService.start();
    const account = await createAccount(service, { creditUsd: '10' });
    const victim = await CompiledService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      UPSTREAMS: JSON.stringify([{ name: 'main', base_url: upstream.baseUrl, models: [{ id: MODEL }] }]),
    });
    const refused = connect({
      port: Number(new URL(victim.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    refused.on('error', () => undefined).write(`${HANDSHAKE}trailing bytes`);
    await once(refused, 'data');
    const client = await SocketClient.open(`${victim.url}/api/ws/stream?token=${account.key}`);
    const payload = { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Go.' }] };
    client.send({ action: 'generate', id: 'g', operation: 'createChatCompletion', payload });
    lockStep.release();
    await client.answer({ type: 'delta' });

    const beganMs = performance.now();
    await victim.stop();
    const tookMs = performance.now() - beganMs;

    await client.closed();
    const { status, cost } = client.of('error', 'g')[0] ?? ({} as Record<string, unknown>);
    refused.destroy();
    const rows = await service.database.query(
      'SELECT outcome, charged_nano AS charged FROM calls WHERE account_id = $1',
      [account.id],
    );
    expect(status).toBe(503);
    expect(rows).toEqual([{ outcome: 'settled', charged: String(Math.round(Number(cost) * 1e9)) }]);
    expect(await openReservations(service)).toEqual([]);
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect([victim.process.exitCode, tookMs < GRACE_MS]).toEqual([0, true]);
    await upstream.stop();
    await service.stop();
  });
});

const WORD = dataEvent({
  id: 'c',
  object: 'chat.completion.chunk',
  model: MODEL,
  choices: [{ index: 0, delta: { content: 'One' }, finish_reason: null }],
});
const HANDSHAKE = [
  'GET /api/ws/stream HTTP/1.1',
  'host: localhost',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  '\r\n',
].join('\r\n');
