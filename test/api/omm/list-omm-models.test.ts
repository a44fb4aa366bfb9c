import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

describeOperation(
  'listOmmModels',
  () => ({}),
  (status) => {
    status(
      200,
      'tells what the embedded engine can do, what it cannot, and that no upstream is there',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const { data } = (await callAs('listOmmModels', world, {})).body;
        expect(data.engines).toEqual([{ provider: 'embedded', quality: 'basic', available: true }]);
        expect(data.models).toEqual([]);
        const available = data.capabilities.filter(({ available: is }) => is);
        expect(available.every(({ engine, method }) => engine === 'embedded' && method !== null)).toBe(true);
        expect(await verdicts(world)).toMatchObject({
          'process summarize text': 'text-rank',
          'process summarize image': false,
          'process describe text': false,
          'process transcribe null': false,
          'analyze null image': 'analysis',
          'generate null null': 'template',
        });
        expect(await world.balanceNanoUsd()).toBe(before);
      },
    );
  },
);

/** Of each capability the method, or that it is not available. Of several the first counts. */
async function verdicts(world: World): Promise<Record<string, unknown>> {
  const { data } = (await callAs('listOmmModels', world, {})).body;
  const entries = data.capabilities.map(({ operation, task, input, available, method }) => [
    `${operation} ${task} ${input}`,
    available ? (method ?? 'upstream') : false,
  ]);
  return Object.fromEntries(entries.reverse()) as Record<string, unknown>;
}
