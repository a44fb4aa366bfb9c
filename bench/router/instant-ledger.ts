import Module from 'node:module';
import type { Settlement } from '../../src/ledger/ledger';

/**
 * This file is loaded into a metered server before the server's own code. It makes the ledger answer at once and write
 * nothing, so that only the way to it and back is measured. The ledger is found by the names that its class has in
 * the checkouts that are compared.
 */
const LEDGERS = ['LeaseLedger', 'GroupCommitLedger'];
const BALANCE_NANO_USD = 10n ** 15n;

// Ledgers of before tell the balance as well, and reserve by a promise.
const reserved = { verdict: 'reserved', balanceNanoUsd: BALANCE_NANO_USD };
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
  for (const name of LEDGERS) {
    if (hasClass(exported, name)) {
      Object.assign((exported[name] as { prototype: object }).prototype, {
        reserve: () => (name === 'LeaseLedger' ? reserved : Promise.resolve(reserved)),
        settle: () => Promise.resolve(settled),
      });
    }
  }
  return exported;
};

/** Asks with `in` before it reads: modules that import each other in a circle warn when a missing export is read. */
function hasClass<Name extends string>(
  exported: unknown,
  name: Name,
): exported is Record<Name, { prototype: object }> {
  return (
    typeof exported === 'object' &&
    exported !== null &&
    name in exported &&
    isClass((exported as Record<string, unknown>)[name])
  );
}

function isClass(value: unknown): boolean {
  return typeof value === 'function';
}
