import type { DataSource } from 'typeorm';
import type { FuzzTally } from './fuzz-tally';
import type { FuzzWorld } from './fuzz-world';

interface Told {
  operationId: string;
  status: number;
  /** What the answer said it cost; null where it did not say. */
  costNano: bigint | null;
}

interface Receipt {
  account_id: string;
  request_id: string;
  client_request_id: string | null;
  operation: string;
  status: number | null;
  charged_nano: string;
}

/** What callers were told of the costs of a slice's calls, to be compared with the books. */
export class SeenCharges {
  private readonly told = new Map<string, Told>();
  private readonly leavers = new Set<string>();
  private readonly untold = new Map<string, number>();
  /** Charges compared with what callers were told. */
  checked = 0;
  checkedNano = 0n;
  /** Charges that no answer tells of: of callers who left, of tasks, of parts of batches. */
  readonly others = new Map<string, number>();

  answered(requestId: string, operationId: string, status: number, costNano: bigint | null): void {
    this.told.set(requestId, { operationId, status, costNano });
  }

  /** @param clientRequestId of a call whose client did not get the whole answer */
  left(clientRequestId: string): void {
    this.leavers.add(clientRequestId);
  }

  /** So many calls, on closed sockets or in batches, may have been left before their callers knew their request ids. */
  leftUntold(accountId: string, calls: number): void {
    this.untold.set(accountId, (this.untold.get(accountId) ?? 0) + calls);
  }

  /** Compares each receipt of a world's accounts with the answer that its caller got. */
  async compare(database: DataSource, world: FuzzWorld, tally: FuzzTally): Promise<void> {
    const receipts: Receipt[] = await database.query(
      `SELECT account_id, request_id, client_request_id, operation, status, charged_nano FROM calls
       WHERE account_id = ANY($1) AND charged_nano > 0`,
      [world.accounts.map(({ id }) => id)],
    );
    const charged = new Map<string, bigint>();
    for (const receipt of receipts) {
      charged.set(receipt.request_id, (charged.get(receipt.request_id) ?? 0n) + BigInt(receipt.charged_nano));
      if (!this.told.has(receipt.request_id)) {
        this.explain(receipt, tally);
      }
    }
    for (const [requestId, told] of this.told) {
      this.check(requestId, told, charged.get(requestId) ?? 0n, tally);
    }
  }

  private check(
    requestId: string,
    { operationId, status, costNano }: Told,
    nano: bigint,
    tally: FuzzTally,
  ): void {
    const isServed = status >= 200 && status < 300;
    if (nano > 0n && !isServed) {
      tally.fault(`${operationId} ${status} was charged`, `${requestId}: ${nano}`);
    }
    if (isServed && costNano !== null && costNano !== nano) {
      tally.fault(
        `${operationId} says another cost than it charged`,
        `${requestId}: ${costNano}, charged ${nano}`,
      );
    }
    if (nano > 0n) {
      this.checked += 1;
      this.checkedNano += nano;
    }
  }

  private explain(receipt: Receipt, tally: FuzzTally): void {
    const { request_id: id, client_request_id: clientId, operation } = receipt;
    const hasLeft = this.leavers.has(clientId ?? '') || this.leavers.has(id);
    const kind = hasLeft
      ? 'callers who left'
      : clientId?.startsWith('task-')
        ? 'tasks'
        : this.ofUntold(receipt);
    if (kind === null) {
      tally.fault(`${operation} was charged and nobody was told`, JSON.stringify(receipt));
    } else {
      this.others.set(kind, (this.others.get(kind) ?? 0) + 1);
    }
  }

  private ofUntold({ account_id: account, client_request_id: clientId }: Receipt): string | null {
    const left = clientId === null ? (this.untold.get(account) ?? 0) : 0;
    this.untold.set(account, Math.max(0, left - 1));
    return left > 0 ? 'closed sockets and left batches' : null;
  }
}
