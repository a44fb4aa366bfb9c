import {
  ChainUnavailable,
  type Currency,
  type Observation,
  PaymentChain,
  type PaymentPlace,
  type TransferSighting,
  type WatchedPayment,
} from '../../../src/modules/billing/payment-chain';

/** A chain of which a test says what each look shows. By itself it shows that nothing has changed, and a tip of now. */
export class FakeChain extends PaymentChain {
  /** As a sandbox it has a price of its own, which needs no source. */
  readonly isSandbox = true;
  readonly placesId: string;
  /** The time of the newest block. */
  tipTime: Date;
  /** What looks and questions are refused with; null for a node that answers. */
  fault: Error | null = null;
  /** How many looks were taken, and how many of them run. */
  looks = 0;
  running = 0;
  /** A look waits for it. */
  held: Promise<void> = Promise.resolve();
  /** Payments that it says nothing of. */
  readonly unseen = new Set<string>();
  private readonly transfers = new Map<string, Map<string, TransferSighting>>();
  private readonly reviews = new Map<string, string>();

  constructor(
    readonly currency: Currency,
    now: Date,
  ) {
    super();
    this.placesId = `${currency.toLowerCase()}:fake`;
    this.tipTime = now;
  }

  /** From now on looks show the transfer to the payment's place like this. */
  show(paymentId: string, id: string, amountBase: bigint, fields: Partial<TransferSighting> = {}): void {
    const sighting: TransferSighting = {
      id,
      txHash: `hash of ${id}`,
      amountBase,
      state: 'pending',
      confirmations: 0,
      isFinal: false,
      blockTime: null,
      ...fields,
    };
    const own = this.transfers.get(paymentId) ?? new Map<string, TransferSighting>();
    this.transfers.set(paymentId, own.set(id, sighting));
  }

  /** As show(), in a block that nothing can drop any more. */
  settle(paymentId: string, id: string, amountBase: bigint, blockTime = this.tipTime): void {
    this.show(paymentId, id, amountBase, { state: 'included', confirmations: 100, isFinal: true, blockTime });
  }

  /** The node does not answer until it is started again. */
  stopNode(): void {
    this.fault = new ChainUnavailable('the node does not answer');
  }

  startNode(tipTime: Date): void {
    this.fault = null;
    this.tipTime = tipTime;
  }

  async network(): Promise<string> {
    await this.answer();
    return 'fake';
  }

  placeOf(index: number): PaymentPlace {
    return { address: `fake-${this.currency}-${index}`, reference: null };
  }

  async observe(payments: readonly WatchedPayment[]): Promise<Observation> {
    this.looks += 1;
    this.running += 1;
    try {
      await this.held;
      await this.answer();
    } finally {
      this.running -= 1;
    }
    const seen = payments.filter(({ id }) => !this.unseen.has(id));
    return {
      tip: { height: 1, time: this.tipTime },
      transfers: new Map(seen.map((payment) => [payment.id, this.sightings(payment)])),
      reviews: this.reviews,
      requests: 1,
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private sightings({ id: paymentId, transfers }: WatchedPayment): TransferSighting[] {
    const known = transfers.map(
      ({ firstSeenAt: _, ...sighting }) => [sighting.id, sighting] satisfies [string, TransferSighting],
    );
    return [...new Map([...known, ...(this.transfers.get(paymentId) ?? [])]).values()];
  }

  private answer(): Promise<void> {
    return this.fault === null ? Promise.resolve() : Promise.reject(this.fault);
  }
}
