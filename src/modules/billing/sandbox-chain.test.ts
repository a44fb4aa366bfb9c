import { ManualClock } from '../../runtime/clock';
import { CURRENCIES, type KnownTransfer, type WatchedPayment } from './payment-chain';
import { SandboxChain } from './payment-chains';

const clock = new ManualClock();
const payment: WatchedPayment = {
  id: 'pay_1',
  address: 'sandbox-btc-0',
  reference: null,
  derivationIndex: 0,
  createdAt: clock.now(),
  transfers: [],
};

describe('the sandbox chain', () => {
  it.each(CURRENCIES)('gives each payment of %s an address of its own, which no wallet takes', (currency) => {
    const chain = new SandboxChain(currency, clock);
    const name = currency.toLowerCase();
    expect(chain.placesId).toBe(`${name}:sandbox`);
    expect([chain.placeOf(0), chain.placeOf(12)]).toEqual([
      { address: `sandbox-${name}-0`, reference: null },
      { address: `sandbox-${name}-12`, reference: null },
    ]);
  });

  it('shows the transfers as they were stored, and nothing by itself', async () => {
    const chain = new SandboxChain('BTC', clock);
    const [seen] = chain.looks(payment.id, 5n)[0] ?? [];
    const known = { ...seen, firstSeenAt: clock.now() } as KnownTransfer;
    const { transfers, reviews, requests } = await chain.observe([
      payment,
      { ...payment, id: 'pay_2', transfers: [known] },
    ]);
    expect([...transfers]).toEqual([
      ['pay_1', []],
      ['pay_2', [seen]],
    ]);
    expect([reviews.size, requests]).toEqual([0, 0]);
  });

  it('lives by the clock', async () => {
    const chain = new SandboxChain('ETH', clock);
    const before = (await chain.observe([])).tip;
    clock.advance(1_000);
    const { tip } = await chain.observe([]);
    expect(tip).toEqual({ height: before.height + 1, time: clock.now() });
    expect(await chain.network()).toBe('sandbox');
  });

  it('plays one transfer from seen to final', () => {
    const chain = new SandboxChain('SOL', clock);
    const looks = chain.looks(payment.id, 7n);
    const same = { id: 'sandbox:pay_1', txHash: expect.stringMatching(/^[0-9a-f]{64}$/), amountBase: 7n };
    const inBlock = { ...same, state: 'included', blockTime: clock.now() };
    expect(looks).toEqual([
      [{ ...same, state: 'pending', confirmations: 0, isFinal: false, blockTime: null }],
      [{ ...inBlock, confirmations: 1, isFinal: false }],
      [{ ...inBlock, confirmations: 100, isFinal: true }],
    ]);
    expect(looks[2]?.[0]?.txHash).toBe(chain.looks(payment.id, 7n)[0]?.[0]?.txHash);
    expect(chain.looks('pay_2', 7n)[0]?.[0]?.txHash).not.toBe(looks[0]?.[0]?.txHash);
  });
});
