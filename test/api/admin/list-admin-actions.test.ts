import { AccountDatabases } from '../../../src/database/account-databases';
import { newId } from '../../../src/runtime/ids';
import { actionsOn } from '../../support/api/admin-actions';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { createAccount, type World } from '../../support/api/world';

describeOperation(
  'listAdminActions',
  () => ({}),
  (status) => {
    status(200, 'finds by admin, operation, account and time, each on one page', async (world) => {
      const other = await createAccount(world.service, { creditUsd: '0', role: 'admin' });
      await update(world, { tier: 'pro' });
      world.service.clock.advance(1000);
      const later = world.service.clock.now().toISOString();
      const credit = { user_id: world.owner.id, amount_usd: 5, reason: 'Bank transfer' };
      await callAs('addCredits', world, { body: credit }, other);
      const operations = async (query: object) =>
        (await actionsOn(world, query)).map(({ operation }) => operation);
      expect(await operations({})).toEqual(['updateUser', 'addCredits']);
      expect(await operations({ order: 'desc' })).toEqual(['addCredits', 'updateUser']);
      expect(await operations({ admin_id: other.id })).toEqual(['addCredits']);
      expect(await operations({ operation: 'updateUser' })).toEqual(['updateUser']);
      expect(await operations({ start_date: later })).toEqual(['addCredits']);
      expect(await operations({ end_date: later })).toEqual(['updateUser']);
      expect(await operations({ limit: 1, offset: 1 })).toEqual(['addCredits']);
      expect(await actionsOn(world, { user_id: world.stranger.id })).toEqual([]);
    });
    status(200, 'says how it was before and after, and why', async (world) => {
      await update(world, { is_active: false, reason: 'Chargebacks.' });
      expect(await actionsOn(world)).toMatchObject([
        {
          admin_id: world.admin.id,
          operation: 'updateUser',
          user_id: world.owner.id,
          subject_id: world.owner.id,
          reason: 'Chargebacks.',
          before: { tier: 'enterprise', is_active: true, rate_limits: null },
          after: { tier: 'enterprise', is_active: false, rate_limits: null },
        },
      ]);
    });
    status(200, 'has no action that was refused', async (world) => {
      expect((await update(world, { tier: 'pro', rate_limits: { requests_per_day: 1 } })).status).toBe(422);
      const body = { user_id: newId(), amount_usd: 5, reason: 'Bank transfer' };
      expect((await callAs('addCredits', world, { body })).status).toBe(404);
      expect(await actionsOn(world)).toEqual([]);
      expect(await actionsOn(world, { user_id: body.user_id })).toEqual([]);
    });
    status(200, 'keeps every action: not even the database lets one be changed', async (world) => {
      await update(world, { tier: 'pro' });
      const before = await actionsOn(world);
      const database = world.service.app.get(AccountDatabases).of(world.owner.id);
      for (const statement of [
        `UPDATE admin_actions SET reason = 'another'`,
        'DELETE FROM admin_actions',
        'TRUNCATE admin_actions',
      ]) {
        await expect(database.query(statement)).rejects.toThrow('never changed or deleted');
      }
      expect(await actionsOn(world)).toEqual(before);
    });
  },
);

function update(world: World, body: object) {
  return callAs('updateUser', world, { params: { user_id: world.owner.id }, body });
}
