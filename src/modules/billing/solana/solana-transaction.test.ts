import fc from 'fast-check';
import {
  freshSignature,
  transactionAnswer,
  transferData,
  type WrittenTransaction,
} from '../../../../test/support/chains/solana-answers';
import { freshSolanaAddress } from '../../../../test/support/chains/solana-transaction';
import { ChainUnavailable } from '../payment-chain';
import { arrivalsOf, readTransaction } from './solana-transaction';

const signature = freshSignature();
const [payer, merchant, reference, other, program] = Array.from({ length: 5 }, freshSolanaAddress) as [
  string,
  string,
  string,
  string,
  string,
];

/** What it brought to the merchant's payment with this reference. */
function arrivals(written: WrittenTransaction, of: string | null = reference): [string, bigint][] {
  const transaction = readTransaction(transactionAnswer({ signature, ...written }), signature, merchant);
  return arrivalsOf(transaction, of).map(({ id, lamports }) => [id.replace(signature, ''), lamports]);
}

function transfer(lamports: bigint, ...references: string[]) {
  return { accounts: [payer, merchant, ...references], data: transferData(lamports) };
}

describe('what a Solana transaction brought', () => {
  it('is what its instructions with the reference transfer', () => {
    const instructions = [
      transfer(5n, reference),
      transfer(6n, other),
      transfer(7n, other, reference),
      transfer(9n),
    ];
    const written = { instructions, changes: { [merchant]: 27 } };
    expect(arrivals(written)).toEqual([
      [':0', 5n],
      [':2', 7n],
    ]);
    expect(arrivals(written, other)).toEqual([
      [':1', 6n],
      [':2', 7n],
    ]);
    expect(arrivals(written, freshSolanaAddress())).toEqual([]);
    expect(arrivals(written, null)).toEqual([
      [':0', 5n],
      [':1', 6n],
      [':2', 7n],
      [':3', 9n],
    ]);
  });

  it('is found in what instructions call, and where accounts come from lookup tables', () => {
    const written = {
      instructions: [
        transfer(1n),
        { program, accounts: [payer], data: '1', calls: [transfer(2n), transfer(3n, reference)] },
      ],
      changes: { [merchant]: 6 },
      loaded: { writable: [merchant], readonly: [reference] },
    };
    expect(arrivals(written)).toEqual([[':1.1', 3n]]);
  });

  it('is exact beyond what JSON numbers hold', () => {
    const lamports = 2n ** 53n + 1n;
    const written = {
      instructions: [transfer(lamports, reference)],
      changes: { [merchant]: Number(lamports) },
    };
    expect(arrivals(written)).toEqual([[':0', lamports]]);
  });

  it('is the increase that nothing else explains, where no transfer has the reference', () => {
    const instructions = [
      transfer(4n, other),
      transfer(10n),
      { program, accounts: [payer, reference], data: '1' },
    ];
    const written = { instructions, changes: { [merchant]: 20 } };
    expect(arrivals(written)).toEqual([[':balance', 16n]]);
    expect(arrivals(written, null)).toEqual([
      [':0', 4n],
      [':1', 10n],
      [`:${merchant}`, 6n],
    ]);
  });

  it('is told apart by address, where a contract pays several at once', () => {
    const answer = transactionAnswer({ signature, instructions: [], changes: { [merchant]: 5, [other]: 7 } });
    const ids = [merchant, other].flatMap((address) =>
      arrivalsOf(readTransaction(answer, signature, address), null).map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('is no more than the address kept', () => {
    const back = { accounts: [merchant, payer], data: transferData(6n) };
    const written = {
      instructions: [transfer(5n, reference), transfer(4n, other), back],
      changes: { [merchant]: 3 },
    };
    expect(arrivals(written)).toEqual([[':0', 3n]]);
    expect(arrivals(written, other)).toEqual([]);
    expect(arrivals({ ...written, changes: { [merchant]: -1 } })).toEqual([]);
    const toItself = { accounts: [merchant, merchant, reference], data: transferData(50n) };
    const paidByAnother = { instructions: [toItself, transfer(9n, other)], changes: { [merchant]: 9 } };
    expect(arrivals(paidByAnother)).toEqual([]);
    expect(arrivals(paidByAnother, other)).toEqual([[':1', 9n]]);
  });

  it('counts a transfer from an account with a seed, and no other instruction of the system program', () => {
    const seeded = { accounts: [payer, other, merchant, reference], data: transferData(5n, 11) };
    expect(arrivals({ instructions: [seeded], changes: { [merchant]: 5 } })).toEqual([[':0', 5n]]);
    const creation = { accounts: [payer, merchant, reference], data: transferData(5n, 0) };
    expect(arrivals({ instructions: [creation] })).toEqual([]);
    const foreign = { ...transfer(5n, reference), program };
    expect(arrivals({ instructions: [foreign] })).toEqual([]);
    const broken = ['', '1', 'not base58', '1'.repeat(1_000)].map((data) => ({
      ...transfer(5n, reference),
      data,
    }));
    expect(arrivals({ instructions: broken })).toEqual([]);
    expect(arrivals({ instructions: [transfer(2n ** 64n - 1n, reference)] })).toEqual([]);
  });

  it('is what a failed transaction would have moved, marked as failed', () => {
    const written = {
      signature,
      instructions: [transfer(5n, reference)],
      err: { InstructionError: [1, 'Custom'] },
    };
    expect(readTransaction(transactionAnswer(written), signature, merchant).isFailed).toBe(true);
    expect(arrivals(written)).toEqual([[':0', 5n]]);
    expect(arrivals(written, other)).toEqual([]);
  });

  it('never adds up to more than the address kept, whatever the transfers and references', () => {
    const references = fc.subarray([reference, other]);
    const some = fc.array(fc.tuple(fc.bigInt({ min: 0n, max: 1_000n }), references), { maxLength: 6 });
    fc.assert(
      fc.property(some, fc.integer({ min: -2_000, max: 6_000 }), (parts, change) => {
        const written = {
          instructions: parts.map(([lamports, carried]) => transfer(lamports, ...carried)),
          changes: { [merchant]: change, [reference]: 0, [other]: 0 },
        };
        const mine = arrivals(written, reference);
        const theirs = arrivals(written, other).filter(([id]) => !mine.some(([taken]) => taken === id));
        const sum = [...mine, ...theirs].reduce((total, [, lamports]) => total + lamports, 0n);
        expect(sum <= BigInt(Math.max(change, 0))).toBe(true);
        expect([...mine, ...theirs].every(([, lamports]) => lamports > 0n)).toBe(true);
      }),
    );
  });

  it('is not read from what makes no sense', () => {
    const answer = transactionAnswer({ signature, instructions: [transfer(5n, reference)] });
    const { transaction, meta } = answer as { transaction: { message: object }; meta: object };
    const nonsense = [
      null,
      '<html>',
      [],
      { ...answer, slot: -1 },
      { ...answer, slot: 1.5 },
      { ...answer, blockTime: 'now' },
      { ...answer, blockTime: 1e300 },
      { ...answer, transaction: { ...transaction, signatures: [freshSignature()] } },
      { ...answer, transaction: { ...transaction, message: { ...transaction.message, accountKeys: [1] } } },
      { ...answer, transaction: { ...transaction, message: { ...transaction.message, instructions: [{}] } } },
      { ...answer, transaction: 'AAAA' },
      { ...answer, meta: { ...meta, preBalances: [1] } },
      { ...answer, meta: { ...meta, postBalances: ['1', '1', '1', '1'] } },
      { ...answer, meta: { ...meta, innerInstructions: [{ index: 0 }] } },
      { ...answer, meta: { ...meta, loadedAddresses: { writable: 1 } } },
    ];
    for (const each of nonsense) {
      expect(() => readTransaction(each, signature, merchant)).toThrow(ChainUnavailable);
    }
  });

  it('throws nothing but that, whatever it is given', () => {
    const answer = transactionAnswer({ signature, instructions: [transfer(5n, reference)] });
    const anything = fc.jsonValue();
    fc.assert(
      fc.property(anything, fc.constantFrom(...Object.keys(answer)), (value, member) => {
        try {
          const read = readTransaction({ ...answer, [member]: value }, signature, merchant);
          arrivalsOf(read, reference);
        } catch (error) {
          expect(error).toBeInstanceOf(ChainUnavailable);
        }
      }),
    );
  });
});
