import { availableParallelism, totalmem } from 'node:os';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectNothingPrivate } from '../../support/api/private-facts';

describeOperation(
  'getSystemResources',
  () => ({}),
  (status) => {
    status(200, 'shows no more than the machine has, and tells nothing of where it is', async (world) => {
      const before = await world.balanceNanoUsd();
      const { data } = (await callAs('getSystemResources', world, {})).body;
      expect(data.cores).toBeLessThanOrEqual(availableParallelism());
      expect(data.memory_total_bytes).toBeLessThanOrEqual(totalmem());
      expect(data.memory_free_bytes).toBeLessThanOrEqual(data.memory_total_bytes);
      expect(data.heap_used_bytes).toBeLessThanOrEqual(data.process_memory_bytes);
      expect(await world.balanceNanoUsd()).toBe(before);
      expectNothingPrivate(world, JSON.stringify(data));
    });
  },
);
