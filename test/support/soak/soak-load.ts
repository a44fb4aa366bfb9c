import { policyOf } from '../api/service';
import { PaidLoad } from '../ledger/paid-load';
import { SeededRandom } from '../seeded-random';
import { count, UNFINISHED_TASKS } from '../tasks/killed-tasks';
import { TaskLoad } from '../tasks/task-load';
import { TaskWatch } from '../tasks/task-watch';
import type { AnswerTally } from './checks/error-checks';
import { MixedLoad } from './mixed-load';
import { RoomLoad } from './room-load';
import { errorIn, SoakCalls } from './soak-calls';
import type { SoakScene } from './soak-scene';
import { SocketStreamLoad } from './socket-stream-load';

const PAID_CLIENTS = 4;
const UNFINISHED_TASKS_MAX = 30;
const TASK_ACCOUNTS = 4;

/** Clients of everything that the service offers, all at once and in moderation. */
export class SoakLoad {
  readonly paid: PaidLoad;
  readonly calls: SoakCalls;
  readonly tasks: TaskLoad;
  readonly watch: TaskWatch;
  readonly rooms: RoomLoad;
  readonly streams: SocketStreamLoad;
  /** What clients were told that can't be. */
  readonly faults: string[] = [];
  private readonly mixed: MixedLoad;

  constructor(
    scene: SoakScene,
    seed: number,
    private readonly tally: AnswerTally,
  ) {
    const { accounts, stack, webhooks } = scene;
    const { server } = stack;
    const random = new SeededRandom(seed);
    const url = () => stack.url;
    const everybody = [...accounts.rich, ...accounts.poor];
    const submitters = accounts.rich.slice(0, TASK_ACCOUNTS);
    this.paid = new PaidLoad({ name: `paid-${seed}`, accounts: everybody, random, servers: () => [server] });
    this.calls = new SoakCalls(`mixed-${seed}`, url);
    this.tasks = new TaskLoad({
      accounts: submitters,
      random,
      server: () => server,
      // While the database is away nobody knows.
      unfinished: () => count(stack.service, UNFINISHED_TASKS).catch(() => UNFINISHED_TASKS_MAX),
      unfinishedMax: UNFINISHED_TASKS_MAX,
      noted: (_, status, fromMs) => tally.noteCall('tasks', status, null, fromMs, performance.now() - fromMs),
    });
    this.watch = new TaskWatch(submitters, () => server, true);
    this.mixed = new MixedLoad({ calls: this.calls, accounts, random, webhooks, faults: this.faults });
    const noted = (group: string) => (outcome: string, isFailure: boolean, fromMs: number) =>
      tally.note(group, outcome, isFailure, fromMs);
    const [first] = accounts.rich;
    if (!first) {
      throw new Error('a soak has accounts');
    }
    this.rooms = new RoomLoad({ account: first, random, url, noted: noted('ws rooms') });
    this.streams = new SocketStreamLoad({ accounts: accounts.rich, random, url, noted: noted('ws streams') });
  }

  start(): void {
    this.paid.keepCalling(PAID_CLIENTS);
    [this.mixed, this.tasks, this.watch, this.rooms, this.streams].forEach((load) => load.start());
  }

  /** Begins nothing any more; what is under way ends, and who has an Idempotency-Key may still have to ask again. */
  async stop(): Promise<void> {
    await Promise.all([
      this.paid.stop(),
      this.mixed.stop(),
      this.tasks.stop(),
      this.rooms.stop(),
      this.streams.stop(),
    ]);
  }

  /** Tells the tally what was answered over HTTP. To be called once, at the end. */
  countAnswers(): void {
    for (const told of this.paid.calls) {
      const group = told.order.kind === 'chat' ? 'v1' : 'memory';
      this.tally.noteCall(group, told.status, errorIn(told), told.sentAtMs, told.tookMs);
    }
    for (const { error, operation, request, sentAtMs, status, tookMs } of this.calls.told) {
      // A stream that its client has left broke off for no other reason.
      const isLeft = status === null && request.partsRead !== undefined;
      if (!isLeft) {
        this.tally.noteCall(policyOf(operation).tag, status, error, sentAtMs, tookMs);
      }
    }
  }
}
