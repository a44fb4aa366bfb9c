import { AccountDatabases } from '../../../src/database/account-databases';
import { LocalRooms } from '../../../src/modules/rooms/local-rooms';
import { TestService } from '../api/service';
import type { TestDatabase } from '../api/test-database';
import { World } from '../api/world';
import { until } from '../until';
import { type SocketAnswer, SocketClient } from './socket-client';

/** Clients of rooms, and accounts of their own for each test. */
export interface RoomClients {
  readonly world: World;
  /** A client of a replica, of the world's owner unless told otherwise. Behind a proxy the proxy picks the replica. */
  connect(replica: 'one' | 'two', token?: string): Promise<SocketClient>;
}

/** Two replicas, each with clients of its own. */
export interface RoomScene extends RoomClients {
  readonly one: TestService;
  readonly two: TestService;
}

/** Registers hooks that start two replicas and give each test accounts of its own. */
export function roomScene(
  environment: () => Promise<Record<string, string>>,
  database?: () => Promise<TestDatabase>,
): RoomScene {
  const replicas = {} as { one: TestService; two: TestService };
  beforeAll(async () => {
    replicas.one = await TestService.start(await environment(), await database?.());
    replicas.two = await replicas.one.startReplica();
    await Promise.all([replicas.one, replicas.two].map(({ app }) => app.listen(0, '127.0.0.1')));
  });
  const clients = roomClients(
    () => replicas.one,
    (replica) => replicas[replica].app.getUrl(),
  );
  afterAll(async () => {
    await replicas.two.stop();
    await replicas.one.stop();
  });
  return {
    connect: clients.connect,
    get world() {
      return clients.world;
    },
    get one() {
      return replicas.one;
    },
    get two() {
      return replicas.two;
    },
  };
}

/** Registers hooks that give each test accounts of its own, and end the clients that it has connected. */
export function roomClients(
  service: () => TestService,
  urlOf: (replica: 'one' | 'two') => Promise<string>,
): RoomClients {
  const clients = {} as { -readonly [Name in keyof RoomClients]: RoomClients[Name] };
  const open: SocketClient[] = [];
  beforeEach(async () => {
    clients.world = await World.create(service());
  });
  clients.connect = async (replica, token = clients.world.owner.key) => {
    const client = await SocketClient.open(`${await urlOf(replica)}/api/ws/collaborate?token=${token}`);
    open.push(client);
    return client;
  };
  afterEach(async () => {
    await Promise.all(
      open.splice(0).map((client) => {
        client.webSocket.terminate();
        return client.closed();
      }),
    );
  });
  return clients;
}

/** Enters a room. @returns what tells who is there */
export async function join(client: SocketClient, room: string, members: object = {}): Promise<SocketAnswer> {
  client.send({ action: 'join', id: `join-${room}`, room, ...members });
  return client.answer({ type: 'joined', room });
}

/** Changes the state of a room, which has this version. */
export async function update(
  client: SocketClient,
  room: string,
  data: object,
  base_version: number,
): Promise<SocketAnswer> {
  const id = `${room}-${base_version}`;
  client.send({ action: 'update', id, room, data, base_version });
  return client.answer({ type: 'ack', id });
}

