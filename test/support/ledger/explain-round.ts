import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { GONE_SETTLEMENT } from '../../../src/ledger/leases';
import type { AccountModel } from './account-model';
import type { LedgerAnswer, LedgerOperation } from './ledger-operation';

/** An operation and what its caller was told; null where nobody was told, as of a call that a sweep may have ended. */
export interface AnsweredOperation {
  operation: LedgerOperation;
  answer: LedgerAnswer | null;
}

const PATHS_MAX = 20_000;
/** Other worlds of the same process wait for answers of their databases, whose connections are cut after seconds. */
const TURN_MS = 50;

/** How far an order has come: which operations are left, and what the account is by then. */
interface Path {
  left: AnsweredOperation[];
  state: AccountModel;
}

/**
 * Searches for the orders in which operations that were fired at once may have happened: those in which a sequential
 * model, beginning in one of the given states, gives every caller the very answer that he was given (linearizability,
 * Herlihy and Wing 1990). Returns the states in which these orders end, each once; none when no order explains the
 * answers. A refusal that fits may as well happen at once, for it changes nothing: that, and the states that several
 * orders share, keep the search small.
 */
export async function explainRound(
  states: AccountModel[],
  answered: AnsweredOperation[],
): Promise<AccountModel[]> {
  let turnBeganMs = performance.now();
  let paths = states.map((state) => withoutIdle({ left: answered, state }));
  const ends = new Map<string, AccountModel>();
  while (paths.length > 0) {
    const further = new Map<string, Path>();
    for (const path of paths) {
      if (performance.now() - turnBeganMs > TURN_MS) {
        await nextTurn();
        turnBeganMs = performance.now();
      }
      if (path.left.length === 0) {
        ends.set(path.state.digest(), path.state);
      }
      for (const next of continuations(path)) {
        further.set(`${next.left.map(nameOf).join()} ${next.state.digest()}`, next);
      }
    }
    paths = [...further.values()];
    if (paths.length > PATHS_MAX) {
      throw new Error(`${answered.length} operations and ${states.length} states leave too many orders open`);
    }
  }
  return [...ends.values()];

  function nameOf(operation: AnsweredOperation): number {
    return answered.indexOf(operation);
  }
}

function continuations({ left, state }: Path): Path[] {
  // What a sweep does to one call and to another comes to the same in either order.
  const isSweptUp = left.every(({ operation }) => operation.act === 'expire');
  return left.slice(0, isSweptUp ? 1 : left.length).flatMap((next) => {
    const after = afterwards(state, next);
    return after ? [withoutIdle({ left: left.filter((other) => other !== next), state: after })] : [];
  });
}

function withoutIdle({ left, state }: Path): Path {
  let digest: string | null = null;
  const isIdle = (next: AnsweredOperation): boolean => {
    if (!STAYS_IDLE.has(next.operation.act)) {
      return false;
    }
    digest ??= state.digest();
    return afterwards(state, next)?.digest() === digest;
  };
  return { state, left: left.filter((next) => !isIdle(next)) };
}

/** What these do, given the answer, is either something or nothing, whenever it happens. A reset may do nothing yet. */
const STAYS_IDLE = new Set<LedgerOperation['act']>([
  'reserve',
  'settle',
  'expire',
  'credit',
  'revoke',
  'rotate',
]);

/** The state after an operation; null when its caller would have been told something else. */
function afterwards(state: AccountModel, { operation, answer }: AnsweredOperation): AccountModel | null {
  const after = state.copy();
  const told = after.apply(operation);
  const isAnswered =
    answer === null || isLost(told, answer) || isDeepStrictEqual(exactPart(told), exactPart(answer));
  return isAnswered ? after : null;
}

/** Who has lost a call together with its process tells no balance. */
function isLost(told: LedgerAnswer, answer: LedgerAnswer): boolean {
  return (
    isDeepStrictEqual(answer, GONE_SETTLEMENT) &&
    isDeepStrictEqual({ ...(told as object), balanceNanoUsd: 0n }, GONE_SETTLEMENT)
  );
}

/**
 * What a key has spent is shown beside what its calls ask for at that moment, which may be refused: exact it is when nothing else
 * goes on, and then the world compares it.
 */
function exactPart(answer: LedgerAnswer): object | string {
  return typeof answer === 'object' && 'daySpentNano' in answer
    ? { ...answer, daySpentNano: null, monthSpentNano: null }
    : answer;
}

/**
 * A call whose key or account ends in the same round may hold its amount before that is found, and what a call costs beyond its
 * reservation may be lent to it before the limits of the round are.
 */
export function heldFirst(
  answered: AnsweredOperation,
  _: number,
  all: readonly AnsweredOperation[],
): AnsweredOperation[] {
  const { operation, answer } = answered;
  const isRefused =
    answer !== null &&
    typeof answer === 'object' &&
    'verdict' in answer &&
    ['key_invalid', 'account_closed'].includes(answer.verdict);
  const changes = all.some(({ operation: { act } }) =>
    ['change limits', 'remove limits', 'reset limits'].includes(act),
  );
  if (operation.act === 'take excess' && changes) {
    const { callId, charge, nowMs } = operation;
    return [{ operation: { act: 'ask excess', callId, charge, nowMs }, answer: 'done' }, answered];
  }
  const ends = all.some(({ operation: { act } }) => ['revoke', 'rotate', 'close'].includes(act));
  if (operation.act !== 'reserve' || !isRefused || !ends) {
    return [answered];
  }
  const { callId, keyId, amount, nowMs } = operation;
  return [
    { operation: { act: 'hold', callId, keyId, amount, nowMs }, answer: 'done' },
    { operation: { ...operation, isHeld: true }, answer },
  ];
}
