import type { ReserveVerdict, Settlement } from '../../../src/ledger/ledger';
import type { LimitChange } from '../../../src/accounts/access-keys';
import type { KeySpendingLimits } from '../../../src/accounts/spending-limits';

/**
 * Something that is done to the money or the keys of one account, as both the service and its model understand it.
 * Calls, keys and secrets have the same names in both; `nowMs` is the time of the replica that does it.
 */
export type LedgerOperation = { nowMs: number } & (
  | {
      act: 'reserve';
      callId: string;
      keyId: string | null;
      amount: bigint;
      /** Null for no comparison. */
      secret: string | null;
      leaseUntilMs: number;
      /** Whether it follows a hold of its own. */
      isHeld?: true;
    }
  /** What a call holds whose key or account ends before it is let in: others may be refused for that, until it is told. */
  | { act: 'hold'; callId: string; keyId: string | null; amount: bigint }
  | { act: 'settle'; callId: string; charge: bigint; outcome: 'settled' | 'released' }
  /** Before a call is charged more than its reservation, that much is taken; null where nobody was told how much. */
  | { act: 'take excess'; callId: string; charge: bigint; granted: bigint | null }
  /** Where there is room, it is lent in the present day, and may be given back to a change of limits before it is taken. */
  | { act: 'ask excess'; callId: string; charge: bigint }
  /** What a sweep does to one call whose lease is over. */
  | { act: 'expire'; callId: string }
  /** What the end of a process does to its calls in flight: those that no reader has seen leave no receipt. */
  | { act: 'end process'; callIds: string[]; unseenIds: string[] }
  | { act: 'credit'; amount: bigint; reference: string | null }
  | { act: 'change limits'; keyId: string; change: LimitChange }
  | { act: 'remove limits'; keyId: string }
  | { act: 'reset limits'; keyId: string }
  | { act: 'revoke'; keyId: string }
  | { act: 'rotate'; keyId: string; newSecret: string; overlapSeconds: number }
  | { act: 'open' | 'close' }
);

/** What the caller is told; `refused` names the error where one is thrown. Where a machine was too busy, nothing was done. */
export type LedgerAnswer =
  | ReserveVerdict
  | Settlement
  | KeySpendingLimits
  | 'done'
  | { refused: 'Conflict' | 'Unprocessable' | 'impossible amount' | 'nothing done' };
