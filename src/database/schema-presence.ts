import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { sqlStateOf } from './driver-errors';
import { VALID_FOR_MS } from './process-statements';
import { ELSEWHERE, schemaHere } from './schema-here';
import type { SchemaPlaces } from './schema-places';
import { SessionConnection } from './session-connection';

/** Rows of processes that are gone are forgotten now and then. In each schema, those that hold nothing more are forgotten by the sweep. */
const FORGOTTEN_EVERY_MS = 60_000;
const FORGET = "DELETE FROM processes WHERE heartbeat_at <= clock_timestamp() - interval '600 seconds'";

/**
 * Whoever was not heard of for longer may have been ended and forgotten: then its row must not be made a second time. Far less than
 * what that takes.
 */
const WRITTEN_WITHIN_MS = 20_000;

interface PresenceListener {
  heard(channel: string, payload: string): void;
  /** Notifications of a server may have been missed. */
  missed(): void;
  /** Others have ended this process in a schema. */
  ended(processId: string): void;
}

/**
 * This process in the schemas of accounts that Citus has distributed. Each has a row of it, by which flushes and those who end
 * silent processes go, so that neither has to lock anything on another server. The connection that renews the rows of a
 * server's schemas hears what is notified there, which no other server's listeners hear.
 *
 * Nothing is remembered on the strength of it: whoever takes a right away goes by the rows on the coordinator (ProcessRegister). A
 * process that does not hear of it is told by its heartbeat there to read everything anew.
 */
export class SchemaPresence {
  private readonly logger = new Logger('ProcessRegister');
  private readonly sessions = new Map<string, SessionConnection>();
  /** As which process this one was written down in each schema: once it was, its row is renewed and never made again. */
  private readonly writtenAs = new Map<number, string>();
  /** Since when a new row may have been made of which no answer told. */
  private readonly tried = new Map<number, { processId: string; firstTriedAtMs: number; times: number }>();
  private beating: Promise<void> = Promise.resolve();
  private isBeating = false;
  private forgottenAtMs = -Infinity;

  private constructor(
    private readonly places: SchemaPlaces,
    private readonly main: DataSource,
    private readonly channels: ReadonlyMap<string, unknown>,
    private readonly listener: PresenceListener,
  ) {}

  static of(
    places: SchemaPlaces | null,
    main: DataSource,
    channels: ReadonlyMap<string, unknown>,
    listener: PresenceListener,
  ): SchemaPresence | null {
    return places && new SchemaPresence(places, main, channels, listener);
  }

  /** Is heard of in all schemas whose servers answer in time. Never throws: it is tried again with the next heartbeat. */
  beat(processId: string): Promise<void> {
    const isKnown = this.places.all.every(({ number }) => this.writtenAs.get(number) === processId);
    if (!this.isBeating || !isKnown) {
      this.isBeating = true;
      this.beating = this.beating.then(() => this.beatAll(processId)).finally(() => (this.isBeating = false));
    }
    return this.beating;
  }

  /** Says that the process is gone, so that nobody waits for it. */
  async leave(processId: string): Promise<void> {
    await this.beating;
    await this.onEach(async (session, number) => {
      await session.query(`SELECT ${schemaHere(number)}.leave($1)`, [processId]);
    });
    await Promise.all([...this.sessions.values()].map((session) => session.close()));
    this.sessions.clear();
  }

  private async beatAll(processId: string): Promise<void> {
    await this.onEach(async (session, number) => {
      const isNew = this.writtenAs.get(number) !== processId;
      const earlier = this.tried.get(number);
      const isAgain = earlier?.processId === processId;
      const firstTriedAtMs = isAgain ? earlier.firstTriedAtMs : Date.now();
      if (isNew && Date.now() - firstTriedAtMs > WRITTEN_WITHIN_MS) {
        return this.listener.ended(processId);
      }
      this.tried.set(number, { processId, firstTriedAtMs, times: isAgain ? earlier.times + 1 : 1 });
      const [row] = await session.query<{ is_alive: boolean }>(
        `SELECT ${schemaHere(number)}.beat($1, $2) AS is_alive`,
        [processId, isNew],
      );
      this.writtenAs.set(number, processId);
      if (row && !row.is_alive) {
        this.listener.ended(processId);
      }
    });
    if (performance.now() - this.forgottenAtMs > FORGOTTEN_EVERY_MS) {
      this.forgottenAtMs = performance.now();
      await this.main.query(FORGET).catch(() => undefined);
    }
  }

  private async onEach(work: (session: SessionConnection, number: number) => Promise<void>): Promise<void> {
    const servers = new Map<string, number[]>();
    for (const { number, url } of this.places.all) {
      servers.set(url, [...(servers.get(url) ?? []), number]);
    }
    await Promise.all(
      [...servers].map(async ([url, numbers]) => {
        const session = this.sessionOf(url);
        for (const number of numbers) {
          await this.inOne(session, number, work);
        }
      }),
    );
  }

  private async inOne(
    session: SessionConnection,
    number: number,
    work: (session: SessionConnection, number: number) => Promise<void>,
  ): Promise<void> {
    let fault: Error | undefined;
    try {
      await this.places.prepare(number);
      // What a server refuses breaks no connection, over which others are heard.
      await session.within(VALID_FOR_MS, () =>
        work(session, number).catch((error: Error) => {
          fault = error;
          if (sqlStateOf(error) === undefined) {
            throw error;
          }
          // It is certain that no row was made, unless an earlier try has made it.
          if (this.tried.get(number)?.times === 1) {
            this.tried.delete(number);
          }
        }),
      );
    } catch (error) {
      fault = error as Error;
    }
    if (fault !== undefined) {
      this.logger.debug({ message: 'a heartbeat in a schema failed', schema: number, error: fault.message });
    }
    if (fault !== undefined && (sqlStateOf(fault) === ELSEWHERE || sqlStateOf(fault) === undefined)) {
      await this.places.refresh().catch(() => undefined);
    }
  }

  private sessionOf(url: string): SessionConnection {
    const session = this.sessions.get(url) ?? new SessionConnection(url, this.channels, this.listener);
    this.sessions.set(url, session);
    return session;
  }
}
