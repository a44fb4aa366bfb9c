import { AccountDatabases } from '../../../src/database/account-databases';
import { DatabaseAway } from '../../../src/errors/api-errors';
import { type Transaction, Transactions } from '../../../src/ledger/transactions';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'exportTransactions',
  () => ({}),
  (status) => {
    status(503, 'answers as any other call while the database is away', async (world) => {
      const pages = jest.spyOn(world.service.app.get(Transactions), 'pages');
      pages.mockImplementation(async function* () {
        yield await Promise.reject<Transaction[]>(new DatabaseAway());
      });
      expect((await callAs('exportTransactions', world, {})).status).toBe(503);
      pages.mockRestore();
    });

    status(200, 'writes no cell that a spreadsheet takes for a formula', async (world) => {
      for (const reason of ['=1+1', ' @SUM(A1)', '-2', '"quoted", and more', 'line\nbreak']) {
        const body = { user_id: world.owner.id, amount_usd: 0.000000001, reason };
        expect((await callAs('addCredits', world, { body })).status).toBe(201);
      }
      const { text, headers } = await callAs('exportTransactions', world, { query: { type: 'deposit' } });
      expect(headers['content-type']).toContain('text/csv');
      expect(headers['content-disposition']).toBe('attachment; filename="transactions.csv"');
      const cells = text.split('\r\n').map((line) => line.split(',').slice(2, 5).join(','));
      expect(cells.slice(0, 7)).toEqual([
        'amount_usd,balance_after_usd,description',
        '10,10,test credit',
        "0.000000001,10.000000001,'=1+1",
        "0.000000001,10.000000002,' @SUM(A1)",
        "0.000000001,10.000000003,'-2",
        '0.000000001,10.000000004,"""quoted""',
        '0.000000001,10.000000005,"line\nbreak"',
      ]);
      expect(text.endsWith('\r\n')).toBe(true);
    });
    status(200, 'has all of them, whose amounts sum to the balance', async (world) => {
      const database = world.service.app.get(AccountDatabases).of(world.stranger.id);
      await database.query(
        `INSERT INTO credits (id, account_id, type, amount_nano, balance_after_nano, description, created_at)
         SELECT gen_random_uuid(), $1, 'bonus', 1, 1, 'many', now() FROM generate_series(1, 2500)`,
        [world.stranger.id],
      );
      const { text } = await callAs('exportTransactions', world, {}, world.stranger);
      expect(text.split('\r\n')).toHaveLength(1 + 1 + 2500 + 1);
    });
  },
);
