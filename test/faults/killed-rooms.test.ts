import { LOOKED_EVERY_MS, LOOKS_PER_HEARTBEAT } from '../../src/modules/rooms/local-rooms';
import { REPLICA_LEASE_SECONDS } from '../../src/modules/rooms/room-members.repository';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';
import { CompiledService } from '../support/processes/compiled-service';
import { depth } from '../support/jest/depth';
import { SocketClient } from '../support/sockets/socket-client';

const LEFT_WITHIN_MS = depth('ROOM_LEFT_MS_MAX', {
  short: Infinity,
  deep: REPLICA_LEASE_SECONDS * 1000 + LOOKED_EVERY_MS * LOOKS_PER_HEARTBEAT + 3_000,
});

describe('a replica that is killed', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => service.stop());

  it('loses its members within its lease, and nothing that was acknowledged', async () => {
    const { key } = await createAccount(service, { creditUsd: '1' });
    const victim = await CompiledService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
    });
    const open = (url: string) => SocketClient.open(`${url}/api/ws/collaborate?token=${key}`);
    const [survivor, lost] = [await open(await service.app.getUrl()), await open(victim.url)];
    for (const client of [survivor, lost]) {
      client.send({ action: 'join', room: 'killed' });
      await client.answer({ type: 'joined' });
    }
    for (let message = 1; message <= 30; message += 1) {
      lost.send({ action: 'message', id: `m${message}`, room: 'killed', data: { message } });
    }
    await lost.answer({ type: 'ack', id: 'm10' });
    await victim.kill();
    const killedAtMs = performance.now();
    expect(await lost.closed()).toBe(1006);
    await survivor.answer({ type: 'member_left' });
    expect(performance.now() - killedAtMs).toBeLessThan(LEFT_WITHIN_MS);
    for (const { seq } of lost.of('ack')) {
      expect(await survivor.answer({ type: 'message', seq })).toBeDefined();
    }
    const again = await open(await service.app.getUrl());
    again.send({ action: 'join', room: 'killed', last_seq: 0 });
    const { missed, members } = await again.answer({ type: 'joined' });
    const said = (missed as { data: { message: number } }[]).map(({ data }) => data.message);
    expect(said).toEqual(said.map((_, place) => place + 1));
    expect(said.length).toBeGreaterThanOrEqual(lost.of('ack').length);
    expect(members).toHaveLength(2);
  });
});
