import {
  newPaymentState,
  storedPayment,
  storedTransfer,
} from '../../../test/support/payments/stored-payment';
import { isActive, isSameState, type Payment, type PaymentState, type PaymentTransfer } from './payment';

const EXPIRES_AT = new Date('2026-11-21T09:45:00.000Z');

describe('a new payment', () => {
  it('is watched for seven days beyond its time', () => {
    expect(newPaymentState(EXPIRES_AT, 3)).toMatchObject({
      status: 'created',
      requiredConfirmations: 3,
      watchUntil: new Date('2026-11-28T09:45:00.000Z'),
    });
  });

  it('waits for the chain', () => {
    expect(isActive({ ...storedPayment(), ...newPaymentState(EXPIRES_AT, 1) })).toBe(true);
  });
});

describe('a payment waits for the chain', () => {
  it.each<[PaymentState['status'], Partial<PaymentTransfer>[], boolean]>([
    ['confirming', [], true],
    ['expired', [], false],
    ['failed', [{ state: 'replaced' }], false],
    ['expired', [{ state: 'missing' }], false],
    ['expired', [{ state: 'failed' }], false],
    ['expired', [{ state: 'pending' }], true],
    ['confirmed', [{ creditedNanoUsd: 50n }], false],
    ['confirmed', [{ creditedNanoUsd: 50n }, { state: 'pending' }], true],
    ['confirmed', [{ creditedNanoUsd: 50n }, { state: 'included' }], true],
    ['confirmed', [{ creditedNanoUsd: 0n }], false],
  ])('that is %s with the transfers %j: %s', (status, transfers, expected) => {
    expect(isActive(storedPayment({ status, transfers: transfers.map(storedTransfer) }))).toBe(expected);
  });
});

describe('two states', () => {
  const state = (fields: Partial<Payment> = {}, transfer: Partial<PaymentTransfer> = {}) =>
    storedPayment({ transfers: [storedTransfer(transfer)], ...fields });

  it('are the same where all values are, whichever objects hold them', () => {
    expect(isSameState(state(), state())).toBe(true);
  });

  it.each<Partial<PaymentState>>([
    { status: 'confirming' },
    { failureReason: 'The transaction failed.' },
    { transfers: [] },
    { transfers: [storedTransfer(), storedTransfer({ id: 'b:0' })] },
    { credits: 1 },
    { creditedNanoUsd: 1n },
    { creditedBase: 1n },
    { receivedBase: 1n },
    { confirmations: 1 },
    { requiredConfirmations: 2 },
    { txHash: 'a' },
    { isUnderpaid: true },
    { isOverpaid: true },
    { isLate: true },
    { wasConfirming: true },
    { detectedAt: EXPIRES_AT },
    { confirmedAt: EXPIRES_AT },
    { watchUntil: EXPIRES_AT },
    { reviewReason: 'A credited transfer is no longer on the chain.' },
  ])('differ by %p', (fields) => {
    expect(isSameState(state(), state(fields))).toBe(false);
    expect(isSameState(state(fields), state())).toBe(false);
  });

  it.each<Partial<PaymentTransfer>>([
    { id: 'b:0' },
    { txHash: null },
    { state: 'missing' },
    { confirmations: 2 },
    { isFinal: true },
    { blockTime: EXPIRES_AT },
    { blockTime: null },
    { creditedNanoUsd: 0n },
    { entryId: '0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04' },
  ])('differ by a transfer’s %p', (fields) => {
    expect(isSameState(state(), state({}, fields))).toBe(false);
  });
});
