import { ServiceUnavailable, TooManyCallsWait } from '../../../src/errors/api-errors';
import { Ledger } from '../../../src/ledger/ledger';
import { Models } from '../../../src/models/models';
import { InputFiles } from '../../../src/models/multimodal/input-files';
import { BatchRuns } from '../../../src/modules/omm/omm';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { NEWS, textInput } from '../../support/omm/inputs';
import { until } from '../../support/until';
import { scriptModel } from '../../support/upstream/scripted-model';

const SUMMARY = { operation: 'process', body: { inputs: [textInput()], task: 'summarize', max_tokens: 100 } };
const HTML = { operation: 'transform', body: { input: textInput(), to: 'html' } };
const PICTURE_OF_TEXT = { operation: 'transform', body: { input: textInput(), to: 'png' } };

describeOperation(
  'runOmmBatch',
  (_, variant) => ({
    body: { items: [{ operation: 'transform', body: { input: textInput(`Copy ${variant}`), to: 'html' } }] },
  }),
  (status) => {
    status(402, 'refuses a batch of which nothing can be paid, and runs no item', async (world) => {
      await world.setBalanceUsd(world.owner, '0.002');
      const senseless = { operation: 'process', body: { inputs: [], task: 'sing' } };
      const headers = { 'idempotency-key': newId() };
      for (const items of [
        [HTML, HTML],
        [senseless, HTML, SUMMARY],
      ]) {
        const { status: of, body } = await callAs('runOmmBatch', world, { body: { items }, headers });
        expect([of, body]).toMatchObject([402, { error: 'Insufficient credits', available: 0.002 }]);
        expect(await world.balanceNanoUsd()).toBe(2_000_000n);
      }
      await world.setBalanceUsd(world.owner, '1');
      expect((await batch(world, [HTML, HTML], headers)).body.data.succeeded).toBe(2);
    });

    status(200, 'tells the sums of its items in the headers of a paid call', async (world) => {
      const told = ({ headers }: Awaited<ReturnType<typeof batch>>) =>
        COST_HEADERS.map((name) => Number(headers[name]));
      const headers = { 'idempotency-key': newId() };
      const items = [SUMMARY, PICTURE_OF_TEXT, HTML];
      const first = await batch(world, items, headers);
      const { data } = first.body;
      let tokens = 0;
      for (const { request_id } of data.results) {
        const receipt = () => callAs('getRequestReceipt', world, { params: { request_id } });
        await until('the receipt is written', async () => (await receipt()).status === 200);
        const { input_tokens, output_tokens } = (await receipt()).body;
        tokens += (input_tokens ?? 0) + (output_tokens ?? 0);
      }
      const balance = Number(await world.balanceNanoUsd()) / 1e9;
      expect(tokens).toBeGreaterThan(0);
      expect(told(first)).toEqual([data.cost, tokens, balance]);
      expect(told(await batch(world, items, headers))).toEqual([0, 0, balance]);
    });

    status(
      500,
      'tells of an unexpected fault of one item no more than that it was, and charges the others',
      async (world) => {
        const model = scriptModel(world, [{ fails: new Error('a secret of ours') }]);
        const { data } = (await batch(world, [SUMMARY, HTML])).body;
        expect(model.requests).toHaveLength(1);
        expect(data.results.map(({ status: of }) => of)).toEqual([500, 200]);
        expect(data.results[0]).toMatchObject({
          cost: 0,
          error: {
            error: 'Internal Server Error',
            message: 'Something went wrong on our side.',
          },
        });
      },
    );

    status(
      200,
      'lets no failing item harm another, and costs the sum of those that succeed',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const analysis = { operation: 'analyze', body: { inputs: [textInput()] } };
        const letter = {
          operation: 'generate',
          body: { prompt: 'Dear {{a}}', variables: [{ name: 'a', value: 'Ada' }] },
        };
        const faulty = { operation: 'process', body: { inputs: [], task: 'sing' } };
        const senseless = { operation: 'process', body: { inputs: [{ type: 'text' }], task: 'summarize' } };
        const unserved = { ...SUMMARY, body: { ...SUMMARY.body, model: 'gpt-9' } };
        const items = [SUMMARY, faulty, analysis, PICTURE_OF_TEXT, letter, senseless, HTML, unserved];
        const { data, metadata } = (await batch(world, items)).body;
        expect(data.results.map(({ index, operation, status: of }) => [index, operation, of])).toEqual([
          [0, 'process', 200],
          [1, 'process', 400],
          [2, 'analyze', 200],
          [3, 'transform', 422],
          [4, 'generate', 200],
          [5, 'process', 422],
          [6, 'transform', 200],
          [7, 'process', 404],
        ]);
        expect(data.results[1]?.error?.details?.map(({ field }) => field)).toEqual(
          expect.arrayContaining(['inputs', 'task']),
        );
        expect(data.results[4]?.data).toMatchObject({ output_type: 'text', text: 'Dear Ada' });
        expect(data.results[6]?.data).toMatchObject({ to: 'html', encoding: 'utf-8' });
        const costs = data.results.map(({ cost }) => cost);
        expect(costs.map((cost) => cost > 0)).toEqual([true, false, true, false, true, false, true, false]);
        const charged = before - (await world.balanceNanoUsd());
        expect([data.succeeded, data.failed, Math.round(data.cost * 1e9)]).toEqual([4, 4, Number(charged)]);
        expect(metadata.cost).toBe(data.cost);
        expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(data.cost, 9);
        expect(await ledgerFaults(world.service.database)).toEqual([]);
      },
    );

    status(200, "tells an item's error in the fields of a call of its own", async (world) => {
      await world.setLimits(world.owner, { perRequestLimitNano: 5_000_000n });
      const refused = [
        [400, { inputs: [], task: 'sing' }],
        [402, { ...SUMMARY.body, max_tokens: 1000 }],
        [404, { ...SUMMARY.body, model: 'gpt-9' }],
        [422, { inputs: [{ type: 'text' }], task: 'summarize' }],
      ] as const;
      const items = refused.map(([, body]) => ({ operation: 'process', body }));
      const { results } = (await batch(world, [HTML, ...items])).body.data;
      for (const [index, [of, body]] of refused.entries()) {
        const alone = await callAs('processInputs', world, { body });
        const { request_id, timestamp, ...error } = alone.body as unknown as Record<string, unknown>;
        expect([alone.status, request_id, timestamp]).toEqual([of, expect.any(String), expect.any(String)]);
        expect(results[index + 1]).toMatchObject({ status: of, data: null });
        expect(results[index + 1]?.error).toEqual(error);
      }
    });

    status(200, 'gives each item a receipt of its own', async (world) => {
      const { data } = (await batch(world, [HTML, PICTURE_OF_TEXT])).body;
      for (const { request_id, status: of, cost } of data.results) {
        const receipt = () => callAs('getRequestReceipt', world, { params: { request_id } });
        await until('the receipt is written', async () => (await receipt()).status === 200);
        expect((await receipt()).body).toMatchObject({ status: of, charged: cost });
      }
    });

    status(200, 'answers each item like the operation itself', async (world) => {
      const alone = await callAs('transformInput', world, { body: HTML.body });
      const { data } = (await batch(world, [HTML])).body;
      expect(data.results[0]?.data).toEqual(alone.body.data);
      expect(data.results[0]?.cost).toBe(alone.body.metadata.cost);
    });

    status(
      200,
      'refuses by itself an item that can not be paid any more, and never goes below zero',
      async (world) => {
        await world.setBalanceUsd(world.owner, '0.0075');
        const items = Array.from({ length: 8 }, () => HTML);
        const { data } = (await batch(world, items)).body;
        const statuses = data.results.map(({ status: of }) => of).sort();
        expect(statuses.filter((of) => of === 200)).toHaveLength(2);
        expect(statuses.filter((of) => of === 402)).toHaveLength(6);
        expect(await world.balanceNanoUsd()).toBe(7_500_000n - BigInt(Math.round(data.cost * 1e9)));
        expect(await ledgerFaults(world.service.database)).toEqual([]);
      },
    );

    status(200, "keeps the key's limits for its items", async (world) => {
      await world.setLimits(world.owner, { dailyLimitNano: 7_500_000n });
      const { data } = (
        await batch(
          world,
          Array.from({ length: 5 }, () => HTML),
        )
      ).body;
      const refused = data.results.filter(({ status: of }) => of === 402);
      expect(refused).toHaveLength(3);
      expect(refused[0]?.error?.error).toBe('Spending limit exceeded');
    });

    status(200, 'counts as one call, whatever its items are', async (world) => {
      await world.setRates(world.owner, { requests_per_hour: 1000 });
      const one = await batch(world, [HTML]);
      const many = await batch(
        world,
        Array.from({ length: 20 }, () => HTML),
      );
      expect([many.status, many.body.data.succeeded]).toEqual([200, 20]);
      const remaining = [one, many].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
      expect((remaining[0] ?? 0) - (remaining[1] ?? 0)).toBe(1);
    });

    status(200, 'runs no more than three items at once', async (world) => {
      let running = 0;
      let most = 0;
      const model = scriptModel(world, []);
      jest.spyOn(world.service.app.get(Models), 'chat').mockImplementation(async (request, options) => {
        running += 1;
        most = Math.max(most, running);
        // Long enough for another item to begin, if there were a place for one.
        await until('as many run as ever will', () => Promise.resolve(most >= 3));
        for (let turn = 0; turn < 200; turn += 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        running -= 1;
        return model.chat(request, options);
      });
      await batch(
        world,
        Array.from({ length: 9 }, () => SUMMARY),
      );
      expect([model.requests.length, most]).toEqual([18, 3]);
    });

    status(
      200,
      'goes on with what was not done when a broken batch is retried, and runs no item twice',
      async (world) => {
        const { database } = world.service;
        const headers = { 'idempotency-key': newId() };
        const items = [HTML, SUMMARY];
        const first = await batch(world, items, headers);
        const before = await world.balanceNanoUsd();
        // As if the process had died after the first item was charged: the batch and the second item have no answer.
        await database.query(
          `DELETE FROM idempotency_claims WHERE answer LIKE '%"results"%' AND account_id = $1`,
          [world.owner.id],
        );
        const second = await batch(world, items, headers);
        const charged = before - (await world.balanceNanoUsd());
        expect(second.body.data.results[0]).toEqual(first.body.data.results[0]);
        expect(second.body.data.results[1]?.request_id).not.toBe(first.body.data.results[1]?.request_id);
        expect(Number(charged)).toBe(Math.round((first.body.data.results[1]?.cost ?? 0) * 1e9));
        expect(second.body.data.cost).toBe(first.body.data.cost);
      },
    );

    status(200, 'gives a retry the item of which nobody could tell whether it was charged', async (world) => {
      const ledger = world.service.app.get(Ledger);
      const settle = ledger.settle.bind(ledger);
      jest.spyOn(ledger, 'settle').mockImplementationOnce(async (order) => {
        await settle(order);
        throw new Error('the answer was lost');
      });
      const headers = { 'idempotency-key': newId() };
      const before = await world.balanceNanoUsd();
      await expect(batch(world, [HTML], headers)).rejects.toThrow('response destroyed before completion');
      const charged = before - (await world.balanceNanoUsd());
      expect(charged).toBeGreaterThan(0n);
      const { data } = (await batch(world, [HTML], headers)).body;
      expect([data.succeeded, Math.round(data.cost * 1e9)]).toEqual([1, Number(charged)]);
      expect(before - (await world.balanceNanoUsd())).toBe(charged);
    });

    status(
      503,
      'is answered with the reason why an item could not be run just now, and a retry runs it',
      async (world) => {
        const headers = { 'idempotency-key': newId() };
        const ledger = world.service.app.get(Ledger);
        const reserve = ledger.reserve.bind(ledger);
        jest
          .spyOn(ledger, 'reserve')
          .mockImplementationOnce((order) => reserve(order))
          .mockRejectedValueOnce(new TooManyCallsWait());
        const before = await world.balanceNanoUsd();
        expect((await batch(world, [HTML, HTML], headers)).status).toBe(503);
        const busy = new ServiceUnavailable('Too many files are being worked on; call again.', 5);
        jest.spyOn(world.service.app.get(InputFiles), 'receive').mockRejectedValueOnce(busy);
        const again = await batch(world, [HTML, HTML], headers);
        expect([again.status, again.headers['retry-after']]).toEqual([503, '5']);
        const { data } = (await batch(world, [HTML, HTML], headers)).body;
        expect(data.succeeded).toBe(2);
        expect(Number(before - (await world.balanceNanoUsd()))).toBe(Math.round(data.cost * 1e9));
      },
    );

    status(409, 'is not answered while an earlier run of it still holds an item', async (world) => {
      const headers = { 'idempotency-key': newId() };
      await batch(world, [HTML], headers);
      const { database } = world.service;
      await database.query(`DELETE FROM idempotency_claims WHERE answer LIKE '%"succeeded"%'`);
      await database.query('UPDATE idempotency_claims SET status = NULL, answer = NULL');
      const before = await world.balanceNanoUsd();
      const answer = await batch(world, [HTML], headers);
      expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([409, true]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'refuses an answer that has no room beside the others, free of charge', async (world) => {
      const text = NEWS.repeat(3_500);
      const body = { input: textInput(text), to: 'html', max_input_tokens: 500_000 };
      const items = Array.from({ length: 3 }, () => ({ operation: 'transform', body }));
      const before = await world.balanceNanoUsd();
      const full = jest.replaceProperty(world.service.app.get(BatchRuns), 'answersLengthMax', 800_000);
      const { data } = (await batch(world, items)).body;
      full.restore();
      expect(data.results.map(({ status: of }) => of).sort()).toEqual([200, 200, 422]);
      expect(data.results.find(({ error }) => error)?.error?.message).toContain('no room left');
      expect(Number(before - (await world.balanceNanoUsd()))).toBe(Math.round(data.cost * 1e9));
    });
  },
  { STRICT_MODELS: 'true' },
);

const COST_HEADERS = ['x-request-cost', 'x-tokens-used', 'x-balance-remaining'];

function batch(world: World, items: readonly object[], headers: Record<string, string> = {}) {
  return callAs('runOmmBatch', world, { body: { items }, headers });
}

afterEach(() => {
  jest.restoreAllMocks();
});
