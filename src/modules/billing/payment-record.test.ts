import { storedPayment, storedTransfer } from '../../../test/support/payments/stored-payment';
import { paymentRecord } from './payment-record';

describe('the record of a payment', () => {
  it('shows what was agreed, and null where nothing has happened', () => {
    const payment = storedPayment();
    expect(paymentRecord(payment)).toEqual({
      id: payment.id,
      payment_id: payment.id,
      user_id: payment.accountId,
      amount_usd: 50,
      currency: 'BTC',
      network: 'main',
      amount_crypto: 0.0005,
      amount_crypto_text: '0.0005',
      address: payment.address,
      reference: null,
      payment_uri: `bitcoin:${payment.address}?amount=0.0005`,
      qr_path: `/api/payments/payments/${payment.id}/qr.svg`,
      rate: 100_000,
      price_sources: [{ name: 'kraken', rate: 99_999.5, taken_at: '2026-11-21T09:30:00.000Z' }],
      status: 'created',
      failure_reason: null,
      confirmations: 0,
      required_confirmations: 1,
      tx_hash: null,
      received_crypto: 0,
      received_crypto_text: '0',
      credited_usd: 0,
      underpaid: false,
      overpaid: false,
      late: false,
      transfers: [],
      detected_at: null,
      expires_at: '2026-11-21T09:45:00.000Z',
      created_at: '2026-11-21T09:30:00.000Z',
      confirmed_at: null,
    });
  });

  it('has the exact amount as a text where a number loses digits', () => {
    const wei = storedPayment({
      currency: 'ETH',
      network: '1',
      address: '0x98',
      receivedBase: 1_234_567_890_123_456_789n,
    });
    expect(paymentRecord(wei)).toMatchObject({
      received_crypto: 1.2345678901234568,
      received_crypto_text: '1.234567890123456789',
    });
    const lamports = storedPayment({ currency: 'SOL', expectedBase: 9_007_199_254_740_993n });
    expect(paymentRecord(lamports)).toMatchObject({
      amount_crypto: 9007199.254740993,
      amount_crypto_text: '9007199.254740993',
    });
  });

  it('names the chain to a wallet, and what a transfer to a shared address has to carry', () => {
    const ether = storedPayment({
      currency: 'ETH',
      network: '11155111',
      address: '0x98',
      expectedBase: 10n ** 16n,
    });
    expect(paymentRecord(ether).payment_uri).toBe('ethereum:0x98@11155111?value=10000000000000000');
    const sol = storedPayment({
      currency: 'SOL',
      network: 'devnet',
      address: 'merchant',
      reference: 'ref',
      expectedBase: 5n,
    });
    expect(paymentRecord(sol)).toMatchObject({
      reference: 'ref',
      payment_uri: 'solana:merchant?amount=0.000000005&reference=ref&label=Credits',
    });
  });

  it('shows each transfer with what it added and where', () => {
    const entryId = '0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04';
    const credited = storedTransfer({ creditedNanoUsd: 49_999_999_999n, entryId, confirmations: 3 });
    const coming = storedTransfer({
      id: 'b:1',
      txHash: null,
      amountBase: 1n,
      state: 'pending',
      confirmations: 0,
      isLate: true,
    });
    expect(paymentRecord(storedPayment({ transfers: [credited, coming] })).transfers).toEqual([
      {
        tx_hash: 'a',
        amount_crypto: 0.0005,
        amount_crypto_text: '0.0005',
        state: 'included',
        confirmations: 3,
        late: false,
        credited_usd: 49.999999999,
        transaction_id: entryId,
        first_seen_at: '2026-11-21T09:31:00.000Z',
      },
      {
        tx_hash: null,
        amount_crypto: 1e-8,
        amount_crypto_text: '0.00000001',
        state: 'pending',
        confirmations: 0,
        late: true,
        credited_usd: 0,
        transaction_id: null,
        first_seen_at: '2026-11-21T09:31:00.000Z',
      },
    ]);
  });
});
