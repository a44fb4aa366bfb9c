import type { ChargedCall } from '../ledger/charged-calls';
import { depth } from '../jest/depth';
import { isAnswered, isServed, type ClientCall } from '../ledger/paid-load';

/** Whatever breaks: no client waits longer for its answer. The clock is asked only where the machine does nothing else. */
const TOOK_MS_MAX = depth('TOOK_MS_MAX', { short: Infinity, deep: 15_000 });
/**
 * A settlement that is tried for so long without an answer breaks the connection, since nobody can say whether it
 * charged. On a machine that does much else the database may stay away that long though it was not meant to.
 */
const GIVEN_UP_AFTER_MS_MIN = depth('GIVEN_UP_AFTER_MS_MIN', { short: 12_000, deep: Infinity });

/** Where what the clients were told and what the database says differ, one line per fault. */
export function faultsInAnswers(
  calls: ReadonlyMap<ClientCall, ChargedCall>,
  statusesAllowed: readonly (number | null)[],
): string[] {
  const faults: string[] = [];
  for (const [told, charged] of calls) {
    const of = (fault: string): string => `${fault}: ${describe(told, charged)}`;
    faults.push(...faultsOfCall(told, charged, statusesAllowed).map(of));
  }
  for (const [key, tries] of triesByKey(calls)) {
    faults.push(...faultsOfTries(tries).map((fault) => `${fault}: ${key} ${tries.map(line).join(' | ')}`));
  }
  return faults;
}

function faultsOfCall(
  told: ClientCall,
  { chargesNanoUsd, receipts, isStored }: ChargedCall,
  statusesAllowed: readonly (number | null)[],
): string[] {
  const { order, status, isReplay, costNanoUsd } = told;
  const [receipt] = receipts;
  const isServedAnew = isServed(told) && !isReplay;
  const isWorkSeen = order.kind === 'write' && order.idempotencyKey === null && isStored;
  const isLeft = receipt && ['expired', 'released', 'settled'].includes(receipt.outcome);
  const isGivenUp = status === null && told.tookMs >= GIVEN_UP_AFTER_MS_MIN;
  const rules: [string, boolean][] = [
    ['a status that nobody should see', !statusesAllowed.includes(status) && !isGivenUp],
    ['kept waiting', told.tookMs > TOOK_MS_MAX],
    ['charged more than once', chargesNanoUsd.length > 1],
    ['more than one receipt', receipts.length > 1],
    ['served uncharged', isServedAnew && chargesNanoUsd.length === 0],
    ['charged otherwise than the header says', isServedAnew && chargesNanoUsd[0] !== costNanoUsd],
    ['charged otherwise than the receipt says', isServedAnew && receipt?.chargedNanoUsd !== costNanoUsd],
    ['a replay that costs', isReplay && (chargesNanoUsd.length > 0 || costNanoUsd !== 0n)],
    ['refused and charged', status !== null && !isServed(told) && chargesNanoUsd.length > 0],
    ['acknowledged and lost', order.kind === 'write' && isServed(told) && !isStored],
    // A process that was killed may have shown its latest calls to nobody.
    ['worked without a reservation', isWorkSeen && !isLeft && status !== null],
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([fault]) => fault);
}

/** All tries of one Idempotency-Key, in the order in which they were answered. */
function faultsOfTries(tries: readonly [ClientCall, ChargedCall][]): string[] {
  const charges = tries.flatMap(([, { chargesNanoUsd }]) => chargesNanoUsd);
  const served = tries.map(([told]) => told).filter(isServed);
  const rules: [string, boolean][] = [
    ['never answered', !tries.some(([told]) => isAnswered(told))],
    ['one key served without exactly one charge', served.length > 0 && charges.length !== 1],
    ['one key refused for good and charged', served.length === 0 && charges.length > 0],
    ['one key answered in two ways', new Set(served.map(({ body }) => body)).size > 1],
    ['one key answered anew twice', served.filter(({ isReplay }) => !isReplay).length > 1],
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([fault]) => fault);
}

function triesByKey(calls: ReadonlyMap<ClientCall, ChargedCall>): Map<string, [ClientCall, ChargedCall][]> {
  const byKey = new Map<string, [ClientCall, ChargedCall][]>();
  for (const entry of calls) {
    const key = entry[0].order.idempotencyKey;
    if (key !== null) {
      byKey.set(key, [...(byKey.get(key) ?? []), entry]);
    }
  }
  return byKey;
}

function line([told, charged]: [ClientCall, ChargedCall]): string {
  return describe(told, charged);
}

function describe(told: ClientCall, { chargesNanoUsd, receipts }: ChargedCall): string {
  const outcomes = receipts.map(({ outcome, chargedNanoUsd }) => `${outcome} ${chargedNanoUsd}`).join(', ');
  return (
    `${told.requestId} (${told.order.kind}) was told ${told.status ?? 'nothing'}${told.isReplay ? ' again' : ''}, ` +
    `cost ${told.costNanoUsd ?? '-'}, after ${Math.round(told.tookMs)} ms; ` +
    `charges [${chargesNanoUsd.join(', ')}], receipts [${outcomes}]`
  );
}
