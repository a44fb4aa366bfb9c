import { isKeySecret } from '../../../src/core/access-keys/key-secret';
import { callAs } from '../../support/automatic-refusals';
import { describeOperation } from '../../support/describe-operation';

describeOperation(
  'createKey',
  () => ({ body: { name: 'backend' } }),
  (status) => {
    status(400, 'refuses a body without a name, and creates nothing', async (world) => {
      const answer = await callAs('createKey', world, { body: {} });
      expect(answer.status).toBe(400);
      expect(answer.body.details).toEqual([{ field: 'name', message: 'is required' }]);
      expect((await callAs('listKeys', world, {})).body).toHaveLength(1);
    });
    status(400, 'refuses an unknown field, a wrong type and an unreadable time', async (world) => {
      const bodies = [{ name: 'a', colour: 'red' }, { name: 1 }, { name: 'a', expires_at: 'tomorrow' }, [], 'name'];
      const answers = await Promise.all(bodies.map((body) => callAs('createKey', world, { body })));
      expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400]);
    });
    status(422, 'refuses an expiry that lies in the past', async (world) => {
      const body = { name: 'late', expires_at: world.service.clock.now().toISOString() };
      const answer = await callAs('createKey', world, { body });
      expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
    });
    status(201, 'returns a secret that works at once and is stored nowhere', async (world) => {
      const answer = await callAs('createKey', world, { body: { name: 'backend' } });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ name: 'backend', is_active: true, expires_at: null });
      expect(isKeySecret(answer.body.key_value, 'test')).toBe(true);
      const used = await world.service.call('listModels', { credential: answer.body.key_value });
      expect(used.status).toBe(200);
      const stored: unknown[] = await world.service.database.query(
        'SELECT FROM access_keys AS k WHERE k::text LIKE $1',
        [`%${answer.body.key_value.slice(9, 41)}%`],
      );
      expect(stored).toHaveLength(0);
    });
    status(201, 'keeps the expiry that was asked for', async (world) => {
      const body = { name: 'year', expires_at: '2027-01-01T00:00:00+02:00' };
      const answer = await callAs('createKey', world, { body });
      expect(answer.body.expires_at).toBe('2026-12-31T22:00:00.000Z');
    });
  },
);
