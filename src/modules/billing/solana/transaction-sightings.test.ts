import {
  freshSignature,
  transactionAnswer,
  transferData,
} from '../../../../test/support/chains/solana-answers';
import { freshSolanaAddress } from '../../../../test/support/chains/solana-transaction';
import { type KnownTransfer, type TransferSighting, type WatchedPayment } from '../payment-chain';
import { type SignatureStatus } from './solana-rpc';
import { readTransaction, receivedBy } from './solana-transaction';
import { changedAmount, sightingsOf, unreadableIn, type TransactionState } from './transaction-sightings';

const [address, reference, payer] = [freshSolanaAddress(), freshSolanaAddress(), freshSolanaAddress()];
const signature = freshSignature();
const noon = new Date('2026-01-15T12:00:00Z');
const minutes = (count: number): Date => new Date(noon.getTime() + count * 60_000);
const goneForGood = { after: minutes(-60), before: minutes(-5) };

const sighting: TransferSighting = {
  id: `${signature}:0`,
  txHash: signature,
  amountBase: 5n,
  state: 'included',
  confirmations: 1,
  isFinal: false,
  blockTime: noon,
};
const known: KnownTransfer = { ...sighting, firstSeenAt: noon };

function paymentWith(...transfers: KnownTransfer[]): WatchedPayment {
  return { id: 'pay', address, reference, derivationIndex: null, createdAt: noon, transfers };
}

function readOf(
  lamports: number,
  commitment: SignatureStatus['commitment'],
  err: unknown = null,
): TransactionState {
  const answer = transactionAnswer({
    signature,
    instructions:
      lamports === 0 ? [] : [{ accounts: [payer, address, reference], data: transferData(BigInt(lamports)) }],
    changes: { [address]: err === null ? lamports : 0 },
    err,
  });
  const status = { slot: 7, commitment, confirmations: commitment === 'finalized' ? 32 : 3 };
  return {
    kind: 'read',
    transaction: receivedBy(reference, readTransaction(answer, signature, address)),
    status,
  };
}

function seen(payment: WatchedPayment, where?: TransactionState) {
  const found = new Map(where ? [[signature, where]] : []);
  return sightingsOf(payment, found, new Map([[signature, noon]]), goneForGood);
}

describe('the transfers of a Solana payment', () => {
  it('get further with their transaction', () => {
    const included = { ...sighting, confirmations: 3 };
    expect(seen(paymentWith(), readOf(5, 'confirmed'))).toEqual([included]);
    expect(seen(paymentWith(known), readOf(5, 'confirmed'))).toEqual([included]);
    expect(seen(paymentWith(known), readOf(5, 'finalized'))).toEqual([
      { ...sighting, confirmations: 32, isFinal: true },
    ]);
  });

  it('are pending again in a block that the network has not voted for', () => {
    expect(seen(paymentWith(known), { kind: 'unconfirmed' })).toEqual([
      { ...sighting, state: 'pending', confirmations: 0, blockTime: null },
    ]);
  });

  it.each([
    ['missing, for a while', minutes(-4), 'missing'],
    ['replaced, once nothing brings it back', minutes(-6), 'replaced'],
    ['missing, where the node may have dropped it from its history', minutes(-61), 'missing'],
  ])('that are nowhere are %s', (_, firstSeenAt, state) => {
    expect(seen(paymentWith({ ...known, firstSeenAt }), { kind: 'gone' })).toEqual([
      { ...sighting, state, confirmations: 0, blockTime: null },
    ]);
  });

  it('have failed where their transaction has, if only on the fork that holds', () => {
    const failed = { ...sighting, state: 'failed', confirmations: 0, blockTime: null };
    expect(seen(paymentWith(known), readOf(5, 'confirmed', {}))).toEqual([failed]);
    expect(seen(paymentWith(known), readOf(0, 'finalized', {}))).toEqual([{ ...failed, isFinal: true }]);
    expect(seen(paymentWith(known), readOf(0, 'confirmed'))).toEqual([failed]);
  });

  it('stay as they are where their transaction is settled', () => {
    const final = { ...known, isFinal: true, confirmations: 32 };
    expect(seen(paymentWith(final))).toEqual([{ ...sighting, isFinal: true, confirmations: 32 }]);
  });

  it('want a person where they are not what they were, or can not be read', () => {
    const payment = paymentWith(known);
    expect(changedAmount(payment, seen(payment, readOf(5, 'confirmed')))).toBeNull();
    expect(changedAmount(payment, seen(payment, readOf(6, 'confirmed')))).toContain(known.id);
    expect(unreadableIn(new Map([[signature, { kind: 'unreadable' }]]))).toContain(signature);
    expect(unreadableIn(new Map([[signature, { kind: 'gone' }]]))).toBeNull();
  });
});
