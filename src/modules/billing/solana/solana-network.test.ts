import { WrongNetwork } from '../payment-chain';
import { solanaNetwork } from './solana-rpc';

describe('the network of a Solana node', () => {
  it('is one of somebody’s own where its first block has a name that objects inherit', () => {
    expect(solanaNetwork('constructor', 'test')).toBe('private-construc');
  });

  it('is that of the environment', () => {
    const mainnet = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
    expect(solanaNetwork(mainnet, 'live')).toBe('mainnet-beta');
    expect(() => solanaNetwork(mainnet, 'test')).toThrow(WrongNetwork);
  });
});
