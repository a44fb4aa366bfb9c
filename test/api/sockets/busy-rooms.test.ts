import { Client } from 'pg';
import { AccountDatabases } from '../../../src/database/account-databases';
import { Rooms } from '../../../src/modules/rooms/rooms.repository';
import { LocalRooms } from '../../../src/modules/rooms/local-rooms';
import { UnsentBytes } from '../../../src/http/http-server';
import { newId } from '../../../src/runtime/ids';
import { join, roomScene } from '../../support/sockets/room-behaviour';
import type { SocketClient } from '../../support/sockets/socket-client';
import { until } from '../../support/until';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Of one account: half of a fifth of twenty connections. */
const VISITS_AT_ONCE_MAX = 2;

describe('rooms in which much happens at once', () => {
  const scene = roomScene(() => Promise.resolve({}));
  afterEach(() => jest.restoreAllMocks());
  const here = (replica: 'one' | 'two') => scene[replica].app.get(LocalRooms, { strict: false });
  const databases = () => scene.one.app.get(AccountDatabases);
  const ownDatabase = () => databases().of(scene.world.owner.id);
  const ownMembers = async (room: string): Promise<string[]> => {
    const rows: { member_id: string }[] = await scene.one.database.query(
      'SELECT member_id FROM room_members WHERE account_id = $1 AND room = $2 ORDER BY member_id',
      [scene.world.owner.id, room],
    );
    return rows.map(({ member_id: id }) => id);
  };

  /** Does something while a transaction of somebody else holds what this statement locks. */
  const whileHeld = async (
    statement: string,
    values: unknown[],
    work: (locker: Client) => Promise<void>,
  ): Promise<void> => {
    const number = databases().all.indexOf(ownDatabase());
    const locker = new Client(databases().urlOf(number, scene.one.databaseUrl));
    await locker.connect();
    try {
      await locker.query('BEGIN');
      await locker.query(statement, values);
      await work(locker);
      await locker.query('COMMIT');
    } finally {
      await locker.end();
    }
  };
  const whileLocked = (room: string, work: (locker: Client) => Promise<void>): Promise<void> =>
    whileHeld(
      'SELECT FROM rooms WHERE account_id = $1 AND name = $2 FOR UPDATE',
      [scene.world.owner.id, room],
      work,
    );
  /** How many wait for a lock. */
  const waiting = async (): Promise<number> => {
    const rows: unknown[] = await scene.one.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  };

  it('an account that waits for one of its rooms leaves the connections to others', async () => {
    const { stranger } = scene.world;
    await join(await scene.connect('one'), 'held');
    const many = await Promise.all(Array.from({ length: 12 }, () => scene.connect('one')));
    const other = await scene.connect('one', stranger.key);
    await whileLocked('held', async () => {
      many.forEach((client) => client.send({ action: 'join', room: 'held' }));
      await until('the account waits', async () => (await waiting()) >= VISITS_AT_ONCE_MAX);
      await join(other, 'free');
      other.send({ action: 'message', id: 'm', room: 'free', data: {} });
      await other.answer({ type: 'ack', id: 'm' });
      expect(await waiting()).toBe(VISITS_AT_ONCE_MAX);
    });
    await Promise.all(many.map((client) => client.answer({ type: 'joined' })));
    expect(await ownMembers('held')).toHaveLength(13);
  });

  it('the sockets of an account share a rate, and those of another have their own', async () => {
    const clients = await Promise.all(Array.from({ length: 11 }, () => scene.connect('one')));
    const other = await scene.connect('one', scene.world.stranger.key);
    // While no time passes, nothing more may come than what may come at once.
    const nowMs = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(nowMs);
    for (const client of clients) {
      for (let message = 0; message < 40; message += 1) {
        client.send({ action: 'ping', id: `p${message}` });
      }
    }
    const answers = () => clients.flatMap((client) => client.answers);
    await until('all are answered', () => answers().length === 440);
    expect(answers().filter(({ type }) => type === 'ack')).toHaveLength(400);
    const refused = answers().filter(({ type }) => type === 'error');
    expect(refused).toHaveLength(40);
    expect(refused[0]).toMatchObject({ status: 429, error: 'Too many messages', retry_after: 1 });
    other.send({ action: 'ping', id: 'p' });
    await other.answer({ type: 'ack', id: 'p' });
    // Nor do the old sockets' closes give the account a new rate.
    await Promise.all(clients.map((client) => client.leave()));
    const again = await scene.connect('one');
    again.send({ action: 'ping', id: 'p' });
    expect(await again.answer({ id: 'p' })).toMatchObject({ type: 'error', status: 429 });
  });

  it('updates of a large state are charged its size, and other messages are not', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => scene.connect('one')));
    const other = await scene.connect('one', scene.world.stranger.key);
    const [first] = clients as [SocketClient];
    for (const client of clients) {
      await join(client, 'wide');
    }
    await join(other, 'wide');
    let sent = 0;
    const update = async (client: SocketClient, version: number, data: object) => {
      sent += 1;
      const id = `u${sent}`;
      client.send({ action: 'update', id, room: 'wide', data, base_version: version });
      return client.answer({ id });
    };
    // No time passes, so nothing comes back of what was spent.
    const nowMs = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(nowMs);
    for (let part = 0; part < 4; part += 1) {
      await update(first, part, { [`part${part}`]: 'x'.repeat(60_000) });
    }
    let version = 4;
    let last = await update(first, version, { n: version });
    while (last.type === 'ack' && version < 120) {
      version += 1;
      last = await update(clients[version % 4] as SocketClient, version, { n: version });
    }
    expect(last).toMatchObject({ status: 429, error: 'Too many messages', room: 'wide', retry_after: 1 });
    expect(version).toBeGreaterThan(30);
    expect(version).toBeLessThan(45);
    // A stale one is refused before the state is read, and so is not told it.
    expect(await update(first, 0, { n: 0 })).toMatchObject({ status: 429 });
    first.send({ action: 'message', id: 'm', room: 'wide', data: {} });
    expect(await first.answer({ id: 'm' })).toMatchObject({ type: 'ack' });
    expect(await update(other, 0, { n: 0 })).toMatchObject({ type: 'ack', version: 1 });
    jest.spyOn(performance, 'now').mockReturnValue(nowMs + 1000);
    expect(await update(clients[1] as SocketClient, version, { n: 0 })).toMatchObject({ type: 'ack' });
  });

  it('a heartbeat keeps who enters during it, and removes whom its process does not know', async () => {
    const first = await scene.connect('one');
    await join(first, 'beat');
    const stranded = newId();
    await scene.one.database.query(
      `INSERT INTO room_members SELECT account_id, room, $2, replica_id, presence, joined_at
       FROM room_members WHERE account_id = $1 AND room = 'beat'`,
      [scene.world.owner.id, stranded],
    );
    const second = await scene.connect('one');
    // Somebody enters between the moment at which the process looked whom it knows, and its statement.
    const { database } = scene.one;
    const query = database.query.bind(database);
    let asked = 0;
    jest.spyOn(database, 'query').mockImplementation(async (statement: string, ...rest: unknown[]) => {
      if (statement.includes('member_id <> ALL')) {
        asked += 1;
        await join(second, 'beat');
      }
      return query(...([statement, ...rest] as Parameters<typeof query>));
    });
    await here('one').beat();
    expect(asked).toBe(1);
    const members = await ownMembers('beat');
    expect(members).toHaveLength(2);
    expect(members).not.toContain(stranded);
    expect(members).toContain(second.of('joined')[0]?.member_id);
  });

  it('who enters while another leaves learns of it, though it found him there', async () => {
    const [ada, bob, eve] = [
      await scene.connect('one'),
      await scene.connect('one'),
      await scene.connect('one'),
    ];
    await join(ada, 'crossing');
    const { member_id: bobsId } = await join(bob, 'crossing');
    // Read after the members, so that whoever enters has found them when it waits.
    await whileHeld('LOCK TABLE room_events IN ACCESS EXCLUSIVE MODE', [], async () => {
      eve.send({ action: 'join', room: 'crossing', last_seq: 0 });
      await until('it waits for what it missed', async () => (await waiting()) === 1);
      await bob.leave();
      await ada.answer({ type: 'member_left', member_id: bobsId });
    });
    const { members } = await eve.answer({ type: 'joined' });
    expect((members as { id: unknown }[]).map(({ id }) => id)).toContain(bobsId);
    expect(await eve.answer({ type: 'member_left' })).toMatchObject({ member_id: bobsId });
  });

  it('who entered while its replica was taken for dead has to join again', async () => {
    await join(await scene.connect('one'), 'slow');
    const [late, other] = [await scene.connect('two'), await scene.connect('two')];
    await join(other, 'other');
    await whileLocked('slow', async () => {
      late.send({ action: 'join', room: 'slow' });
      await until('it waits for the room', async () => (await waiting()) === 1);
      await scene.one.database.query(
        'DELETE FROM room_replicas WHERE replica_id = (SELECT replica_id FROM room_members WHERE account_id = $1 AND room = $2)',
        [scene.world.owner.id, 'other'],
      );
      await here('two').beat();
    });
    expect(await other.closed()).toBe(1012);
    await until('it is told', () => late.closeCode !== null || late.of('joined').length > 0);
    expect([await late.closed(), late.of('joined')]).toEqual([1012, []]);
  });

  it('the sweep keeps a room that somebody is entering', async () => {
    const visitor = await scene.connect('one');
    await join(visitor, 'entered');
    await visitor.leave();
    await until('nobody is there', async () => (await ownMembers('entered')).length === 0);
    const later = new Date(scene.one.clock.now().getTime() + 91 * DAY_MS);
    const key = { accountId: scene.world.owner.id, name: 'entered' };
    let swept: Promise<void> = Promise.resolve();
    await whileLocked('entered', async (locker) => {
      swept = scene.one.app.get(Rooms).sweep(later);
      await until('the sweep waits', async () => (await waiting()) > 0);
      await locker.query('UPDATE rooms SET used_at = $3 WHERE account_id = $1 AND name = $2', [
        key.accountId,
        key.name,
        later,
      ]);
    });
    await swept;
    expect(await scene.one.app.get(Rooms).state(key)).not.toBeNull();
  });

  it('the sweep removes members whose replica holds no lease, a minute after they came', async () => {
    await join(await scene.connect('one'), 'stranded');
    const now = scene.one.clock.now();
    const insert = async (memberId: string, joinedAt: Date) => {
      await scene.one.database.query(
        `INSERT INTO room_members (account_id, room, member_id, replica_id, presence, joined_at)
         VALUES ($1, 'stranded', $2, $3, '{}', $4)`,
        [scene.world.owner.id, memberId, newId(), joinedAt],
      );
    };
    const [old, young] = [newId(), newId()];
    await insert(old, new Date(now.getTime() - 61_000));
    await insert(young, now);
    await scene.one.app.get(Rooms).sweep(now);
    const members = await ownMembers('stranded');
    expect(members).toHaveLength(2);
    expect(members).toContain(young);
    await scene.one.app.get(Rooms).sweep(new Date(now.getTime() + 60_000));
    expect(await ownMembers('stranded')).toHaveLength(1);
  });

  it('gives what was missed up to half a mebibyte, and beyond it the state', async () => {
    const [speaker, back, late] = [
      await scene.connect('one'),
      await scene.connect('one'),
      await scene.connect('one'),
    ];
    await join(speaker, 'long');
    const data = { text: '\u00e9'.repeat(32_000) };
    const bytes = Buffer.byteLength(JSON.stringify(data));
    const fitting = Math.floor((512 * 1024) / bytes);
    const say = async (message: number) => {
      speaker.send({ action: 'message', id: `m${message}`, room: 'long', data });
      await speaker.answer({ type: 'ack', id: `m${message}` });
    };
    for (let message = 0; message < fitting; message += 1) {
      await say(message);
    }
    const { missed, state } = await join(back, 'long', { last_seq: 0 });
    expect([(missed as unknown[]).length, state]).toEqual([fitting, null]);
    await say(fitting);
    expect(await join(late, 'long', { last_seq: 0 })).toMatchObject({
      missed: [],
      state: {},
      seq: fitting + 1,
    });
  });

  it('tells who comes back to all its rooms at once what it missed, as fast as it reads', async () => {
    const rooms = Array.from({ length: 20 }, (_, room) => `back-${room}`);
    const data = { text: 'x'.repeat(60_000) };
    for (const room of rooms) {
      const speaker = await scene.connect('one');
      await join(speaker, room);
      Array.from({ length: 8 }, () => speaker.send({ action: 'message', room, data }));
      await until('all is said', () => speaker.of('message').length === 8);
    }
    const back = await scene.connect('one');
    back.webSocket.pause();
    rooms.forEach((room) => back.send({ action: 'join', room, last_seq: 0 }));
    const unsent = scene.one.app.get(UnsentBytes, { strict: false });
    await until('the service waits', () => unsent.bytes > 64 * 1024);
    // Somebody else does the same and reads, in which time the service could have sent all of it.
    const other = await scene.connect('one');
    for (const room of rooms) {
      await join(other, room, { last_seq: 0 });
    }
    expect(unsent.bytes).toBeLessThan(1024 * 1024);
    back.webSocket.resume();
    await until('all is told', () => back.closeCode !== null || back.of('joined').length === rooms.length);
    expect([back.closeCode, back.of('joined').map(({ room }) => room)]).toEqual([null, rooms]);
    expect(back.of('joined').every(({ missed }) => (missed as unknown[]).length === 8)).toBe(true);
  });

  it('reads the members of many rooms together when signals may have been lost', async () => {
    const clients = [await scene.connect('one'), await scene.connect('one')];
    const rooms = Array.from({ length: 15 }, (_, room) => `many-${room}`);
    await Promise.all(rooms.map((room) => join(clients[0] as SocketClient, room)));
    await Promise.all(rooms.map((room) => join(clients[1] as SocketClient, room)));
    await until('all have heard', () => (clients[0]?.of('member_joined').length ?? 0) >= rooms.length);
    // The regular look would find what has changed too, and have it read a second time.
    await here('one').tick();
    jest.spyOn(here('one'), 'tick').mockResolvedValue();
    // What changes without a signal.
    await scene.one.database.query(
      `WITH said AS (UPDATE rooms SET seq = seq + 1 WHERE account_id = $1 AND name IN ('many-3', 'many-9') RETURNING name, seq)
       INSERT INTO room_events (account_id, room, seq, member_id, data, created_at)
       SELECT $1, name, seq, $2, '{"unheard":true}', now() FROM said`,
      [scene.world.owner.id, newId()],
    );
    await scene.one.database.query(
      `UPDATE room_members SET presence = '{"unseen":true}' WHERE account_id = $1 AND member_id = ANY($2::uuid[])`,
      [scene.world.owner.id, clients[1]?.of('joined').map(({ member_id: id }) => id)],
    );
    const database = ownDatabase();
    const query = database.query.bind(database);
    const statements: string[] = [];
    jest.spyOn(database, 'query').mockImplementation((statement: string, ...rest: unknown[]) => {
      statements.push(statement);
      return query(...([statement, ...rest] as Parameters<typeof query>));
    });
    here('one').missed();
    const [ada] = clients;
    await until('the messages are told', () => (ada?.of('message').length ?? 0) === 2);
    await until('the presences are told', () => (ada?.of('presence').length ?? 0) === rooms.length);
    expect(
      ada
        ?.of('message')
        .map(({ room }) => room)
        .sort(),
    ).toEqual(['many-3', 'many-9']);
    const of = (table: string) => statements.filter((statement) => statement.includes(table)).length;
    // One for the first two rooms is under way when the others are asked for.
    expect(of('presence, joined_at')).toBeLessThanOrEqual(2);
    expect(statements.filter((statement) => statement.includes('FROM room_events'))).toEqual([
      expect.stringMatching(/^SELECT/),
      expect.stringMatching(/^SELECT/),
    ]);
  });
});
