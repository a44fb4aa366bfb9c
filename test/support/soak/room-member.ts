import type { SocketAnswer, SocketClient } from '../sockets/socket-client';

interface Sent {
  action: 'message' | 'update';
  data: { by: string; count: number };
}

/** One who is in a room whenever it can be, and believes nothing that does not follow from what it heard before. */
export class RoomMember {
  readonly faults: string[] = [];
  /** What was heard under which number, as text. */
  readonly heard = new Map<number, string>();
  /** The numbers under which its own messages were stored. */
  readonly acknowledged = new Map<string, number>();
  /** How often it got the whole state, because not all that it had missed was kept. */
  resets = 0;
  /** What it was told when something of it was refused. */
  readonly refusals: string[] = [];
  /** Whether it has been let in on its newest connection. */
  isIn = false;
  private readonly pending = new Map<string, Sent>();
  private lastSeq: number | null = null;
  /** Of the state as it has heard of it, and the newest that it knows to exist: a refused update tells of one to come. */
  private heardVersion = 0;
  private version = 0;
  private count = 0;

  constructor(
    private readonly room: string,
    readonly name: string,
  ) {}

  get unacknowledged(): number {
    return this.pending.size;
  }

  /** Whether it has come in and all that it said is known to be stored. */
  get isComplete(): boolean {
    return this.isIn && this.pending.size === 0;
  }

  join(client: SocketClient): void {
    this.isIn = false;
    const since = this.lastSeq === null ? {} : { last_seq: this.lastSeq };
    client.send({ action: 'join', id: 'join', room: this.room, data: { name: this.name }, ...since });
  }

  speak(client: SocketClient, isUpdate: boolean): void {
    if (!this.isIn) {
      return;
    }
    this.count += 1;
    const id = `${this.name}-${this.count}`;
    const data = { by: this.name, count: this.count };
    if (isUpdate) {
      // Not sent again: who does not know whether it won looks at the state.
      client.send({ action: 'update', id: `u-${id}`, room: this.room, data, base_version: this.version });
    } else {
      const sent: Sent = { action: 'message', data };
      this.pending.set(id, sent);
      this.send(client, id, sent);
    }
  }

  hear(client: SocketClient, answer: SocketAnswer): void {
    if (answer.type === 'joined') {
      this.hearMissed(answer);
      this.isIn = true;
      this.pending.forEach((sent, id) => this.send(client, id, sent));
    } else if (answer.type === 'message' || answer.type === 'update') {
      this.hearEvent(answer);
    } else if (answer.type === 'ack' && this.pending.has(String(answer.id))) {
      this.pending.delete(String(answer.id));
      this.acknowledged.set(String(answer.id), Number(answer.seq));
    } else if (answer.type === 'error' && answer.status === 409 && answer.version !== undefined) {
      this.version = Math.max(this.version, Number(answer.version));
    } else if (answer.type === 'error') {
      this.refusals.push(JSON.stringify(answer));
    }
  }

  private send(client: SocketClient, id: string, { action, data }: Sent): void {
    client.send({ action, id, room: this.room, data, idempotency_key: id });
  }

  private hearMissed(joined: SocketAnswer): void {
    const seq = Number(joined.seq);
    if (this.lastSeq !== null && seq < this.lastSeq) {
      this.faults.push(`${this.name} heard ${this.lastSeq} and was then told that the room is at ${seq}`);
    }
    const isReset = joined.state !== undefined && joined.state !== null;
    if (isReset) {
      this.resets += this.lastSeq === null ? 0 : 1;
      this.lastSeq = seq;
    } else {
      (joined.missed as SocketAnswer[]).forEach((event) => this.hearEvent(event));
      if (this.lastSeq !== seq) {
        this.faults.push(`${this.name} missed what came after ${this.lastSeq}; the room is at ${seq}`);
        this.lastSeq = seq;
      }
    }
    this.heardVersion = Number(joined.version);
    this.version = this.heardVersion;
  }

  private hearEvent(event: SocketAnswer): void {
    const seq = Number(event.seq);
    if (this.lastSeq !== null && seq !== this.lastSeq + 1) {
      this.faults.push(`${this.name} heard ${seq} after ${this.lastSeq}`);
    }
    this.lastSeq = seq;
    this.heard.set(seq, JSON.stringify(event.data));
    if (event.type === 'update') {
      const version = Number(event.version);
      if (this.isIn && version !== this.heardVersion + 1) {
        this.faults.push(`${this.name} heard of version ${version} after ${this.heardVersion}`);
      }
      this.heardVersion = version;
      this.version = Math.max(this.version, version);
    }
  }
}
