import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'getPublicPricing',
  () => ({}),
  (status) => {
    status(200, 'tells anybody the prices that a key would be told, and the models', async (world) => {
      const { body } = await callAs('getPublicPricing', world, {});
      const { models, ...prices } = body;
      expect(prices).toEqual((await callAs('getPricing', world, {})).body);
      const { data } = (await callAs('listModels', world, {})).body;
      expect(models.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
      expect(models).toContainEqual({
        id: 'embedded-extractive-1',
        operations: expect.arrayContaining(['chat']) as unknown,
      });
    });
    status(200, 'asks for no credential that could be wrong', async (world) => {
      const headers = { 'x-api-key': 'svc_test_wrong', authorization: 'Bearer wrong' };
      expect((await callAs('getPublicPricing', world, { headers })).status).toBe(200);
    });
  },
);
