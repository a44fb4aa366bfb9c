import { LocalRooms } from '../../../src/modules/rooms/local-rooms';
import { newId } from '../../../src/runtime/ids';
import { join, roomScene } from '../../support/sockets/room-behaviour';
import { until } from '../../support/until';

describe('rooms of which a replica heard nothing', () => {
  const scene = roomScene(() => Promise.resolve({}));
  const here = () => scene.one.app.get(LocalRooms, { strict: false });
  const query = (statement: string, values: unknown[]) => scene.one.database.query(statement, values);

  it('closes members for whom not all is kept, which then get the state', async () => {
    const client = await scene.connect('one');
    await join(client, 'lagging');
    const { id } = scene.world.owner;
    await query(
      `WITH said AS (UPDATE rooms SET seq = 203 WHERE account_id = $1 AND name = 'lagging')
       INSERT INTO room_events (account_id, room, seq, member_id, data, created_at)
       SELECT $1, 'lagging', seq, $2, '{}', now() FROM generate_series(4, 203) AS seq`,
      [id, newId()],
    );
    await here().look();
    expect(await client.closed()).toBe(1012);
    expect(client.of('message')).toEqual([]);
    const again = await scene.connect('one');
    expect(await join(again, 'lagging', { last_seq: 0 })).toMatchObject({ seq: 203, state: {}, missed: [] });
  });

  it('tells who came, left and tells something else without a signal, and only that', async () => {
    const [ada, bob, eve] = [
      await scene.connect('one'),
      await scene.connect('two'),
      await scene.connect('two'),
    ];
    await join(ada, 'quiet');
    const bobsId = (await join(bob, 'quiet')).member_id;
    const evesId = (await join(eve, 'quiet')).member_id;
    const hasCome = (memberId: unknown) => () =>
      ada.of('member_joined').some(({ member }) => (member as { id: unknown }).id === memberId);
    await until('all have come', hasCome(evesId));
    const { id } = scene.world.owner;
    const newcomer = newId();
    await query(
      `INSERT INTO room_members SELECT account_id, room, $2, replica_id, '{"new":true}', joined_at
       FROM room_members WHERE account_id = $1 AND member_id = $3`,
      [id, newcomer, bobsId],
    );
    await query('DELETE FROM room_members WHERE account_id = $1 AND member_id = $2', [id, bobsId]);
    await query(`UPDATE room_members SET presence = '{"b":2}' WHERE account_id = $1 AND member_id = $2`, [
      id,
      evesId,
    ]);
    await here().look();
    expect(await ada.answer({ type: 'member_left' })).toMatchObject({ member_id: bobsId });
    expect(await ada.answer({ type: 'presence' })).toMatchObject({ member_id: evesId, data: { b: 2 } });
    await until('the newcomer is told of', hasCome(newcomer));
    const told = ada.answers.length;
    await here().look();
    ada.send({ action: 'ping', id: 'k' });
    await ada.answer({ type: 'ack', id: 'k' });
    expect(ada.answers).toHaveLength(told + 1);
  });
});
