import { paymentUri } from './payment-record';

const request = { network: 'main', address: 'address', reference: null, label: 'Credits & more' };

describe('the URI of a payment', () => {
  it('asks for BTC by BIP 21', () => {
    expect(paymentUri({ ...request, currency: 'BTC', amountBase: 25_000n })).toBe(
      'bitcoin:address?amount=0.00025',
    );
  });

  it('asks for ETH by EIP-681, on the one chain', () => {
    const amountBase = 3_333_340_000_000_000n;
    expect(paymentUri({ ...request, currency: 'ETH', network: '1', amountBase })).toBe(
      'ethereum:address@1?value=3333340000000000',
    );
    expect(paymentUri({ ...request, currency: 'ETH', network: 'sandbox', amountBase })).toBe(
      'ethereum:address?value=3333340000000000',
    );
  });

  it('asks for SOL as Solana Pay does, with the reference where there is one', () => {
    const sol = { ...request, currency: 'SOL', amountBase: 66_666_667n } as const;
    expect(paymentUri({ ...sol, reference: 'whose' })).toBe(
      'solana:address?amount=0.066666667&reference=whose&label=Credits%20%26%20more',
    );
    expect(paymentUri(sol)).toBe('solana:address?amount=0.066666667&label=Credits%20%26%20more');
  });
});
