import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { ledgerEntries } from '../../support/ledger/ledger-entries';

const MODEL = 'embedded-extractive-1';

describeOperation(
  'getModel',
  () => ({ params: { model: MODEL } }),
  (status) => {
    status(404, 'refuses names that are none of an object, either', async (world) => {
      for (const model of ['__proto__', 'constructor', 'embedded-x', `${MODEL}/x`, ' ']) {
        const answer = await callAs('getModel', world, { params: { model } });
        expect([model, answer.status, answer.body.error]).toEqual([model, 404, 'Not Found']);
      }
    });

    status(200, 'describes a model, free of charge, even for an account without credit', async (world) => {
      await world.setBalanceUsd(world.owner, '0');
      const entries = await ledgerEntries(world.service, world.owner);
      const answer = await callAs('getModel', world, { params: { model: MODEL } });
      expect(answer.body).toEqual({
        id: MODEL,
        object: 'model',
        created: expect.any(Number),
        owned_by: 'embedded',
      });
      expect(answer.headers['x-request-cost']).toBeUndefined();
      expect(await ledgerEntries(world.service, world.owner)).toEqual(entries);
    });

    status(
      200,
      'describes every model of the list as the list does, to every account alike',
      async (world) => {
        const { data } = (await callAs('listModels', world, {})).body;
        for (const model of data) {
          const request = { params: { model: model.id } };
          expect((await callAs('getModel', world, request)).body).toEqual(model);
          expect((await callAs('getModel', world, request, world.stranger)).body).toEqual(model);
        }
      },
    );
  },
);
