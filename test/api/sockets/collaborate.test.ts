import { AccessKeys } from '../../../src/accounts/access-keys';
import { randomBytes } from 'node:crypto';
import { RoomMembers } from '../../../src/modules/rooms/room-members.repository';
import { KEYS_KEPT_MAX, Rooms } from '../../../src/modules/rooms/rooms.repository';
import { newId } from '../../../src/runtime/ids';
import { runGuideProgram } from '../../support/sockets/guide-program';
import {
  itForgetsDeadReplicas,
  itSharesRooms,
  join,
  roomScene,
  update,
} from '../../support/sockets/room-behaviour';
import type { SocketClient } from '../../support/sockets/socket-client';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('/api/ws/collaborate', () => {
  const scene = roomScene(() => Promise.resolve({}));

  describe('refuses', () => {
    it.each([
      ['no room', { action: 'join' }],
      ['a name with a space', { action: 'join', room: 'a b' }],
      ['a name that is too long', { action: 'join', room: 'a'.repeat(129) }],
      ['presence that is no object', { action: 'join', room: 'a', data: 'Ada' }],
      ['a message without data', { action: 'message', room: 'a' }],
      ['an update without base_version', { action: 'update', room: 'a', data: {} }],
      ['a negative version', { action: 'update', room: 'a', data: {}, base_version: -1 }],
      [
        'an action of the other path',
        { action: 'generate', id: 'x', operation: 'createChatCompletion', payload: {} },
      ],
    ])('%s', async (_, message) => {
      const client = await scene.connect('one');
      client.send({ id: 'x', ...message });
      expect(await client.answer({ id: 'x' })).toMatchObject({
        type: 'error',
        status: 400,
        error: 'Validation error',
      });
    });

    it('whoever is not in the room, is in it already, or left it', async () => {
      const client = await scene.connect('one');
      client.send({ action: 'message', id: 'm', room: 'strange', data: {} });
      expect(await client.answer({ id: 'm' })).toMatchObject({ type: 'error', status: 409, room: 'strange' });
      await join(client, 'mine');
      client.send({ action: 'join', id: 'again', room: 'mine' });
      expect(await client.answer({ id: 'again' })).toMatchObject({ type: 'error', status: 409 });
      client.send({ action: 'leave', id: 'l', room: 'mine' });
      await client.answer({ type: 'ack', id: 'l' });
      client.send({ action: 'update', id: 'u', room: 'mine', data: {}, base_version: 0 });
      expect(await client.answer({ id: 'u' })).toMatchObject({ type: 'error', status: 409 });
    });

    it('presence and states that are too large, and states that are too deep', async () => {
      const client = await scene.connect('one');
      await join(client, 'large');
      client.send({ action: 'presence', id: 'p', room: 'large', data: { text: 'x'.repeat(4096) } });
      expect(await client.answer({ id: 'p' })).toMatchObject({ type: 'error', status: 413 });
      for (let part = 0; part < 4; part += 1) {
        await update(client, 'large', { [`part${part}`]: 'x'.repeat(60_000) }, part);
      }
      client.send({
        action: 'update',
        id: 'full',
        room: 'large',
        data: { more: 'x'.repeat(60_000) },
        base_version: 4,
      });
      expect(await client.answer({ id: 'full' })).toMatchObject({ type: 'error', status: 413 });
      const deep = JSON.parse(`${'{"a":'.repeat(63)}{}${'}'.repeat(63)}`) as object;
      client.send({ action: 'update', id: 'deep', room: 'large', data: { deep }, base_version: 4 });
      expect(await client.answer({ id: 'deep' })).toMatchObject({ type: 'error' });
    });

    it('a stale version with the present state, and a twenty-first room', async () => {
      const client = await scene.connect('one');
      await join(client, 'stale');
      await update(client, 'stale', { a: 1 }, 0);
      client.send({ action: 'update', id: 'old', room: 'stale', data: { a: 2 }, base_version: 0 });
      expect(await client.answer({ id: 'old' })).toMatchObject({ status: 409, version: 1, state: { a: 1 } });
      for (let room = 1; room < 20; room += 1) {
        await join(client, `room-${room}`);
      }
      client.send({ action: 'join', id: 'more', room: 'room-20' });
      expect(await client.answer({ id: 'more' })).toMatchObject({ type: 'error', status: 409 });
    });
  });

  it("keeps the state of the guide's program, which joins and renames, the same", async () => {
    const client = await scene.connect('one');
    await join(client, 'board-1');
    await update(client, 'board-1', { draft: { kept: 1, gone: 1 }, list: [1, 2] }, 0);
    await update(client, 'board-1', { draft: { gone: null }, list: [3] }, 1);
    const after = `
      socket.addEventListener('message', ({ data }) => {
        const { type } = JSON.parse(data);
        if (type === 'joined') send({ action: 'update', data: { draft: { more: 2 }, list: null }, base_version: version });
        if (type === 'update' && version === 3) rename('Plan');
        if (type === 'update' && version === 4) socket.close();
      });
      socket.addEventListener('close', () => console.log(JSON.stringify({ version, seq, state })));`;
    const { stdout } = await runGuideProgram('/api/ws/collaborate', {
      url: await scene.one.app.getUrl(),
      key: scene.world.owner.key,
      after,
    });
    const state = { draft: { kept: 1, more: 2 }, title: 'Plan' };
    expect(JSON.parse(stdout)).toEqual({ version: 4, seq: 4, state });
    const present = await scene.one.app
      .get(Rooms)
      .state({ accountId: scene.world.owner.id, name: 'board-1' });
    expect(JSON.parse(present?.state ?? '')).toEqual(state);
  });

  it('answers a ping, and acknowledges only what has an id', async () => {
    const client = await scene.connect('one');
    client.send({ action: 'ping' });
    client.send({ action: 'ping', id: 'k' });
    await client.answer({ type: 'ack', id: 'k' });
    expect(client.answers).toEqual([{ type: 'ack', id: 'k' }]);
    client.send({ action: 'ping', id: 'r', room: 'board' });
    expect(await client.answer({ id: 'r' })).toMatchObject({ type: 'error', status: 400 });
  });

  it('keeps rooms of the same name of two accounts apart, and lets a token of the account in', async () => {
    const { owner, stranger } = scene.world;
    const [mine, other, byToken] = [
      await scene.connect('one'),
      await scene.connect('two', stranger.key),
      await scene.connect('two', owner.token),
    ];
    await join(mine, 'same');
    await update(mine, 'same', { secret: 1 }, 0);
    expect(await join(other, 'same')).toMatchObject({ version: 0, state: {}, members: [{}] });
    expect(await join(byToken, 'same')).toMatchObject({
      version: 1,
      state: { secret: 1 },
      members: [{}, {}],
    });
  });

  it('is closed on every replica when its key is revoked on one', async () => {
    const { id, keyId, key, token } = scene.world.owner;
    const clients = [await scene.connect('one', key), await scene.connect('two', key)];
    const byToken = await scene.connect('two', token);
    await scene.one.app.get(AccessKeys).revoke(id, keyId);
    expect(await Promise.all(clients.map((client) => client.closed()))).toEqual([4401, 4401]);
    byToken.send({ action: 'ping', id: 'k' });
    await byToken.answer({ type: 'ack', id: 'k' });
  });

  it('refuses members of a state that a program could take for prototypes', async () => {
    const client = await scene.connect('one');
    await join(client, 'proto');
    client.send(
      '{"action":"update","id":"p","room":"proto","data":{"__proto__":{"polluted":1},"constructor":null},"base_version":0}',
    );
    expect(await client.answer({ id: 'p' })).toMatchObject({ type: 'error', status: 400, room: 'proto' });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('gives who comes back what it missed, or the whole state where that is not kept', async () => {
    const [client, other] = [await scene.connect('one'), await scene.connect('two')];
    await join(client, 'back');
    await update(client, 'back', { a: 1, b: 1 }, 0);
    client.send({ action: 'message', id: 'm', room: 'back', data: { text: 'Meanwhile' } });
    await client.answer({ type: 'ack', id: 'm' });
    await update(client, 'back', { b: null }, 1);
    expect(await join(other, 'back', { last_version: 1 })).toMatchObject({
      seq: 3,
      version: 2,
      state: null,
      missed: [
        { type: 'message', seq: 2, data: { text: 'Meanwhile' } },
        { type: 'update', seq: 3, version: 2, data: { b: null } },
      ],
    });
    const bySeq = await scene.connect('two');
    expect(await join(bySeq, 'back', { last_seq: 3 })).toMatchObject({ state: null, missed: [] });
    await scene.one.app.get(Rooms).sweep(new Date(scene.one.clock.now().getTime() + DAY_MS + 1000));
    const late = await scene.connect('two');
    expect(await join(late, 'back', { last_version: 1 })).toMatchObject({ state: { a: 1 }, missed: [] });
    const ahead = await scene.connect('two');
    expect(await join(ahead, 'back', { last_seq: 99 })).toMatchObject({ state: { a: 1 }, missed: [] });
  });

  it('does what is sent again with the same key once, also on another replica', async () => {
    const [client, retry] = [await scene.connect('one'), await scene.connect('two')];
    await join(client, 'once');
    await join(retry, 'once');
    const message = { action: 'message', id: 'm', room: 'once', data: { text: 'Hi' }, idempotency_key: 'k1' };
    const change = {
      action: 'update',
      id: 'u',
      room: 'once',
      data: { n: 1 },
      base_version: 0,
      idempotency_key: 'k2',
    };
    for (const socket of [client, retry]) {
      socket.send(message);
      socket.send(change);
    }
    for (const socket of [client, retry]) {
      expect(await socket.answer({ type: 'ack', id: 'u' })).toMatchObject({ version: 1 });
    }
    retry.send({ ...message, id: 'other', data: { text: 'Bye' } });
    expect(await retry.answer({ id: 'other' })).toMatchObject({ type: 'error', status: 422 });
    const stored: { seq: string }[] = await scene.one.database.query(
      'SELECT seq FROM room_events WHERE account_id = $1 AND room = $2',
      [scene.world.owner.id, 'once'],
    );
    expect(stored).toHaveLength(2);
  });

  describe('under a key that was used before', () => {
    const OTHERS = 200;
    const room = () => ({ accountId: scene.world.owner.id, name: 'keys' });
    /** What others say meanwhile, past the sockets and their rates. */
    const sayOthers = async (count: number) => {
      const rooms = scene.one.app.get(Rooms);
      for (let other = 0; other < count; other += 1) {
        await rooms.say(room(), { memberId: newId(), data: '{}', idempotencyKey: null });
      }
    };
    // So long that Postgres keeps it apart from its row.
    const text = randomBytes(10_000).toString('hex');
    const message = { action: 'message', room: 'keys', data: { text }, idempotency_key: 'k1' };
    const change = { action: 'update', room: 'keys', data: { n: 1 }, base_version: 0, idempotency_key: 'k2' };
    const sent = async (client: SocketClient, id: string, what: object) => {
      client.send({ ...what, id });
      return client.answer({ id });
    };

    it('does nothing again for a day, however much was said since', async () => {
      const client = await scene.connect('one');
      await join(client, 'keys');
      await sent(client, 'm', message);
      await sent(client, 'u', change);
      await sayOthers(OTHERS);
      expect(await sent(client, 'm2', message)).toMatchObject({ type: 'ack', seq: 1 });
      expect(await sent(client, 'u2', change)).toMatchObject({ type: 'ack', seq: 2, version: 1 });
      const other = { ...message, data: { text: 'Bye' } };
      expect(await sent(client, 'm3', other)).toMatchObject({ type: 'error', status: 422 });
      expect(await sent(client, 'm4', { ...message, idempotency_key: 'k2' })).toMatchObject({ status: 422 });
      const nowMs = scene.one.clock.now().getTime();
      await scene.one.app.get(Rooms).sweep(new Date(nowMs + DAY_MS - 1000));
      expect(await sent(client, 'm5', message)).toMatchObject({ type: 'ack', seq: 1 });
      await scene.one.app.get(Rooms).sweep(new Date(nowMs + DAY_MS + 1000));
      expect(await sent(client, 'm6', message)).toMatchObject({ type: 'ack', seq: OTHERS + 3 });
    });

    it('does it again once so much was said that the room keeps the key no more', async () => {
      const client = await scene.connect('one');
      await join(client, 'keys');
      await sent(client, 'm', message);
      await sayOthers(OTHERS);
      const forward = (seq: number) =>
        scene.one.database.query('UPDATE rooms SET seq = $3 WHERE account_id = $1 AND name = $2', [
          room().accountId,
          room().name,
          seq,
        ]);
      await forward(KEYS_KEPT_MAX - 1);
      await sayOthers(1);
      expect(await sent(client, 'm2', message)).toMatchObject({ type: 'ack', seq: 1 });
      await sayOthers(1);
      expect(await sent(client, 'm3', message)).toMatchObject({ type: 'ack', seq: KEYS_KEPT_MAX + 2 });
    });

    it('refuses an update under the key of a message, and a message under that of an update', async () => {
      const client = await scene.connect('one');
      await join(client, 'keys');
      await sent(client, 'm', message);
      await sent(client, 'u', change);
      const asUpdate = { ...message, action: 'update', base_version: 1 };
      expect(await sent(client, 'u2', asUpdate)).toMatchObject({ type: 'error', status: 422 });
      expect(await sent(client, 'u3', { ...asUpdate, base_version: 0 })).toMatchObject({ status: 422 });
      const asMessage = { action: 'message', room: 'keys', data: change.data, idempotency_key: 'k2' };
      expect(await sent(client, 'm2', asMessage)).toMatchObject({ type: 'error', status: 422 });
      expect(await scene.one.app.get(Rooms).state(room())).toMatchObject({ version: 1, state: '{"n":1}' });
    });
  });

  it('forgets rooms that nobody entered for long, and keeps those that somebody is in', async () => {
    const [gone, kept] = [await scene.connect('one'), await scene.connect('one')];
    await join(gone, 'gone');
    await join(kept, 'kept');
    await gone.leave();
    const members = scene.one.app.get(RoomMembers, { strict: false });
    const key = { accountId: scene.world.owner.id, name: 'gone' };
    while ((await members.of([key])).size > 0) {
      await new Promise(setImmediate);
    }
    await scene.one.app.get(Rooms).sweep(new Date(scene.one.clock.now().getTime() + 91 * DAY_MS));
    expect(await scene.one.app.get(Rooms).state(key)).toBeNull();
    expect(await scene.one.app.get(Rooms).state({ ...key, name: 'kept' })).not.toBeNull();
  });

  it('closes a member that does not read, and the others go on', async () => {
    const [deaf, speaker] = [await scene.connect('one'), await scene.connect('one')];
    await join(deaf, 'loud');
    await join(speaker, 'loud');
    deaf.webSocket.pause();
    const text = 'x'.repeat(60_000);
    // A second passes between two messages, so that none comes too fast.
    const now = performance.now.bind(performance);
    let aheadMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
    for (let message = 0; deaf.webSocket.readyState === deaf.webSocket.OPEN; message += 1) {
      speaker.send({ action: 'message', id: `m${message}`, room: 'loud', data: { text } });
      await speaker.answer({ id: `m${message}` });
      if (speaker.of('member_left').length > 0) {
        break;
      }
      aheadMs += 1000;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    clock.mockRestore();
    expect(await speaker.answer({ type: 'member_left' })).toMatchObject({ room: 'loud' });
  });

  describe('on two replicas with Postgres alone', () => {
    itSharesRooms(scene);
    itForgetsDeadReplicas(scene);
  });
});
