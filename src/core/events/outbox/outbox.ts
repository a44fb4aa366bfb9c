import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventType } from './event-types';

/** Something that happened to an account, for its subscribers. */
export interface NewEvent {
  accountId: string;
  type: EventType;
  /** The event's `data` as its subscribers get it (document, webhooks). Amounts are decimal USD. */
  data: Record<string, unknown>;
  /** The operation whose route and method the payload names; null for a type that names none. */
  operation: string | null;
  occurredAt: Date;
  /** For an event that is written at most once in a time. */
  once?: {
    /** What happens once, such as `usage.spike:2026-11-22T10`. Other accounts have marks of their own. */
    mark: string;
    /** From then on the mark is free again. */
    heldUntil: Date;
  };
}

/** Writes events in the transaction of the fact that they tell of, so that neither is ever there without the other. */
@Injectable()
export class Outbox {
  /**
   * Writes an event if an active webhook of the account subscribes to its type, and its mark is free.
   * @param manager that of the transaction which changes the fact
   * @returns whether it was written
   */
  async write(manager: Pick<EntityManager, 'query'>, event: NewEvent): Promise<boolean> {
    const { accountId, type, data, operation, occurredAt, once } = event;
    const [row] = await manager.query<{ written: boolean }[]>(
      'SELECT event_write($1, $2, $3, $4, $5, $6, $7) AS written',
      [
        accountId,
        type,
        JSON.stringify(data),
        operation,
        occurredAt,
        once?.mark ?? null,
        once?.heldUntil ?? null,
      ],
    );
    return row?.written === true;
  }

  /** Until when a mark of the account is held, or was; null where nobody has taken it. */
  async heldUntil(
    manager: Pick<EntityManager, 'query'>,
    accountId: string,
    mark: string,
  ): Promise<Date | null> {
    const [row] = await manager.query<{ held_until: Date }[]>(
      'SELECT held_until FROM event_marks WHERE account_id = $1 AND mark = $2',
      [accountId, mark],
    );
    return row?.held_until ?? null;
  }
}
