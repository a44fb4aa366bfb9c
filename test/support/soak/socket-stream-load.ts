import { setTimeout as delay } from 'node:timers/promises';
import type { TestAccount } from '../api/world';
import type { SeededRandom } from '../seeded-random';
import { SocketClient } from '../sockets/socket-client';
import { chatParameters } from '../tasks/task-upstream';
import { until } from '../until';

const SOCKETS = 3;
const STREAMS_MAX = 4;
const STREAM_MS_MAX = 800;
const BETWEEN_TRIES_MS = 300;

/** What a client was told at the end of a stream. */
export interface ClientStream {
  requestId: string;
  cost: number;
}

interface SocketStreamOptions {
  accounts: readonly TestAccount[];
  random: SeededRandom;
  url: () => string;
  noted: (outcome: string, isFailure: boolean, fromMs: number) => void;
}

/** Clients that have several answers streamed to them on one socket, cancel some, and go away in the middle. */
export class SocketStreamLoad {
  readonly ended: ClientStream[] = [];
  readonly faults: string[] = [];
  streams = 0;
  /** Sockets that their clients have closed in the middle of their streams. */
  private readonly left = new Set<SocketClient>();
  private clients: Promise<unknown> | null = null;
  private isStopped = false;

  constructor(private readonly options: SocketStreamOptions) {}

  start(): void {
    this.clients ??= Promise.all(Array.from({ length: SOCKETS }, () => this.useUntilStopped()));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.clients;
  }

  private async useUntilStopped(): Promise<void> {
    while (!this.isStopped) {
      await this.useSocket();
      await delay(BETWEEN_TRIES_MS);
    }
  }

  private async useSocket(): Promise<void> {
    const { accounts, noted, random, url } = this.options;
    const fromMs = performance.now();
    const { key } = random.pick(accounts);
    let client: SocketClient;
    try {
      client = await SocketClient.open(`${url()}/api/ws/stream?token=${key}`);
    } catch (error) {
      noted(`upgrade ${(error as { status?: number }).status ?? 'broken'}`, true, fromMs);
      return;
    }
    const streams = Array.from({ length: random.between(1, STREAMS_MAX) }, (_, index) => `s${index}`);
    await Promise.all(streams.map((id) => this.stream(client, id)));
    this.left.delete(client);
    client.webSocket.terminate();
    this.faults.push(...client.faults);
  }

  private async stream(client: SocketClient, id: string): Promise<void> {
    const { noted, random } = this.options;
    const fromMs = performance.now();
    this.streams += 1;
    const payload = chatParameters(`within ${random.between(50, STREAM_MS_MAX)}`);
    const operation = 'createChatCompletion';
    client.send({ action: 'generate', id, operation, payload });
    const end = random.pick(['complete', 'complete', 'cancel', 'close'] as const);
    const deltas = end === 'complete' ? Infinity : random.between(0, 8);
    const isOver = () =>
      client.closeCode !== null || client.of('done', id).length > 0 || client.of('error', id).length > 0;
    await until('the stream is to be left', () => isOver() || client.of('delta', id).length >= deltas);
    if (end === 'close' && client.closeCode === null) {
      this.left.add(client);
      client.webSocket.terminate();
    } else if (end === 'cancel' && !isOver()) {
      client.send({ action: 'cancel', id });
      await until('the stream has ended', isOver);
    }
    const [done] = client.of('done', id);
    const [error] = client.of('error', id);
    if (done) {
      this.ended.push({ requestId: String(done.request_id), cost: Number(done.cost) });
      noted('200', false, fromMs);
    } else if (error) {
      noted(`${String(error.status)} ${String(error.message)}`, Number(error.status) >= 500, fromMs);
    } else {
      const isLeft = this.left.has(client);
      noted(isLeft ? 'left' : 'no answer', !isLeft, fromMs);
    }
  }
}
