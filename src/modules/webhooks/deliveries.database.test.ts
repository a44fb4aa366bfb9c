import type { EntityManager } from 'typeorm';
import { describeDeliveries } from '../../../test/support/events/delivery-behaviour';
import { DeliveryWorld } from '../../../test/support/events/delivery-world';
import { until } from '../../../test/support/until';
import type { AccountDatabases } from '../../database/account-databases';
import { EventDocument, type EventExamples } from '../../events/outbox';
import { Deliveries } from './deliveries.repository';

describeDeliveries('in Postgres', () => Promise.resolve({}));

// A customer may have millions of a month, and a statement has few seconds.
it('counts the deliveries of a webhook in an index, and reads the rows of the page alone', async () => {
  const world = await DeliveryWorld.open();
  const accountId = world.databases.newAccountId();
  const webhookId = await world.addWebhook({ accountId });
  await Promise.all(Array.from({ length: 30 }, () => world.write(accountId)));
  await world.dispatcher.run();
  const database = world.databases.of(accountId);
  await until('nobody sees an older row', async () => {
    await database.query('VACUUM ANALYZE deliveries');
    const seen: unknown[] = await database.query(
      `SELECT FROM pg_class WHERE oid = 'deliveries'::regclass AND relallvisible = relpages`,
    );
    return seen.length > 0;
  });
  await database.transaction(async (manager) => {
    // The table of a test is so small that Postgres would rather read all of it.
    await manager.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    const databases = { of: () => manager } as unknown as AccountDatabases;
    const deliveries = new Deliveries(databases, new EventDocument({} as EventExamples, {}), world.clock);
    const page = { limit: 5, offset: 0, sort: 'created_at', order: 'desc' } as const;
    const before = await rowsRead(manager);
    expect(await deliveries.list(accountId, webhookId, page)).toMatchObject({ total: 30 });
    expect((await rowsRead(manager)) - before).toBe(5);
  });
  await world.close();
});

async function rowsRead(manager: EntityManager): Promise<number> {
  const [row] = await manager.query<[{ rows: number }]>(
    `SELECT idx_tup_fetch::integer AS rows FROM pg_stat_xact_user_tables WHERE relid = 'deliveries'::regclass`,
  );
  return row.rows;
}
