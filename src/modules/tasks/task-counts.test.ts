import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../../database/account-databases';
import { Metrics } from '../../observability/metrics';
import { TaskCounts } from './tasks.repository';

describe('TaskCounts', () => {
  it('counts for more accounts at once than it keeps', async () => {
    const count = { waiting: 2, running: 1 };
    const query = () => new Promise((resolve) => setImmediate(resolve, [count]));
    const counts = new TaskCounts(AccountDatabases.only({ query } as unknown as DataSource), new Metrics());
    const accounts = Array.from({ length: 1_100 }, (_, index) => `account ${index}`);
    const answers = await Promise.all(accounts.map((accountId) => counts.of(accountId)));
    expect(answers).toEqual(accounts.map(() => ({ ...count, ownWaiting: 2, ownRunning: 1 })));
  });
});
