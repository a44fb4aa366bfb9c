import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { ledgerEntries } from '../../support/ledger/ledger-entries';

describeOperation(
  'listModels',
  () => ({}),
  (status) => {
    status(
      200,
      'lists each model once, free of charge, even for an account without credit',
      async (world) => {
        await world.setBalanceUsd(world.owner, '0');
        const entries = await ledgerEntries(world.service, world.owner);
        const answer = await callAs('listModels', world, {});
        expect(answer.body).toEqual({
          object: 'list',
          data: ['embedded-extractive-1', 'embedded-hash-384'].map((id) => ({
            id,
            object: 'model',
            created: expect.any(Number),
            owned_by: 'embedded',
          })),
        });
        expect(answer.headers['x-request-cost']).toBeUndefined();
        expect(await ledgerEntries(world.service, world.owner)).toEqual(entries);
      },
    );

    status(200, 'lists what can be called', async (world) => {
      const { data } = (await callAs('listModels', world, {})).body;
      const [chat, embedding] = data.map(({ id }) => id);
      const messages = [{ role: 'user', content: 'x' }];
      const answers = [
        await callAs('createChatCompletion', world, { body: { model: chat, messages } }),
        await callAs('createCompletion', world, { body: { model: chat, prompt: 'x' } }),
        await callAs('createEmbedding', world, { body: { model: embedding, input: 'x' } }),
      ];
      expect(answers.map((answer) => [answer.status, answer.body.model])).toEqual([
        [200, chat],
        [200, chat],
        [200, embedding],
      ]);
    });

    status(200, 'takes the key as a bearer token too', async (world) => {
      const headers = { authorization: `Bearer ${world.owner.key}` };
      expect((await world.service.call('listModels', { headers })).status).toBe(200);
    });
  },
  { STRICT_MODELS: 'true' },
);
