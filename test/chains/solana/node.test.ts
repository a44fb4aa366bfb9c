import { SolanaNode } from '../../support/chains/solana-node';
import { freshSolanaAddress, freshSolanaKey } from '../../support/chains/solana-transaction';

const SOL = 1_000_000_000n;

interface Found {
  signature: string;
  err: unknown;
  confirmationStatus: string;
}

describe('the Solana node of the tests', () => {
  let node: SolanaNode;

  beforeAll(async () => {
    node = await SolanaNode.start();
  });
  afterAll(() => node.stop());

  async function found(address: string): Promise<Found[]> {
    return node.rpc('getSignaturesForAddress', [address]);
  }

  /** What each account of a transaction has gained by it, in lamports. */
  async function gains(signature: string): Promise<Record<string, number>> {
    const { transaction, meta } = await node.rpc<{
      transaction: { message: { accountKeys: string[] } };
      meta: { preBalances: number[]; postBalances: number[] };
    }>('getTransaction', [signature, { encoding: 'json', commitment: 'confirmed' }]);
    return Object.fromEntries(
      transaction.message.accountKeys.map((key, index) => [
        key,
        (meta.postBalances[index] ?? 0) - (meta.preBalances[index] ?? 0),
      ]),
    );
  }

  it('finds a transfer by each of its references', async () => {
    const [to, one, other] = [freshSolanaAddress(), freshSolanaAddress(), freshSolanaAddress()];
    const signature = await node.transfer({ to, lamports: 2n * SOL, references: [one, other] });
    expect(await found(one)).toMatchObject([{ signature, err: null, confirmationStatus: 'confirmed' }]);
    expect(await found(other)).toMatchObject([{ signature }]);
    expect(await gains(signature)).toMatchObject({ [to]: 2_000_000_000, [one]: 0, [other]: 0 });
    expect(await node.balance(to)).toBe(2n * SOL);
  });

  it('takes several transfers in one transaction', async () => {
    const [to, one, other] = [freshSolanaAddress(), freshSolanaAddress(), freshSolanaAddress()];
    const from = freshSolanaKey();
    await node.airdrop(from.address, 10n * SOL);
    const signature = await node.transferMany(
      [
        { to, lamports: SOL, references: [one] },
        { to, lamports: 2n * SOL, references: [other] },
      ],
      { from },
    );
    expect(await found(one)).toMatchObject([{ signature }]);
    expect(await found(other)).toMatchObject([{ signature }]);
    expect(await gains(signature)).toMatchObject({ [from.address]: -3_000_005_000, [to]: 3_000_000_000 });
  });

  it('finds a transaction that failed, with its error', async () => {
    const [to, reference] = [freshSolanaAddress(), freshSolanaAddress()];
    const signature = await node.failedTransfer({ to, lamports: SOL / 2n, references: [reference] });
    const err = { InstructionError: [1, { Custom: 1 }] };
    expect(await found(reference)).toMatchObject([{ signature, err }]);
    expect(await node.status(signature)).toMatchObject({ err });
    expect(await gains(signature)).toMatchObject({ [to]: 0 });
  });

  it('fails a transfer that leaves less than the rent exemption in a new account', async () => {
    const to = freshSolanaAddress();
    const tooLittle = await node.transfer({ to, lamports: 890_879n });
    const enough = await node.transfer({ to, lamports: 890_880n });
    expect((await node.status(tooLittle))?.err).toEqual({ InsufficientFundsForRent: { account_index: 1 } });
    expect((await node.status(enough))?.err).toBeNull();
  });

  it('finalizes by itself after 31 slots, and when it is told to', async () => {
    const slow = await node.transfer({ to: freshSolanaAddress(), lamports: SOL });
    await node.untilFinalized(slow);
    const fast = await node.transfer({ to: freshSolanaAddress(), lamports: SOL });
    expect(await node.status(fast)).toMatchObject({ confirmationStatus: 'confirmed' });
    await node.finalize();
    expect(await node.status(fast)).toMatchObject({ confirmationStatus: 'finalized' });
  });

  it('lets a confirmed transaction vanish, which can be sent again', async () => {
    const [to, reference] = [freshSolanaAddress(), freshSolanaAddress()];
    const signature = await node.transfer({ to, lamports: SOL, references: [reference] });
    await node.forgetEverything();
    expect(await node.status(signature)).toBeNull();
    expect([await found(reference), await node.balance(to)]).toEqual([[], 0n]);
    expect(await node.rpc('getTransaction', [signature])).toBeNull();
    const again = await node.transfer({ to, lamports: SOL, references: [reference] });
    expect(await found(reference)).toMatchObject([{ signature: again }]);
  });

  it('answers what was asked while it stood still once it goes on', async () => {
    await node.pause();
    const answer = node.rpc('getHealth');
    node.resume();
    expect(await answer).toBe('ok');
  });

  it('moves on in time', async () => {
    const inAYear = Math.floor(Date.now() / 1000) + 365 * 24 * 3600;
    await node.setTime(inAYear);
    const to = freshSolanaAddress();
    await node.transfer({ to, lamports: SOL });
    const [transaction] = await node.rpc<{ blockTime: number }[]>('getSignaturesForAddress', [to]);
    expect(transaction?.blockTime).toBeGreaterThanOrEqual(inAYear);
  });
});
