import {
  type LookOutcome,
  blocksToTime,
  outcomeOf,
} from '../../../src/modules/billing/ethereum/ethereum-chain';
import { PaymentLook, type Reading } from '../../../src/modules/billing/ethereum/payment-look';
import type {
  KnownTransfer,
  TransferSighting,
  WatchedPayment,
} from '../../../src/modules/billing/payment-chain';

export const SIMULATED_ADDRESS = '0x00000000000000000000000000000000000000AA';
const START = new Date('2026-01-01T00:00:00Z');
const BLOCK_MS = 12_000;

interface SimulatedBlock {
  received: bigint;
  /** What the owner sends; each time is one transaction. */
  spent: bigint | null;
}

/** One address on a chain of its own, as its balances and nonces at blocks. */
export class SimulatedEther {
  private blocks: SimulatedBlock[] = [];
  /** How many blocks the node has the state of. */
  keeps = Infinity;
  finalized: number | null = null;
  /** How many blocks the state is behind that the node answers from; all of them where it has lost what it had. */
  isBehindBy = 0;
  reads = 0;

  constructor(emptyBlocks = 200) {
    this.mine(emptyBlocks);
  }

  get head(): number {
    return this.blocks.length - 1;
  }

  /** What it received on this chain, in all. */
  get received(): bigint {
    return this.blocks.reduce((sum, block) => sum + block.received, 0n);
  }

  mine(count = 1): void {
    for (let index = 0; index < count; index += 1) {
      this.blocks.push({ received: 0n, spent: null });
    }
  }

  deposit(...parts: bigint[]): void {
    this.blocks.push({ received: parts.reduce((sum, part) => sum + part, 0n), spent: null });
  }

  /** Sends a share of what is there, at most all. */
  spend(percent = 100n): void {
    this.blocks.push({ received: 0n, spent: (this.balanceAt(this.head) * percent) / 100n });
  }

  /** The newest blocks give way to others, one of which may be longer. */
  reorg(depth: number, deposits: readonly bigint[]): void {
    this.blocks = this.blocks.slice(0, this.blocks.length - depth);
    for (let index = 0; index < Math.max(depth, deposits.length); index += 1) {
      this.deposit(deposits[index] ?? 0n);
    }
  }

  balanceAt(block: number): bigint {
    return this.blocks
      .slice(0, block + 1)
      .reduce((sum, { received, spent }) => sum + received - (spent ?? 0n), 0n);
  }

  read({ kind, block }: Reading): bigint | null {
    this.reads += 1;
    if (block <= this.head - this.keeps) {
      return null;
    }
    return kind === 'balance'
      ? this.balanceAt(Math.min(block, this.head - this.isBehindBy))
      : BigInt(this.blocks.slice(0, block + 1).filter(({ spent }) => spent !== null).length);
  }

  timeOf(block: number): Date {
    return new Date(START.getTime() + block * BLOCK_MS);
  }
}

/** So many confirmations are deep enough for a credit. */
export const MATURE = 12;

/** Looks at a simulated address, stores what it finds and credits what is deep enough, as core does. */
export class SimulatedObserver {
  readonly stored = new Map<string, KnownTransfer>();
  private readonly firstBlocks = new Map<string, number>();
  rounds = 0;

  constructor(
    private readonly chain: SimulatedEther,
    private readonly createdAt = START,
    private readonly hasMemory = true,
  ) {}

  look(): LookOutcome {
    const payment: WatchedPayment = {
      id: 'payment',
      address: SIMULATED_ADDRESS,
      reference: null,
      derivationIndex: 0,
      createdAt: this.createdAt,
      transfers: [...this.stored.values()],
    };
    const { head, finalized } = this.chain;
    const chain = { head, floor: Math.max(0, head - 119), finalized };
    const balance = this.chain.read({ kind: 'balance', block: head }) ?? 0n;
    const look = new PaymentLook(payment, chain, balance, (id) =>
      this.hasMemory ? this.firstBlocks.get(id) : undefined,
    );
    this.rounds = 0;
    for (let wanted = look.wanted(3); wanted.length > 0; wanted = look.wanted(3)) {
      this.rounds += 1;
      for (const reading of wanted) {
        look.take(reading, this.chain.read(reading));
      }
    }
    const times = new Map(blocksToTime(look).map((block) => [block, this.chain.timeOf(block)]));
    const outcome = outcomeOf(look, (block) => times.get(block));
    outcome.firstBlocks.forEach((block, id) => this.firstBlocks.set(id, block));
    return outcome;
  }

  store(sightings: readonly TransferSighting[]): void {
    for (const sighting of sightings) {
      const before = this.stored.get(sighting.id);
      const firstSeenAt = before?.firstSeenAt ?? this.chain.timeOf(this.chain.head);
      this.stored.set(sighting.id, { ...before, ...sighting, firstSeenAt });
    }
  }

  /** What was ever credited, in wei, whatever has become of it. */
  get credited(): bigint {
    return [...this.stored.values()]
      .filter(({ creditedNanoUsd }) => typeof creditedNanoUsd === 'bigint')
      .reduce((sum, { amountBase }) => sum + amountBase, 0n);
  }

  credit(): void {
    for (const transfer of this.stored.values()) {
      if (transfer.state === 'included' && transfer.confirmations >= MATURE) {
        transfer.creditedNanoUsd ??= 1n;
      }
    }
  }

  poll(): LookOutcome {
    const outcome = this.look();
    this.store(outcome.sightings);
    this.credit();
    return outcome;
  }
}
