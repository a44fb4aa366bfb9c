import { setTimeout as delay } from 'node:timers/promises';
import type { TestAccount } from '../api/world';
import type { PlainServer } from '../processes/plain-server';
import type { SeededRandom } from '../seeded-random';
import { until } from '../until';
import { randomOrder, type TaskOrder } from './task-orders';

const CLIENTS = 4;
/** Of a client who does not know what became of its call, and of one who finds enough tasks unfinished. */
const PAUSE_MS = 50;
const GIVEN_UP_AFTER_MS = 30_000;
const CANCELLED_SHARE = 0.1;
const CANCELLED_AFTER_MS_MAX = 10_000;
/** The claim of a call that died keeps others with its key waiting for 20 s. */
const ANSWERED_WITHIN_MS = 120_000;

interface Submission {
  account: TestAccount;
  idempotencyKey: string;
  body: TaskOrder;
}

export interface TaskLoadOptions {
  accounts: readonly TestAccount[];
  random: SeededRandom;
  /** Who serves at this moment. */
  server: () => PlainServer;
  /** How many tasks are not finished now. */
  unfinished: () => Promise<number>;
  unfinishedMax: number;
  /** Is told how each call was answered; null where it was not. */
  noted?: (path: string, status: number | null, sentAtMs: number) => void;
}

/** Clients that keep submitting tasks, each until it knows its task's id, and cancel some. */
export class TaskLoad {
  /** The ids of the tasks that clients know of. */
  readonly told: string[] = [];
  /** Answers that none of the submissions may get. */
  readonly faults: string[] = [];
  /** How cancellations were answered. */
  readonly cancellations: (number | null)[] = [];
  private readonly unanswered: Submission[] = [];
  private readonly cancelling = new Set<Promise<unknown>>();
  private clients: Promise<unknown> | null = null;
  private isStopped = false;
  private ordered = 0;

  constructor(private readonly options: TaskLoadOptions) {}

  get accountIds(): string[] {
    return this.options.accounts.map(({ id }) => id);
  }

  start(): void {
    this.clients ??= Promise.all(Array.from({ length: CLIENTS }, () => this.submitUntilStopped()));
  }

  /** Submits no more. Resolves when every client knows its task. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.clients;
    await until('every submission is answered', () => this.askAgain(), ANSWERED_WITHIN_MS);
    await Promise.all(this.cancelling);
  }

  /** Submits a task now, again and again until it is known. */
  async submit(body: TaskOrder): Promise<void> {
    const submission = this.submission(body);
    while (!(await this.isSubmitted(submission))) {
      await delay(PAUSE_MS);
    }
  }

  /** Cancels a task in so many milliseconds. */
  cancel({ account, id }: { account: TestAccount; id: string }, inMs: number): void {
    const cancelling = delay(inMs)
      .then(() => this.post(`/api/hub/tasks/${id}/cancel`, undefined, account, {}))
      .then((answer) => this.cancellations.push(answer?.status ?? null))
      .finally(() => this.cancelling.delete(cancelling));
    this.cancelling.add(cancelling);
  }

  private submission(body: TaskOrder): Submission {
    const { accounts, random } = this.options;
    this.ordered += 1;
    return { account: random.pick(accounts), idempotencyKey: `${random.seed}-${this.ordered}`, body };
  }

  private async submitUntilStopped(): Promise<void> {
    const { random, unfinished, unfinishedMax } = this.options;
    while (!this.isStopped) {
      if ((await unfinished()) >= unfinishedMax) {
        await delay(PAUSE_MS);
        continue;
      }
      const body = randomOrder(random, `task-${random.seed}-${this.ordered}`);
      const submission = this.unanswered.shift() ?? this.submission(body);
      if (!(await this.isSubmitted(submission))) {
        this.unanswered.push(submission);
        await delay(PAUSE_MS);
      }
    }
  }

  private async askAgain(): Promise<boolean> {
    const submission = this.unanswered.shift();
    if (submission && !(await this.isSubmitted(submission))) {
      this.unanswered.push(submission);
      await delay(PAUSE_MS);
    }
    return this.unanswered.length === 0;
  }

  /** @returns whether the client knows its task now */
  private async isSubmitted({ account, idempotencyKey, body }: Submission): Promise<boolean> {
    const answer = await this.post('/api/hub/tasks', body, account, { 'idempotency-key': idempotencyKey });
    if (answer === null || answer.status === 409 || answer.status >= 500) {
      return false;
    }
    if (answer.status !== 201) {
      this.faults.push(`a submission was answered with ${answer.status}: ${answer.text}`);
      return true;
    }
    const { id } = (JSON.parse(answer.text) as { data: { id: string } }).data;
    this.told.push(id);
    if (this.options.random.next() < CANCELLED_SHARE) {
      this.cancel({ account, id }, this.options.random.between(0, CANCELLED_AFTER_MS_MAX));
    }
    return true;
  }

  /** @returns null where no answer came */
  private async post(
    path: string,
    body: unknown,
    account: TestAccount,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string } | null> {
    const sentAtMs = performance.now();
    const answer = await this.ask(path, body, account, headers);
    this.options.noted?.(path, answer?.status ?? null, sentAtMs);
    return answer;
  }

  private async ask(
    path: string,
    body: unknown,
    account: TestAccount,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string } | null> {
    const url = this.options.server().url + path;
    const contentType: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...contentType, 'x-api-key': account.key, ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS),
      });
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  }
}
