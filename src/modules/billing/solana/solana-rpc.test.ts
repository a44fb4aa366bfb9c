import { freshSignature } from '../../../../test/support/chains/solana-answers';
import { processorMsBelow } from '../../../../test/support/processor-time';
import { ChainUnavailable } from '../payment-chain';
import { listedSignatures } from './solana-rpc';

describe('a list of signatures', () => {
  it('costs little time where it is longer than what was asked for', async () => {
    const entry = { signature: freshSignature(), blockTime: 1_790_000_000 };
    const answer = Array.from({ length: 150_000 }, () => entry);
    const neededMs = await processorMsBelow(100, () => {
      expect(() => listedSignatures(answer, 100)).toThrow(ChainUnavailable);
    });
    expect(neededMs).toBeLessThan(100);
  });
});
