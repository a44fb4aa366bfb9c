import Module from 'node:module';
import type { ReserveVerdict, Settlement } from '../../src/core/money/ledger/ledger';

/**
 * Loaded into a metered server before its own code: the ledger answers at once and writes nothing, so that what is left
 * is the way to it and back. It is found by the name of its class, because checkouts keep it in different files.
 */
const LEDGER = 'GroupCommitLedger';
const BALANCE_NANO_USD = 10n ** 15n;

const reserved: ReserveVerdict = { verdict: 'reserved', balanceNanoUsd: BALANCE_NANO_USD };
const settled: Settlement = {
  verdict: 'settled',
  chargedNanoUsd: 100_000n,
  balanceNanoUsd: BALANCE_NANO_USD,
};

// Node documents no other way to change a class before the code that takes it apart has seen it.
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

/** Asked without reading it: modules that load each other in a circle warn about what is read too early. */
function hasLedger(exported: unknown): exported is { [LEDGER]: { prototype: object } } {
  return typeof exported === 'object' && exported !== null && LEDGER in exported && isClass(exported[LEDGER]);
}

function isClass(value: unknown): boolean {
  return typeof value === 'function';
}
