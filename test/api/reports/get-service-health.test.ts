import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'getServiceHealth',
  () => ({}),
  (status) => {
    status(200, 'shows checks, upstreams and chains, and no address or key of theirs', async (world) => {
      const { body, text } = await callAs('getServiceHealth', world, {});
      expect(body).toMatchObject({
        status: 'ok',
        upstreams: [{ name: 'far', status: 'ok', detail: null, models: ['m'] }],
      });
      expect(body.checks).toContainEqual({ name: 'database', status: 'ok' });
      expect(body.chains.map(({ currency, is_sandbox }) => [currency, is_sandbox])).toEqual([
        ['BTC', true],
        ['ETH', true],
        ['SOL', true],
      ]);
      expect(text).not.toMatch(/127\.0\.0\.1|upstream-secret/);
    });
  },
  {
    UPSTREAMS: JSON.stringify([
      { name: 'far', base_url: 'http://127.0.0.1:9/v1', api_key: 'upstream-secret', models: [{ id: 'm' }] },
    ]),
  },
);
