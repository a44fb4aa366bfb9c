import { Rooms } from '../../../src/modules/rooms/rooms.repository';
import { join, roomScene, update } from '../../support/sockets/room-behaviour';
import { until } from '../../support/until';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('rooms that are deleted', () => {
  const scene = roomScene(() => Promise.resolve({}));

  describe('where the account has as many rooms as it may have', () => {
    const DAY_AGO_SQL = "now() - interval '25 hours'";
    /** Rooms that hold nothing but a state, in which somebody was last at a time. */
    const fill = (prefix: string, count: number, state: string, usedAtSql: string) =>
      scene.one.database.query(
        `INSERT INTO rooms (account_id, name, seq, version, state, used_at)
         SELECT $1, $2 || number, number, 7, $3, ${usedAtSql} FROM generate_series(1, $4) AS number`,
        [scene.world.owner.id, prefix, state, count],
      );
    const names = async () => {
      const rows: { name: string }[] = await scene.one.database.query(
        'SELECT name FROM rooms WHERE account_id = $1',
        [scene.world.owner.id],
      );
      return rows.map(({ name }) => name);
    };
    beforeEach(() => scene.one.clock.set(new Date().toISOString()));

    it('refuses another while each of them holds something', async () => {
      await fill('stateful-', 150, '{"title":"Plan"}', DAY_AGO_SQL);
      await fill('fresh-', 49, '{}', 'now()');
      const sitting = await scene.connect('one');
      await join(sitting, 'entered');
      await scene.one.database.query(
        `UPDATE rooms SET used_at = ${DAY_AGO_SQL} WHERE account_id = $1 AND name = 'entered'`,
        [scene.world.owner.id],
      );
      const before = await names();
      const client = await scene.connect('one');
      client.send({ action: 'join', id: 'j', room: 'another' });
      expect(await client.answer({ id: 'j' })).toMatchObject({
        type: 'error',
        status: 409,
        message: expect.stringContaining('The account has 200 rooms.'),
      });
      expect((await names()).sort()).toEqual(before.sort());
    });

    it('replaces no more than one, though Postgres expects few to be left alone', async () => {
      await scene.one.database.query('DELETE FROM rooms');
      await fill('fresh-', 50, '{}', 'now()');
      await scene.one.database.query('ANALYZE rooms');
      await fill('left-', 150, '{}', `${DAY_AGO_SQL} + number * interval '1 second'`);
      await join(await scene.connect('one'), 'another');
      expect(await names()).toHaveLength(200);
    });

    it('replaces the empty one that was left alone for longest, and none of another account', async () => {
      await fill('stateful-', 198, '{"title":"Plan"}', DAY_AGO_SQL);
      await fill('left-', 1, '{}', "now() - interval '3 days'");
      await fill('later-', 1, '{}', DAY_AGO_SQL);
      await scene.one.database.query(
        `INSERT INTO rooms (account_id, name, seq, version, state, used_at)
         VALUES ($1, 'strange', 1, 1, '{}', now() - interval '9 days')`,
        [scene.world.stranger.id],
      );
      const [one, two] = [await scene.connect('one'), await scene.connect('two')];
      expect(await join(one, 'another')).toMatchObject({ seq: 2, version: 8, state: {} });
      const after = await names();
      expect(after).toHaveLength(200);
      expect(after).not.toContain('left-1');
      expect(after).toEqual(expect.arrayContaining(['another', 'later-1']));
      // Both want the place of the only empty room that is left.
      one.send({ action: 'join', id: 'x', room: 'x' });
      two.send({ action: 'join', id: 'y', room: 'y' });
      const outcomes = await Promise.all([one.answer({ id: 'x' }), two.answer({ id: 'y' })]);
      expect(outcomes.map(({ type }) => type).sort()).toEqual(['error', 'joined']);
      const rooms = scene.one.app.get(Rooms);
      expect(await rooms.state({ accountId: scene.world.stranger.id, name: 'strange' })).not.toBeNull();
    });
  });

  it('gives who comes back to a deleted room the state of the new one, whatever it has seen of the old', async () => {
    const client = await scene.connect('one');
    await join(client, 'deleted');
    await update(client, 'deleted', { title: 'Old' }, 0);
    await client.leave();
    const rooms = scene.one.app.get(Rooms);
    const key = { accountId: scene.world.owner.id, name: 'deleted' };
    await until('the room is gone', async () => {
      await rooms.sweep(new Date(scene.one.clock.now().getTime() + 91 * DAY_MS));
      return (await rooms.state(key)) === null;
    });
    const [bySeq, byVersion] = [await scene.connect('one'), await scene.connect('two')];
    const beginning = { seq: 2, version: 2, state: {}, missed: [] };
    expect(await join(bySeq, 'deleted', { last_seq: 1 })).toMatchObject(beginning);
    expect(await join(byVersion, 'deleted', { last_version: 1 })).toMatchObject(beginning);
    bySeq.send({ action: 'update', id: 'stale', room: 'deleted', data: { title: 'Older' }, base_version: 1 });
    expect(await bySeq.answer({ id: 'stale' })).toMatchObject({ status: 409, version: 2, state: {} });
    await update(bySeq, 'deleted', { title: 'New' }, 2);
  });
});
