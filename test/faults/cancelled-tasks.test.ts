import { setTimeout as delay } from 'node:timers/promises';
import { EMBEDDED_CHAT_MODEL } from '../../src/text/extractive-answer';
import { countTokens } from '../../src/text/count-tokens';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { SeededRandom } from '../support/seeded-random';
import { faultsInTasks } from '../support/tasks/task-faults';
import type { TaskOrder } from '../support/tasks/task-orders';
import { runTasks, seeTask, submitTask, type SeenTask } from '../support/tasks/task-scene';
import { chatParameters, TASK_ANSWER, TaskUpstream } from '../support/tasks/task-upstream';
import { until } from '../support/until';

const ROUNDS = depth('CANCEL_ROUNDS', { short: 30, deep: 300 });
/** Fewer than one account may have in hand, so that all of a round may run. */
const AT_ONCE = 6;
const UPSTREAM_MS_MAX = 200;
/** A task may have ended by then. */
const CANCELLED_AFTER_MS_MAX = 300;
const CHAT_NANO_USD = 2_000_000n;

/** What became of a task, and what its canceller was told. */
interface Cancelled {
  status: number;
  /** The task as the answer told of it, or as it was right after a refusal. */
  told: SeenTask;
  ended: SeenTask;
}

describe('cancelling tasks at any moment', () => {
  const random = new SeededRandom();
  let upstream: TaskUpstream;
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    upstream = await TaskUpstream.start();
    service = await TestService.start(upstream.environment);
    runTasks(service);
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  async function submitAndCancel(order: TaskOrder): Promise<Cancelled> {
    const { id } = await submitTask(world, order);
    // Some at once, so that also those that wait are met.
    await delay(random.next() < 0.2 ? 0 : random.between(0, CANCELLED_AFTER_MS_MAX));
    const answer = await callAs('cancelTask', world, { params: { task_id: id } });
    const told = answer.status === 200 ? answer.body.data : await seeTask(world, id);
    await until(`task ${id} has ended`, async () => (await seeTask(world, id)).finished_at !== null);
    return { status: answer.status, told, ended: await seeTask(world, id) };
  }

  async function cancelMany(order: (name: string) => TaskOrder): Promise<Cancelled[]> {
    const all: Cancelled[] = [];
    while (all.length < ROUNDS) {
      const orders = Array.from({ length: AT_ONCE }, (_, index) => order(`${all.length + index}`));
      all.push(...(await Promise.all(orders.map((each) => submitAndCancel(each)))));
    }
    // Nothing that a worker does after the end of a task may change it.
    const now = await Promise.all(all.map(({ ended }) => seeTask(world, ended.id)));
    expect(now).toEqual(all.map(({ ended }) => ended));
    return all;
  }

  function expectAsAnswered(all: readonly Cancelled[]): void {
    for (const { status, told, ended } of all) {
      expect([200, 409]).toContain(status);
      expect(['succeeded', 'cancelled']).toContain(ended.status);
      // Once it has ended nothing changes; until then it had been told to stop.
      expect(told).toEqual(
        told.finished_at === null ? expect.objectContaining({ status: 'running' }) : ended,
      );
      if (status === 409) {
        expect(told.status).toBe('succeeded');
      }
    }
    const tally = new Map<string, number>();
    all.forEach(({ status, told, ended }) => {
      const name = `${status} ${told.status}, then ${ended.status}`;
      tally.set(name, (tally.get(name) ?? 0) + 1);
    });
    const tallied = [...tally].map(([name, count]) => `${count} of ${name}`).join(', ');
    process.stdout.write(`\nseed ${random.seed}: ${tallied}\n`);
  }

  async function expectNoFaults(): Promise<void> {
    expect(await faultsInTasks(service.database)).toEqual([]);
    expect(await ledgerFaults(service.database)).toEqual([]);
    await until('no reservation is open', async () => {
      const open: unknown[] = await service.database.query('SELECT id FROM reservations');
      return open.length === 0;
    });
  }

  const EMBEDDED: Record<string, (name: string) => TaskOrder> = {
    createMemory: (key) => ({ task_type: 'createMemory', parameters: { key, value: 'v' } }),
    createAgent: (name) => ({ task_type: 'createAgent', parameters: { name } }),
    createChatCompletion: () => {
      const messages = [{ role: 'user', content: 'Paris is the capital of France. What is its capital?' }];
      const parameters = { model: EMBEDDED_CHAT_MODEL, messages, max_tokens: 20 };
      return { task_type: 'createChatCompletion', parameters };
    },
  };

  it.each(Object.keys(EMBEDDED))(
    'has one outcome for a %s of ours, which costs nothing unless it succeeds',
    async (type) => {
      const all = await cancelMany((name) => EMBEDDED[type]?.(name) as TaskOrder);
      expectAsAnswered(all);
      expect(all.filter(({ ended }) => ended.status === 'cancelled' && ended.cost > 0)).toEqual([]);
      await expectNoFaults();
    },
  );

  it("has one outcome for an upstream's chat, which costs what the upstream did until then", async () => {
    const all = await cancelMany(() => {
      const parameters = chatParameters(`within ${random.between(0, UPSTREAM_MS_MAX)}`);
      return { task_type: 'createChatCompletion', parameters };
    });
    expectAsAnswered(all);
    let producedTokens = 0;
    for (const { ended } of all.filter(({ ended: { status, cost } }) => status === 'cancelled' && cost > 0)) {
      const answer = await callAs('getRequestReceipt', world, {
        params: { request_id: String(ended.request_id) },
      });
      const { status, charged, reserved, input_tokens: input, output_tokens: output } = answer.body;
      expect([status, charged]).toEqual([499, ended.cost]);
      expect(input).toBeGreaterThan(0);
      expect(output).toBeLessThanOrEqual(countTokens(TASK_ANSWER));
      producedTokens += output;
      expect(BigInt(Math.round(charged * 1e9))).toBe(CHAT_NANO_USD + 10_000n * BigInt(input + output));
      expect(charged).toBeLessThanOrEqual(reserved);
    }
    const charged = all.filter(({ ended: { status, cost } }) => status === 'cancelled' && cost > 0).length;
    process.stdout.write(
      `${charged} of the cancelled ones had asked the upstream, which had produced ${producedTokens} tokens\n`,
    );
    await expectNoFaults();
  });
});