/** What rooms do whichever way replicas tell each other of changes. */
export function itSharesRooms(scene: RoomClients): void {
  it('tells members on other replicas who joins, speaks, changes and leaves, in one order', async () => {
    const [ada, bob] = [await scene.connect('one'), await scene.connect('two')];
    ada.send({ action: 'join', id: 'a', room: 'board', data: { name: 'Ada' } });
    const joined = await ada.answer({ type: 'joined' });
    expect(joined).toMatchObject({ id: 'a', seq: 0, version: 0, state: {}, missed: [] });
    bob.send({ action: 'join', id: 'b', room: 'board', data: { name: 'Bob' } });
    const { members, member_id: bobsId } = await bob.answer({ type: 'joined' });
    expect((members as { presence: unknown }[]).map(({ presence }) => presence)).toEqual([
      { name: 'Ada' },
      { name: 'Bob' },
    ]);
    expect(await ada.answer({ type: 'member_joined' })).toMatchObject({
      member: { id: bobsId, presence: { name: 'Bob' } },
    });

    bob.send({ action: 'message', id: 'm', room: 'board', data: { text: 'Hello' } });
    expect(await bob.answer({ type: 'ack', id: 'm' })).toMatchObject({ room: 'board', seq: 1 });
    ada.send({ action: 'update', id: 'u', room: 'board', data: { title: 'Plan' }, base_version: 0 });
    expect(await ada.answer({ type: 'ack', id: 'u' })).toMatchObject({ seq: 2, version: 1 });
    for (const client of [ada, bob]) {
      expect(await client.answer({ type: 'message' })).toMatchObject({
        seq: 1,
        member_id: bobsId,
        data: { text: 'Hello' },
      });
      expect(await client.answer({ type: 'update' })).toMatchObject({
        seq: 2,
        version: 1,
        data: { title: 'Plan' },
      });
    }
    bob.send({ action: 'presence', id: 'p', room: 'board', data: { name: 'Bob', cursor: 3 } });
    expect(await ada.answer({ type: 'presence' })).toMatchObject({ member_id: bobsId, data: { cursor: 3 } });
    bob.send({ action: 'leave', id: 'l', room: 'board' });
    await bob.answer({ type: 'ack', id: 'l' });
    expect(await ada.answer({ type: 'member_left' })).toMatchObject({ member_id: bobsId });
  });

  it('gives every member every message once and in order, whoever of many speaks where', async () => {
    const clients = await Promise.all(
      (['one', 'two', 'one', 'two'] as const).map((replica) => scene.connect(replica)),
    );
    for (const client of clients) {
      await join(client, 'crowd');
    }
    clients.forEach((client, speaker) => {
      for (let message = 0; message < 20; message += 1) {
        client.send({ action: 'message', room: 'crowd', data: { speaker, message } });
      }
    });
    const seqs = Array.from({ length: 80 }, (_, place) => place + 1);
    for (const client of clients) {
      await until('all messages', () => client.of('message').length >= 80);
      expect(client.of('message').map(({ seq }) => seq)).toEqual(seqs);
      const own = client.of('message').filter(({ data }) => (data as { speaker: number }).speaker === 1);
      expect(own.map(({ data }) => (data as { message: number }).message)).toEqual(
        seqs.slice(0, 20).map((n) => n - 1),
      );
    }
  });

  it('lets exactly one of two updates of the same version win', async () => {
    const clients = [await scene.connect('one'), await scene.connect('two')];
    for (const client of clients) {
      await join(client, 'race');
    }
    for (let version = 0; version < 10; version += 1) {
      clients.forEach((client, by) =>
        client.send({
          action: 'update',
          id: `u${version}`,
          room: 'race',
          data: { by, version },
          base_version: version,
        }),
      );
      const outcomes = await Promise.all(clients.map((client) => client.answer({ id: `u${version}` })));
      expect(outcomes.map(({ type }) => type).sort()).toEqual(['ack', 'error']);
      const lost = outcomes.find(({ type }) => type === 'error');
      const winner = outcomes.findIndex(({ type }) => type === 'ack');
      expect(lost).toMatchObject({ status: 409, version: version + 1, state: { by: winner, version } });
    }
  });
}

/** What becomes of members when their replica seems to be dead. */
export function itForgetsDeadReplicas(scene: RoomScene): void {
  it('removes the members of a replica that died, and lets one that was taken for dead begin anew', async () => {
    const [ada, bob] = [await scene.connect('one'), await scene.connect('two')];
    await join(ada, 'lease');
    const { member_id: bobsId } = await join(bob, 'lease');
    await ada.answer({ type: 'member_joined' });
    await scene.one.app
      .get(AccountDatabases)
      .of(scene.world.owner.id)
      .query(
        `UPDATE room_replicas SET alive_until = now() - interval '1 second'
         WHERE replica_id = (SELECT replica_id FROM room_members WHERE member_id = $1)`,
        [bobsId],
      );
    await scene.one.app.get(LocalRooms, { strict: false }).beat();
    expect(await ada.answer({ type: 'member_left' })).toMatchObject({ member_id: bobsId });
    await scene.two.app.get(LocalRooms, { strict: false }).beat();
    expect(await bob.closed()).toBe(1012);
    const again = await scene.connect('two');
    expect((await join(again, 'lease')).members).toHaveLength(2);
  });
}
