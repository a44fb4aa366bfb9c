import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { Conflict } from '../errors/api-errors';
import { type AccountDatabases, DRAINED } from './account-databases';
import { moveRows, moveStrays, StillReserved } from './account-move';
import { sqlStateOf } from './driver-errors';
import type { ProcessRegister } from './process-register';

/** For calls in flight to end, and then for rows to move. */
const DRAINED_WITHIN_MS = 1_000;
const MOVED_WITHIN_MS = 4_000;
/** After that calls are let in, and nothing may move. */
const MOVING_FOR_MS = DRAINED_WITHIN_MS + MOVED_WITHIN_MS + 1_000;
const AGAIN_AFTER_MS = 500;
const TRIES_MAX = 20;
/** Longer than others take to end a process that is not heard of. */
const HEARD_WITHIN_MS = 60_000;
const LOOKED_EVERY_MS = 10;

const BEGIN = `
  INSERT INTO account_routes (account_id, schema, moving_until)
  VALUES ($1, $2, clock_timestamp() + interval '${MOVING_FOR_MS} milliseconds')
  ON CONFLICT (account_id) DO UPDATE SET moving_until = excluded.moving_until, version = account_routes.version + 1
    WHERE account_routes.moving_until IS NULL OR account_routes.moving_until < clock_timestamp()
  RETURNING version`;

const END = `
  UPDATE account_routes SET schema = $2, moving_until = NULL, version = version + 1
  WHERE account_id = $1 AND version = $3 AND moving_until > clock_timestamp() RETURNING version`;

const RECALL = "SELECT pg_notify('ledger_recall', $1)";

const GIVE_UP = `
  UPDATE account_routes SET moving_until = NULL, version = version + 1 WHERE account_id = $1 AND version = $2`;

const DEADLOCK = '40P01';

/** One that has left has nothing in flight; one that is not heard of may have. */
const ALIVE = `
  SELECT id, valid_until > clock_timestamp() AS is_heard FROM processes
  WHERE NOT is_dead AND valid_until > '-infinity' AND id <> $1`;

interface Journey {
  accountId: string;
  from: number;
  to: number;
  version: string;
}

interface Move {
  rows: number;
  /** For how long calls of the account waited, at most. */
  pausedMs: number;
}

/** Moves accounts to other schemas while they are served. */
export class AccountMover {
  /** Of processes in which no call of the account is in flight: `<account> <process> <version>`. */
  private readonly drained = new Set<string>();

  /** Before the first heartbeat of the register. */
  constructor(
    private readonly databases: AccountDatabases,
    private readonly register: ProcessRegister,
  ) {
    register.listen(DRAINED, (payload) => this.drained.add(payload));
    register.onChange((accountId) => this.tellOthers(accountId));
  }

  /** Whoever moves another account meanwhile waits for this process too, which calls nothing. */
  private async tellOthers(accountId: string | null): Promise<void> {
    if (accountId !== null) {
      await this.databases.readRoutes(accountId);
      await this.databases.tellDrained(accountId, this.register.id);
    }
  }

  /**
   * Calls of the account wait for a second, and as long as its rows take. Where others are in flight for longer, this is tried again.
   * @throws NotFound, Conflict
   */
  async move(accountId: string, to: number): Promise<Move> {
    if (to < 0 || to >= this.databases.all.length) {
      throw new Conflict(`There is no schema ${to}; there are ${this.databases.all.length}.`);
    }
    if (this.databases.places) {
      throw new Conflict(
        'Accounts cannot be moved between schemas that are on several servers; move a schema.',
      );
    }
    await this.untilAllHeard();
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const move = await this.tryTo(accountId, to);
      if (move) {
        return move;
      }
      await delay(AGAIN_AFTER_MS);
    }
    throw new Conflict('Calls of the account were in flight all the time; try again.');
  }

  /** @throws Conflict */
  private async untilAllHeard(): Promise<void> {
    const deadlineMs = performance.now() + HEARD_WITHIN_MS;
    while ((await this.alive()).some(({ is_heard: isHeard }) => !isHeard)) {
      if (performance.now() > deadlineMs) {
        throw new Conflict(
          'A process is not heard of, and none of role all or worker has ended it; try again.',
        );
      }
      await delay(AGAIN_AFTER_MS);
    }
  }

  /** What was written for the account in schemas where it is no more. @returns how many rows */
  private async collect(accountId: string, schemas: readonly number[], to: number): Promise<number> {
    let rows = 0;
    for (const from of schemas.filter((schema) => schema !== to)) {
      rows += await this.databases.everyone.transaction((manager) =>
        moveStrays(manager, accountId, from, to),
      );
    }
    return rows;
  }

  /** @returns null where calls were in flight for too long */
  private async tryTo(accountId: string, to: number): Promise<Move | null> {
    await this.databases.readRoutes(accountId);
    const from = this.databases.numberOf(accountId);
    if (from === to) {
      return { rows: await this.collect(accountId, [...this.databases.all.keys()], to), pausedMs: 0 };
    }
    const beganMs = performance.now();
    const [begun] = await this.change(accountId, (manager) =>
      manager.query<{ version: string }[]>(BEGIN, [accountId, from]),
    );
    if (!begun) {
      return null;
    }
    try {
      const rows = await this.pausedMove({ accountId, from, to, version: begun.version }, beganMs);
      const pausedMs = performance.now() - beganMs;
      return rows === null ? null : { rows: rows + (await this.collect(accountId, [from], to)), pausedMs };
    } catch (error) {
      await this.giveUp(accountId, begun.version);
      throw error;
    } finally {
      this.drained.clear();
    }
  }

  private async pausedMove(journey: Journey, beganMs: number): Promise<number | null> {
    while (performance.now() < beganMs + DRAINED_WITHIN_MS) {
      const rows = (await this.isDrained(journey)) ? await this.moved(journey) : null;
      if (rows !== null) {
        await this.databases.readRoutes(journey.accountId);
        return rows;
      }
      await delay(LOOKED_EVERY_MS);
    }
    await this.giveUp(journey.accountId, journey.version);
    return null;
  }

  private async giveUp(accountId: string, version: string): Promise<void> {
    await this.change(accountId, (manager) => manager.query(GIVE_UP, [accountId, version]));
  }

  private async isDrained({ accountId, version }: Journey): Promise<boolean> {
    return (await this.alive()).every(({ id }) => this.drained.has(`${accountId} ${id} ${version}`));
  }

  private alive(): Promise<{ id: string; is_heard: boolean }[]> {
    return this.databases.everyone.query(ALIVE, [this.register.id]);
  }

  /** @returns null where credit is still on its way back, or the time is over */
  private async moved({ accountId, from, to, version }: Journey): Promise<number | null> {
    const deadlineMs = performance.now() + MOVED_WITHIN_MS;
    try {
      return await this.change(accountId, async (manager) => {
        const count = await moveRows(manager, accountId, from, to, deadlineMs);
        const [ended]: [unknown[], number] = await manager.query(END, [accountId, to, version]);
        if (ended.length === 0) {
          throw new StillReserved();
        }
        return count;
      });
    } catch (error) {
      if (!(error instanceof StillReserved) && sqlStateOf(error) !== DEADLOCK) {
        throw error;
      }
      // Its last calls may have been lent for after all processes were told.
      await this.databases.everyone.query(RECALL, [accountId]);
      return null;
    }
  }

  /** Of which all processes know when this returns. */
  private change<Result>(
    accountId: string,
    change: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.register.changing(accountId, (announce) =>
      this.databases.everyone.transaction(async (manager) => {
        const result = await change(manager);
        await announce(manager);
        return result;
      }),
    );
  }
}
