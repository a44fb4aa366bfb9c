/** What the configuration of jest has found on this machine. */
interface FoundNodes {
  bitcoind?: string;
  anvil?: string;
  surfpool?: string;
}

/**
 * What starts the node of a chain: the path of a program, or of surfpool's module.
 *
 * @throws Error where this machine has none
 */
export function foundNode(name: keyof FoundNodes): string {
  const { chainNodes } = globalThis as { chainNodes?: FoundNodes };
  const found = chainNodes?.[name];
  if (found === undefined) {
    throw new Error(`These tests need ${name}: see test/support/chains/README.md`);
  }
  return found;
}
