import { WrongNetwork } from '../chain-errors';
import { textOf } from './answers';

/** The hash of the first block names a network. */
const NETWORKS = new Map([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'mainnet-beta'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'testnet'],
]);

/**
 * The name of a network, `private-` and eight digits for one of somebody's own.
 * @param genesisHash as getGenesisHash answers
 * @throws WrongNetwork for mainnet-beta in the test environment, and for any other in the live one
 */
export function solanaNetwork(genesisHash: unknown, environment: 'test' | 'live'): string {
  const hash = textOf(genesisHash, 'a genesis hash');
  const name = NETWORKS.get(hash) ?? `private-${hash.slice(0, 8)}`;
  if ((name === 'mainnet-beta') !== (environment === 'live')) {
    throw new WrongNetwork(`the Solana node is on ${name}, which is not for the ${environment} environment`);
  }
  return name;
}
