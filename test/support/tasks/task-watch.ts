import { setTimeout as delay } from 'node:timers/promises';
import type { operations } from '../../../generated/types';
import type { TestAccount } from '../api/world';
import type { PlainServer } from '../processes/plain-server';

type TaskPage = operations['listTasks']['responses'][200]['content']['application/json']['data'];
export type SeenEntry = TaskPage['tasks'][number];

const PAGE = 100;
const BETWEEN_LOOKS_MS = 250;
const GIVEN_UP_AFTER_MS = 30_000;
const PLACES = { queued: 0, running: 1, succeeded: 2, failed: 2, cancelled: 2 };

/** A client that keeps looking at the newest tasks of some accounts, and remembers what it was told of each. */
export class TaskWatch {
  /** What was told that can't be: a task that went back, or changed after its end. */
  readonly faults: string[] = [];
  readonly seen = new Map<string, SeenEntry>();
  private readonly owners = new Map<string, TestAccount>();
  looks = 0;
  private watching: Promise<void> | null = null;
  private isStopped = false;

  /**
   * @param server who serves at this moment
   * @param mayGiveBack whether a worker may be refused the run of a task, such as while the database is away, so that it gives
   *   the task back without an attempt having counted
   */
  constructor(
    private readonly accounts: readonly TestAccount[],
    private readonly server: () => PlainServer,
    private readonly mayGiveBack = false,
  ) {}

  start(): void {
    this.watching ??= this.watch();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.watching;
  }

  /** Looks once more at every task of the accounts, not only at the newest. */
  async lookAtAll(): Promise<void> {
    for (const account of this.accounts) {
      let isMore = true;
      for (let offset = 0; isMore; offset += PAGE) {
        isMore = (await this.look(account, offset)).length === PAGE;
      }
    }
  }

  /** The tasks that were running when they were last seen, also those whose workers have died since. */
  running(): { id: string; account: TestAccount }[] {
    return [...this.seen.values()]
      .filter(({ status }) => status === 'running')
      .flatMap(({ id }) => {
        const account = this.owners.get(id);
        return account ? [{ id, account }] : [];
      });
  }

  private async watch(): Promise<void> {
    while (!this.isStopped) {
      for (const account of this.accounts) {
        // A server that was killed is followed by another.
        await this.look(account, 0).catch(() => undefined);
      }
      await delay(BETWEEN_LOOKS_MS);
    }
  }

  private async look(account: TestAccount, offset: number): Promise<SeenEntry[]> {
    const path = `/api/hub/tasks?limit=${PAGE}&offset=${offset}`;
    const response = await fetch(this.server().url + path, {
      headers: { 'x-api-key': account.key },
      signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS),
    });
    const text = await response.text();
    if (response.status !== 200) {
      throw new Error(`tasks could not be listed: ${response.status} ${text}`);
    }
    const { tasks } = (JSON.parse(text) as { data: TaskPage }).data;
    this.looks += 1;
    for (const task of tasks) {
      this.owners.set(task.id, account);
      this.note(task);
    }
    return tasks;
  }

  private note(task: SeenEntry): void {
    const before = this.seen.get(task.id);
    this.seen.set(task.id, task);
    if (before === undefined) {
      return;
    }
    const hasGoneBack =
      PLACES[task.status] < PLACES[before.status] ||
      task.progress < before.progress ||
      task.attempts < before.attempts;
    const hasChangedAfterItsEnd =
      before.finished_at !== null && JSON.stringify(before) !== JSON.stringify(task);
    const isGivenBack = this.mayGiveBack && wasGivenBack(before, task);
    if ((hasGoneBack && !isGivenBack) || hasChangedAfterItsEnd) {
      this.faults.push(`a task went back from ${JSON.stringify(before)} to ${JSON.stringify(task)}`);
    }
  }
}

/** One attempt less, no progress lost, and queued again only where nothing was seen to begin. */
function wasGivenBack(before: SeenEntry, task: SeenEntry): boolean {
  return (
    before.status === 'running' &&
    task.attempts === before.attempts - 1 &&
    task.progress >= before.progress &&
    (task.status !== 'queued' || before.progress === 0)
  );
}
