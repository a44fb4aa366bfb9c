import { SolanaChain } from '../../../src/modules/billing/solana/solana-chain';
import { ScriptedRpc, ScriptedRpcError } from '../../support/chains/scripted-rpc';
import {
  freshSignature,
  transactionAnswer,
  transferData,
  type WrittenInstruction,
} from '../../support/chains/solana-answers';
import { freshSolanaAddress } from '../../support/chains/solana-transaction';
import { afterLook, watched } from '../../support/chains/watched-payments';

const never = new AbortController().signal;
const merchantAddress = freshSolanaAddress();
const payer = freshSolanaAddress();

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

interface VersionAsked {
  maxSupportedTransactionVersion: number;
}

/** By reference, newest first; and what each of them is. */
const listed = new Map<string, string[]>();
const transactions = new Map<string, unknown>();

function clockAccount(): unknown {
  const bytes = Buffer.alloc(40);
  bytes.writeBigUInt64LE(1_000n, 0);
  bytes.writeBigInt64LE(BigInt(Math.floor(Date.now() / 1_000)), 32);
  return { value: { data: [bytes.toString('base64'), 'base64'] } };
}

function answer(method: string, params: unknown[]): unknown {
  switch (method) {
    case 'getGenesisHash':
      return freshSolanaAddress();
    case 'getAccountInfo':
      return clockAccount();
    case 'getSignaturesForAddress': {
      const { before, limit } = params[1] as { before?: string; limit: number };
      const all = listed.get(params[0] as string) ?? [];
      const start = before === undefined ? 0 : all.indexOf(before) + 1;
      return all.slice(start, start + limit).map((signature) => ({ signature, blockTime: 1_790_000_000 }));
    }
    case 'getSignatureStatuses':
      return {
        value: (params[0] as string[]).map(() => ({
          slot: 7,
          confirmations: null,
          confirmationStatus: 'finalized',
        })),
      };
    default:
      return transactionFor(params[0] as string, params[1] as VersionAsked);
  }
}

/** As nodes do; `takesVersion` is the highest number that the node takes at all. */
let takesVersion = 255;
function transactionFor(signature: string, { maxSupportedTransactionVersion: asked }: VersionAsked): unknown {
  const transaction = transactions.get(signature) as { version: number | 'legacy' } | undefined;
  if (asked > takesVersion) {
    throw new ScriptedRpcError(-32_602, 'Invalid params');
  }
  if (transaction !== undefined && Number(transaction.version) > asked) {
    const advice = `Transaction version (${transaction.version}) is not supported by the requesting client.`;
    throw new ScriptedRpcError(-32_015, advice);
  }
  return transaction ?? null;
}

/** Sends a transaction with transfers of so many lamports each to the place of a payment. */
function send(
  reference: string | null,
  lamports: readonly number[],
  calls: WrittenInstruction[] = [],
): string {
  const signature = freshSignature();
  const accounts = [payer, merchantAddress, reference ?? ''];
  const instructions = lamports.map((each) => ({ accounts, data: transferData(BigInt(each)), calls }));
  const sum = lamports.reduce((total, each) => total + each, 0);
  const changes = { [merchantAddress]: sum, [payer]: -sum };
  transactions.set(signature, transactionAnswer({ signature, instructions, changes }));
  listed.set(reference ?? '', [signature, ...(listed.get(reference ?? '') ?? [])]);
  return signature;
}

