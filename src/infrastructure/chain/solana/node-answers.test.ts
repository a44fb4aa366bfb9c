import { freshSignature } from '../../../../test/support/chains/solana-answers';
import { ChainUnavailable } from '../chain-errors';
import { listedSignatures } from './node-answers';

describe('a list of signatures', () => {
  it('costs little time where it is longer than what was asked for', () => {
    const entry = { signature: freshSignature(), blockTime: 1_790_000_000 };
    const answer = Array.from({ length: 150_000 }, () => entry);
    const begun = performance.now();
    expect(() => listedSignatures(answer, 100)).toThrow(ChainUnavailable);
    expect(performance.now() - begun).toBeLessThan(100);
  });
});
