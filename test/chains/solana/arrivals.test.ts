import { type PaymentChain, type TransferSighting } from '../../../src/modules/billing/payment-chain';
import { SolanaChain } from '../../../src/modules/billing/solana/solana-chain';
import { SolanaNode } from '../../support/chains/solana-node';
import { freshSolanaAddress, freshSolanaKey } from '../../support/chains/solana-transaction';
import { afterLook, watched } from '../../support/chains/watched-payments';
import { until } from '../../support/until';

const SOL = 1_000_000_000n;
const never = new AbortController().signal;
const merchantAddress = freshSolanaAddress();

let node: SolanaNode;
let chain: PaymentChain;

beforeAll(async () => {
  node = await SolanaNode.start();
  chain = new SolanaChain({ places: { merchantAddress }, url: node.rpcUrl, environment: 'test' });
});

afterAll(async () => {
  await chain.close();
  await node.stop();
});

async function look(
  payment: ReturnType<typeof newPayment>,
  by = chain,
): Promise<readonly TransferSighting[]> {
  const { transfers } = await by.observe([payment], never);
  return transfers.get(payment.id) ?? fail('the payment was not looked at');
}

function fail(message: string): never {
  throw new Error(message);
}

function newPayment(by = chain, index = 0) {
  return watched(by.placeOf(index), { derivationIndex: index });
}

/** Where a payment of this reference is paid. */
function to(payment: { address: string; reference: string | null }) {
  return { to: payment.address, references: payment.reference === null ? [] : [payment.reference] };
}

