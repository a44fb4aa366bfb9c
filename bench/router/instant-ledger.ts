import Module from 'node:module';
import type { ReserveVerdict, Settlement } from '../../src/ledger/ledger';

/**
 * This file is loaded into a metered server before the server's own code. It makes the ledger answer at once and write
 * nothing, so that only the way to it and back is measured. The ledger is found by the name of its class, because
 * checkouts keep it in different files.
 */
const LEDGER = 'GroupCommitLedger';
const BALANCE_NANO_USD = 10n ** 15n;

const reserved: ReserveVerdict = { verdict: 'reserved', balanceNanoUsd: BALANCE_NANO_USD };
const settled: Settlement = {
  verdict: 'settled',
  chargedNanoUsd: 100_000n,
  balanceNanoUsd: BALANCE_NANO_USD,
};

// Node documents no other way to change a class before any other code has seen it.
const loader = Module as unknown as { _load: (...request: unknown[]) => unknown };
const load = loader._load;
loader._load = function (this: unknown, ...request: unknown[]): unknown {
  const exported = load.apply(this, request);
  if (hasLedger(exported)) {
    Object.assign(exported[LEDGER].prototype, {
      reserve: () => Promise.resolve(reserved),
      settle: () => Promise.resolve(settled),
    });
  }
  return exported;
};

/** Asks with `in` before it reads: modules that import each other in a circle warn when a missing export is read. */
function hasLedger(exported: unknown): exported is { [LEDGER]: { prototype: object } } {
  return typeof exported === 'object' && exported !== null && LEDGER in exported && isClass(exported[LEDGER]);
}

function isClass(value: unknown): boolean {
  return typeof value === 'function';
}