describe('a Solana payment beside transactions that somebody makes to hide it', () => {
  let server: ScriptedRpc;
  let chain: SolanaChain;

  beforeAll(async () => {
    server = await ScriptedRpc.start(answer);
  });
  beforeEach(() => {
    listed.clear();
    transactions.clear();
    server.raw = null;
    takesVersion = 255;
    chain = new SolanaChain({ places: { merchantAddress }, url: server.url, environment: 'test' });
  });
  afterEach(() => chain.close());
  afterAll(() => server.stop());

  const place = () => watched(chain.placeOf(0));

  /** One call may carry 10 KiB of data, and a transaction may make 63 calls: with base58 that is 880 kB. */
  function sendLong(reference: string | null): void {
    const program = freshSolanaAddress();
    send(
      reference,
      [1_000],
      Array.from({ length: 63 }, () => ({ accounts: [], program, data: '1'.repeat(13_900) })),
    );
  }

  /** Where the machine is so busy that megabytes take longer than a node is waited for, the next look shows what is missing. */
  async function shownWithinFiveLooks(payments: readonly ReturnType<typeof place>[]) {
    const [transfers, reviews] = [new Map<string, unknown>(), new Map<string, string>()];
    for (let looks = 0; looks < 5 && transfers.size < payments.length; looks += 1) {
      try {
        const seen = await chain.observe(payments, never);
        seen.transfers.forEach((found, paymentId) => transfers.set(paymentId, found));
        seen.reviews.forEach((review, paymentId) => reviews.set(paymentId, review));
      } catch (error) {
        expect(error).toMatchObject({ cause: { message: 'no answer within 5000 ms' } });
      }
    }
    return { transfers, reviews };
  }

  it('is shown although the transactions of another are together longer than an answer may be', async () => {
    const [attacker, honest] = [place(), place()];
    for (let count = 0; count < 25; count += 1) {
      sendLong(attacker.reference);
    }
    send(honest.reference, [5_000]);
    const { transfers } = await shownWithinFiveLooks([attacker, honest]);
    expect(transfers.get(honest.id)).toMatchObject([{ amountBase: 5_000n }]);
    expect(transfers.get(attacker.id)).toHaveLength(25);
  });

  it('wants a person where one transaction by itself is longer than an answer may be', async () => {
    const [attacker, honest] = [place(), place()];
    const signature = send(
      attacker.reference,
      [1_000],
      [{ accounts: [], program: freshSolanaAddress(), data: '1'.repeat(17_000_000) }],
    );
    send(honest.reference, [5_000]);
    const { transfers, reviews } = await shownWithinFiveLooks([attacker, honest]);
    expect(transfers.get(honest.id)).toMatchObject([{ amountBase: 5_000n }]);
    expect(transfers.get(attacker.id)).toEqual([]);
    expect(reviews.get(attacker.id)).toContain(signature);
  });

  it('is shown in its turn although the node does not deliver the transactions of another', async () => {
    const [attacker, honest] = [place(), place()];
    const stuck = send(attacker.reference, [1_000]);
    send(honest.reference, [5_000]);
    server.raw = (response, body) => {
      if (body.includes('getTransaction') && body.includes(stuck)) {
        response.destroy();
        return;
      }
      const calls = JSON.parse(body) as Call[] | Call;
      const told = ({ id, method, params }: Call) => ({ jsonrpc: '2.0', id, result: answer(method, params) });
      response.end(JSON.stringify(Array.isArray(calls) ? calls.map(told) : told(calls)));
    };
    const seen: boolean[] = [];
    for (let look = 0; look < 4; look += 1) {
      const found = await chain.observe([attacker, honest, place()], never);
      seen.push(found.transfers.get(honest.id)?.length === 1);
    }
    expect(seen).toEqual([false, false, true, true]);
  });

  it.each([50, 60])(
    'is come to although others have %i new transactions each at every look',
    async (count) => {
      const others = Array.from({ length: 6 }, place);
      const honest = place();
      send(honest.reference, [5_000]);
      let looks = 0;
      for (let isSeen = false; !isSeen && looks < 3; looks += 1) {
        for (const { reference } of others) {
          listed.delete(reference ?? '');
          Array.from({ length: count }, () => send(reference, [1]));
        }
        const found = await chain.observe([...others, honest], never).catch(() => null);
        isSeen = found?.transfers.get(honest.id)?.length === 1;
      }
      expect(looks).toBe(2);
    },
  );

  it('is come to although others fill more pages at every look than a look turns', async () => {
    const others = Array.from({ length: 6 }, place);
    const honest = place();
    for (const { reference } of others) {
      listed.set(reference ?? '', Array.from({ length: 1_100 }, freshSignature));
    }
    Array.from({ length: 120 }, () => send(honest.reference, [1]));
    let looks = 0;
    for (let isSeen = false; !isSeen && looks < 10; looks += 1) {
      const found = await chain.observe([...others, honest, place()], never);
      isSeen = found.transfers.has(honest.id);
    }
    expect(looks).toBeLessThan(6);
  });

  it('keeps its turn when one payment by itself is looked at meanwhile', async () => {
    const others = Array.from({ length: 6 }, place);
    const honest = place();
    send(honest.reference, [5_000]);
    for (const { reference } of others) {
      Array.from({ length: 50 }, () => send(reference, [1]));
    }
    await chain.observe([...others, honest], never);
    await chain.observe([place()], never);
    for (const { reference } of others) {
      listed.delete(reference ?? '');
      Array.from({ length: 50 }, () => send(reference, [1]));
    }
    const { transfers } = await chain.observe([...others, honest], never);
    expect(transfers.get(honest.id)).toMatchObject([{ amountBase: 5_000n }]);
  });

  it('is among the hundred transfers that one look adds, the largest first, and none is lost', async () => {
    let payment = place();
    // 53 of the smallest transfers fit into one transaction.
    Array.from({ length: 4 }, () => send(payment.reference, Array<number>(53).fill(1)));
    const paid = send(payment.reference, [5_000]);
    const counts: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      const { transfers } = await chain.observe([payment], never);
      const found = transfers.get(payment.id) ?? [];
      expect(found.map(({ id }) => id)).toContain(`${paid}:0`);
      counts.push(found.length);
      payment = afterLook(payment, found);
    }
    expect(counts).toEqual([54, 107, 160, 213, 213]);
  });

  /** @returns its signature */
  function sendOfVersion(version: number, reference: string | null, change = {}): string {
    const signature = send(reference, [5_000]);
    transactions.set(signature, { ...(transactions.get(signature) as object), version, ...change });
    return signature;
  }

  it.each([1, 2, 200])(
    'is shown in a transaction of version %i, beside one of version 0',
    async (version) => {
      const payment = place();
      const [later, usual] = [sendOfVersion(version, payment.reference), send(payment.reference, [7_000])];
      const { transfers, reviews } = await chain.observe([payment], never);
      expect(transfers.get(payment.id)).toHaveLength(2);
      expect(transfers.get(payment.id)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: `${later}:0`, amountBase: 5_000n, state: 'included' }),
          expect.objectContaining({ id: `${usual}:0`, amountBase: 7_000n }),
        ]),
      );
      expect(reviews.size).toBe(0);
    },
  );

  it.each([
    ['has a version that the node itself knows nothing of', { takesVersion: 0, change: {} }],
    ['is of another shape', { takesVersion: 255, change: { transaction: { message: 'new' } } }],
  ])('wants a person where a later transaction %s', async (_, unread) => {
    const [paid, other] = [place(), place()];
    takesVersion = unread.takesVersion;
    const signature = sendOfVersion(3, paid.reference, unread.change);
    send(other.reference, [7_000]);
    const { transfers, reviews } = await chain.observe([paid, other], never);
    expect(reviews.get(paid.id)).toContain(signature);
    expect(transfers.get(other.id)).toMatchObject([{ amountBase: 7_000n }]);
    expect(reviews.has(other.id)).toBe(false);
  });
});