describe('what arrives on Solana', () => {
  it('shows a transfer with the reference: in a block, then final', async () => {
    const payment = newPayment();
    expect(await look(payment)).toEqual([]);
    const before = Date.now();
    const signature = await node.transfer({ ...to(payment), lamports: 3n * SOL + 1n });
    const [seen, ...others] = await look(payment);
    expect(others).toEqual([]);
    expect(seen).toMatchObject({
      id: `${signature}:0`,
      txHash: signature,
      amountBase: 3n * SOL + 1n,
      state: 'included',
      isFinal: false,
    });
    expect(seen?.confirmations).toBeGreaterThanOrEqual(1);
    expect(seen?.confirmations).toBeLessThan(32);
    expect(Math.abs((seen?.blockTime?.getTime() ?? 0) - before)).toBeLessThan(60_000);

    await node.untilFinalized(signature);
    const known = afterLook(payment, seen ? [seen] : []);
    const [final] = await look(known);
    expect(final).toEqual({ ...seen, confirmations: 32, isFinal: true });
    // What is final costs no request of its own any more.
    const again = await chain.observe([afterLook(payment, final ? [final] : [])], never);
    expect([again.transfers.get(payment.id), again.requests]).toEqual([[final], 3]);
  });

  it('adds up several parts, and gives each payment its own instruction of one transaction', async () => {
    const [first, second] = [newPayment(), newPayment()];
    const early = await node.transfer({ ...to(first), lamports: SOL });
    const both = await node.transferMany([
      { ...to(first), lamports: 2n * SOL },
      { to: merchantAddress, lamports: 7n * SOL },
      { ...to(second), lamports: 4n * SOL },
    ]);
    const { transfers } = await chain.observe([first, second], never);
    const found = (payment: { id: string }) =>
      transfers.get(payment.id)?.map(({ id, amountBase }) => [id, amountBase]);
    expect(found(first)).toEqual([
      [`${early}:0`, SOL],
      [`${both}:0`, 2n * SOL],
    ]);
    expect(found(second)).toEqual([[`${both}:2`, 4n * SOL]]);
  });

  it('gives one transfer with two references one id, so that it can pay once only', async () => {
    const [first, second] = [newPayment(), newPayment()];
    const references = [first.reference ?? '', second.reference ?? ''];
    const signature = await node.transfer({ to: merchantAddress, lamports: SOL, references });
    const { transfers } = await chain.observe([first, second], never);
    expect(transfers.get(first.id)).toMatchObject([{ id: `${signature}:0`, amountBase: SOL }]);
    expect(transfers.get(second.id)).toEqual(transfers.get(first.id));
  });

  it('shows a failed transaction as failed', async () => {
    const payment = newPayment();
    const signature = await node.failedTransfer({ ...to(payment), lamports: SOL / 2n });
    expect(await look(payment)).toMatchObject([
      { id: `${signature}:0`, state: 'failed', confirmations: 0, blockTime: null },
    ]);
  });

  it('takes nothing for a payment that names no reference, another one, or pays somebody else', async () => {
    const payment = newPayment();
    await node.transfer({ to: merchantAddress, lamports: SOL });
    await node.transfer({ to: merchantAddress, lamports: SOL, references: [freshSolanaAddress()] });
    await node.transfer({ ...to(payment), to: freshSolanaAddress(), lamports: SOL });
    expect(await look(payment)).toEqual([]);
  });

  it('takes what an instruction brought whose reference stands elsewhere in the transaction', async () => {
    const payment = newPayment();
    const signature = await node.transferMany([
      { to: merchantAddress, lamports: 2n * SOL },
      { to: merchantAddress, lamports: 3n * SOL, references: [freshSolanaAddress()] },
      { ...to(payment), to: freshSolanaAddress(), lamports: SOL },
    ]);
    expect(await look(payment)).toMatchObject([{ id: `${signature}:balance`, amountBase: 2n * SOL }]);
  });

  it('counts only what the address kept of a transfer', async () => {
    const owner = freshSolanaKey();
    const pool = new SolanaChain({ places: { pool: owner.address }, url: node.rpcUrl, environment: 'test' });
    const payment = newPayment(pool);
    const signature = await node.transfer({ to: owner.address, lamports: 5n * SOL });
    expect(await look(payment, pool)).toMatchObject([{ id: `${signature}:0`, amountBase: 5n * SOL }]);
    // The operator empties the address, and sends something to it again in the same transaction: nothing arrives by that.
    await node.transferMany(
      [
        { to: owner.address, lamports: 1n },
        { to: freshSolanaAddress(), lamports: 2n * SOL },
      ],
      {
        from: owner,
      },
    );
    expect(await look(payment, pool)).toMatchObject([{ id: `${signature}:0`, amountBase: 5n * SOL }]);
    await pool.close();
  });

  it('takes each address of a pool for one payment', async () => {
    const addresses = [freshSolanaAddress(), freshSolanaAddress()];
    const pool = new SolanaChain({
      places: { pool: addresses.join(', \n') },
      url: node.rpcUrl,
      environment: 'test',
    });
    const [first, second] = [newPayment(pool, 0), newPayment(pool, 1)];
    expect([first.address, second.address]).toEqual(addresses);
    expect(() => pool.placeOf(2)).toThrow('used up');
    const signature = await node.transferMany([
      { to: first.address, lamports: SOL },
      { to: second.address, lamports: 2n * SOL },
    ]);
    const { transfers } = await pool.observe([first, second], never);
    expect(transfers.get(first.id)).toMatchObject([{ id: `${signature}:0`, amountBase: SOL }]);
    expect(transfers.get(second.id)).toMatchObject([{ id: `${signature}:1`, amountBase: 2n * SOL }]);
    // An address that was used before the payment was made brings nothing to it.
    const later = { ...first, createdAt: new Date(Date.now() + 2 * 3_600_000) };
    expect(await look(later, pool)).toEqual([]);
    await pool.close();
  });

  it('tells the time of the newest slot', async () => {
    const { tip } = await chain.observe([], never);
    expect(Math.abs(tip.time.getTime() - Date.now())).toBeLessThan(60_000);
    await until('the chain goes on', async () => (await chain.observe([], never)).tip.height > tip.height);
    expect(await chain.network()).toMatch(/^private-.{8}$/);
  });
});
