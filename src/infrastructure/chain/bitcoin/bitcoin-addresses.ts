import { NETWORK, p2wpkh } from '@scure/btc-signer';
import type { ExtendedKey } from '../extended-key';

/** What the addresses of each of Bitcoin's networks begin with (BIP-173). Networks are named as Bitcoin Core names them. */
const ADDRESS_PREFIXES = { main: 'bc', test: 'tb', testnet4: 'tb', signet: 'tb', regtest: 'bcrt' } as const;
export type BitcoinNetwork = keyof typeof ADDRESS_PREFIXES;

export function isBitcoinNetwork(name: string): name is BitcoinNetwork {
  return Object.hasOwn(ADDRESS_PREFIXES, name);
}

/** Whether an address is one of a network. The test networks but regtest have the same addresses. */
export function isAddressOf(network: BitcoinNetwork, address: string): boolean {
  return address.startsWith(`${ADDRESS_PREFIXES[network]}1`);
}

/** The address of the key `0/index` on a network: pay to witness public key hash, as BIP-84 has it. */
export function bitcoinAddress(key: ExtendedKey, network: BitcoinNetwork, index: number): string {
  const { address } = p2wpkh(key.publicKeyAt(index), { ...NETWORK, bech32: ADDRESS_PREFIXES[network] });
  if (address === undefined) {
    throw new Error(`no address at index ${index}`);
  }
  return address;
}
