import { SolanaChain } from '../../../src/modules/billing/solana/solana-chain';
import { ScriptedRpc } from '../../support/chains/scripted-rpc';
import { freshSignature, transactionAnswer, transferData } from '../../support/chains/solana-answers';
import { freshSolanaAddress } from '../../support/chains/solana-transaction';
import { afterLook, watched } from '../../support/chains/watched-payments';

const never = new AbortController().signal;
const merchantAddress = freshSolanaAddress();
const payer = freshSolanaAddress();

interface Written {
  signature: string;
  blockTime: number;
  lamports: number;
}

/** The transactions at each place, newest first, all of them final. */
const places = new Map<string, Written[]>();
let reads = 0;

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
      const all = places.get(params[0] as string) ?? [];
      const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
      return all.slice(start, start + limit);
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
      return transactionOf(params[0] as string);
  }
}

function transactionOf(signature: string): unknown {
  reads += 1;
  for (const [place, written] of places) {
    const found = written.find((each) => each.signature === signature);
    if (found) {
      const to = place.startsWith('pool') ? place : merchantAddress;
      const accounts = to === place ? [payer, to] : [payer, to, place];
      return transactionAnswer({
        signature,
        instructions: [{ accounts, data: transferData(BigInt(found.lamports)) }],
        changes: { [to]: found.lamports },
      });
    }
  }
  return null;
}

function crowd(place: string, count: number, blockTime = Math.floor(Date.now() / 1_000)): void {
  places.set(
    place,
    Array.from({ length: count }, (_, index) => ({
      signature: freshSignature(),
      blockTime,
      // The oldest is the one that pays.
      lamports: index === count - 1 ? 5_000 : 1,
    })),
  );
}

describe('a place on Solana that very many transactions name', () => {
  let node: ScriptedRpc;
  let chain: SolanaChain;

  beforeEach(async () => {
    places.clear();
    reads = 0;
    node = await ScriptedRpc.start(answer);
    chain = new SolanaChain({ places: { merchantAddress }, url: node.url, environment: 'test' });
  });

  afterEach(async () => {
    await chain.close();
    await node.stop();
  });

  it('is shown once all of them are read, some at each look, and holds up no other', async () => {
    const [crowded, other] = [watched(chain.placeOf(0)), watched(chain.placeOf(1))];
    crowd(crowded.reference ?? '', 120);
    crowd(other.reference ?? '', 1);
    for (const [look, expected] of [50, 100, 120].entries()) {
      const { transfers } = await chain.observe([crowded, other], never);
      expect(transfers.get(other.id)).toMatchObject([{ amountBase: 5_000n }]);
      expect([look, reads]).toEqual([look, expected + 1]);
      expect(transfers.get(crowded.id)?.length).toBe(look < 2 ? undefined : 100);
    }
    // One look adds a hundred, and the next one what is left.
    const first = await chain.observe([crowded], never);
    const stored = afterLook(crowded, first.transfers.get(crowded.id));
    const second = await chain.observe([stored], never);
    expect(second.transfers.get(crowded.id)).toHaveLength(120);
    // A restart reads nothing again that was stored as final.
    const restarted = new SolanaChain({ places: { merchantAddress }, url: node.url, environment: 'test' });
    const again = await restarted.observe([afterLook(stored, second.transfers.get(crowded.id))], never);
    expect(again.transfers.get(crowded.id)).toHaveLength(120);
    expect([again.requests, reads]).toEqual([3, 121]);
    await restarted.close();
  });

  it('asks for a person where not all of them can be looked at', async () => {
    const payment = watched(chain.placeOf(0));
    crowd(payment.reference ?? '', 1_050);
    let [looks, found] = [0, await chain.observe([payment], never).catch(() => null)];
    for (; !found?.transfers.has(payment.id) && looks < 30; looks += 1) {
      found = await chain.observe([payment], never).catch(() => null);
    }
    expect(found?.transfers.get(payment.id)).toHaveLength(100);
    expect(found?.reviews.get(payment.id)).toMatch(/^Very many transactions/);
    expect(found?.requests).toBeLessThan(20);
  });

  it('does not look behind the time when an address of its own was given out', async () => {
    const payment = watched({ address: 'pool-1', reference: null });
    crowd('pool-1', 3_000, Math.floor(Date.now() / 1_000) - 2 * 3_600);
    const { transfers, requests } = await chain.observe([payment], never);
    expect([transfers.get(payment.id), requests, reads]).toEqual([[], 2, 0]);
  });
});
