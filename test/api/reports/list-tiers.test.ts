import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'listTiers',
  () => ({}),
  (status) => {
    status(200, 'has the rates in force of every tier, that of console sessions too', async (world) => {
      const { tiers } = (await callAs('listTiers', world, {})).body;
      const rates = tiers.map(({ name, requests_per_minute }) => [name, requests_per_minute]);
      expect(rates).toEqual([
        ['free', 10],
        ['basic', 100],
        ['pro', 1_000],
        ['enterprise', null],
        ['anonymous', 20],
        ['documents', 60],
        ['console', 300],
      ]);
      expect(tiers.find(({ name }) => name === 'enterprise')?.accounts).toBeGreaterThanOrEqual(3);
    });
  },
);
