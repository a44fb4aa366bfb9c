import type { OutboundConnection } from './outbound-connection';

/** More calls at once to one receiver than this are rare, and each connection costs the receiver too. */
const PER_RECEIVER_MAX = 8;
const ALL_MAX = 256;

/** The connections on which no call is made at present, by the receiver that each was opened and judged for. */
export class IdleConnections {
  private readonly byReceiver = new Map<string, OutboundConnection[]>();
  private count = 0;
  private isClosed = false;

  /** The connection that was used last, because it is the least likely to be closed by the receiver soon. */
  take(receiver: string): OutboundConnection | null {
    const idle = this.byReceiver.get(receiver) ?? [];
    for (let last = idle.at(-1); last !== undefined; last = idle.at(-1)) {
      this.remove(receiver, last);
      if (last.isUsable) {
        return last;
      }
    }
    return null;
  }

  /** Keeps a connection, or ends it where there are enough. */
  put(receiver: string, connection: OutboundConnection): void {
    const idle = this.byReceiver.get(receiver) ?? [];
    if (this.isClosed || !connection.isUsable || idle.length >= PER_RECEIVER_MAX || this.count >= ALL_MAX) {
      connection.destroy(new Error('enough connections are idle'));
      return;
    }
    idle.push(connection);
    this.byReceiver.set(receiver, idle);
    this.count += 1;
  }

  /** Forgets a connection that has ended. */
  remove(receiver: string, connection: OutboundConnection): void {
    const idle = this.byReceiver.get(receiver) ?? [];
    const index = idle.indexOf(connection);
    if (index < 0) {
      return;
    }
    idle.splice(index, 1);
    this.count -= 1;
    if (idle.length === 0) {
      this.byReceiver.delete(receiver);
    }
  }

  /** Ends all of them. From now on none is kept. */
  close(): void {
    this.isClosed = true;
    for (const connection of [...this.byReceiver.values()].flat()) {
      connection.destroy(new Error('the service ends'));
    }
    this.byReceiver.clear();
    this.count = 0;
  }
}
