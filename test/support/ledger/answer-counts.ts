import type { ChargedCall } from './charged-calls';
import { isServed, type ClientCall } from './paid-load';

type Known = [ClientCall, ChargedCall];

const CATEGORIES: [string, (told: ClientCall, charged: ChargedCall) => boolean][] = [
  ['served and charged once', (told, charged) => isAnew(told) && charged.chargesNanoUsd.length === 1],
  ['served and not charged', (told, charged) => isAnew(told) && charged.chargesNanoUsd.length === 0],
  ['replayed free of charge', (told, charged) => told.isReplay && charged.chargesNanoUsd.length === 0],
  ['refused for lack of credit (402)', ({ status }) => status === 402],
  ['refused as malformed (400)', ({ status }) => status === 400],
  ['told that an earlier try still runs (409)', ({ status }) => status === 409],
  ['answered with an error (5xx)', ({ status }) => status !== null && status >= 500],
  ['  of these charged', ({ status }, charged) => (status ?? 0) >= 500 && charged.chargesNanoUsd.length > 0],
  [
    '  of these with the work done, uncharged',
    (told, charged) => (told.status ?? 0) >= 500 && isGift(told, charged),
  ],
  ['broken off', ({ status }) => status === null],
  ['  of these charged', (told, charged) => told.status === null && charged.chargesNanoUsd.length > 0],
  [
    '  of these with the work done, uncharged',
    (told, charged) => told.status === null && isGift(told, charged),
  ],
  ['released by the sweep of leases', (_, { receipts }) => receipts[0]?.outcome === 'expired'],
];

/** How many calls ended in which way, for people to read. */
export function answerCounts(calls: ReadonlyMap<ClientCall, ChargedCall>): string[] {
  const known: Known[] = [...calls];
  const lines = CATEGORIES.map(
    ([name, belongs]) => `${String(known.filter((call) => belongs(...call)).length).padStart(7)}  ${name}`,
  );
  const slowestMs = Math.max(0, ...known.map(([told]) => told.tookMs));
  return [
    `${String(known.length).padStart(7)}  calls, the slowest after ${Math.round(slowestMs)} ms`,
    ...lines,
  ];
}

function isAnew(told: ClientCall): boolean {
  return isServed(told) && !told.isReplay;
}

/** What the lease table allows where nobody got the answer. Only an order that was tried once shows it for sure. */
function isGift({ order }: ClientCall, { chargesNanoUsd, isStored }: ChargedCall): boolean {
  return order.kind === 'write' && order.idempotencyKey === null && isStored && chargesNanoUsd.length === 0;
}
