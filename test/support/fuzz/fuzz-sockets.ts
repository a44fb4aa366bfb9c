import { setTimeout as delay } from 'node:timers/promises';
import { at, isObject, type Json, type JsonObject } from '../../../scripts/generate/json';
import asyncapi from '../../../generated/asyncapi.json';
import { parseUsd } from '../../../src/ledger/money';
import { operations } from '../api/published-document';
import { documentedBodies } from '../hostile/hostile-bodies';
import type { SeededRandom } from '../seeded-random';
import { SocketClient, type RefusedUpgrade, type SocketAnswer } from '../sockets/socket-client';
import { until } from '../until';
import { textAt } from './fuzz-answers';
import type { SeenCharges } from './fuzz-charges';
import type { FuzzTally } from './fuzz-tally';
import type { FuzzAccount, FuzzWorld } from './fuzz-world';
import { mutatedJson } from './mutated-json';

const PATHS = ['stream', 'collaborate'] as const;
/** Fewer than a socket may send at once, so that few are refused for their rate. */
const FRAMES_PER_SOCKET = 36;
const ENDS_WITHIN_MS = 30_000;
const BROKEN_CLOSES_WITHIN_MS = 1_000;
const ROOMS = ['board-1', 'board-2', 'room:x', 'a'.repeat(128)];
/** The codes that the document names, and those that the protocol has for frames against it and for a connection that fell. */
const CLOSE_CODES = [1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009, 1012, 1013, 4401, 4429];
const KNOWN_FAILURES = [502, 503, 504];

/** Frames against the protocol (RFC 6455), each as the bytes that a client puts on the wire. */
const BAD_BYTES: readonly Buffer[] = [
  [0x81, 0x02, 0x7b, 0x7d],
  [0xf1, 0x80, 0, 0, 0, 0],
  [0x83, 0x80, 0, 0, 0, 0],
  [0x80, 0x82, 0, 0, 0, 0, 0x7b, 0x7d],
  [0x09, 0x80, 0, 0, 0, 0],
  [0x89, 0xfe, 0x00, 0x7e, 0, 0, 0, 0],
  [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
  [0x81, 0xfe, 0xff],
  [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
  [0x88, 0x81, 0, 0, 0, 0, 0x03],
  [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed],
  [0x01, 0x81, 0, 0, 0, 0, 0x7b, 0x81, 0x81, 0, 0, 0, 0, 0x7d],
].map((bytes) => Buffer.from(bytes));

const MESSAGES = Object.values(asyncapi.components.schemas as unknown as Record<string, { example?: Json }>)
  .map(({ example }) => example)
  .filter((example) => typeof at(example, 'action') === 'string') as Json[];
const STREAMED = operations
  .filter(({ policy }) => policy.streams === true)
  .map(({ policy }) => ({ id: policy.operationId, bodies: documentedBodies(policy.operationId) }));

/** The service may take what follows such bytes for the rest of a frame, so it need not be answered. */
const BROKEN = new WeakSet<SocketClient>();

/** Sockets of a world's accounts, and what each sends: messages that are good or nearly so, other frames, and bytes. */
export class FuzzSockets {
  frames = 0;
  sockets = 0;
  private made = 0;

  constructor(
    private readonly url: string,
    private readonly random: SeededRandom,
    private readonly tally: FuzzTally,
    private readonly models: readonly string[],
  ) {}

  async run(world: FuzzWorld, charges: SeenCharges, frames: number): Promise<void> {
    const worker = async () => {
      for (const last = this.frames + frames; this.frames < last;) {
        await this.one(world, charges);
      }
    };
    await Promise.all([worker(), worker()]);
  }

  private async one(world: FuzzWorld, charges: SeenCharges): Promise<void> {
    const { random } = this;
    const path = random.pick(PATHS);
    const account = random.pick([...world.owners, ...world.owners, ...world.poor]);
    if (random.next() < 0.1) {
      await this.refused(path, world);
      return;
    }
    const secret = random.next() < 0.3 ? account.token : account.key;
    const client = await SocketClient.open(`${this.url}/api/ws/${path}?token=${secret}`).catch(
      (refusal: RefusedUpgrade) => refusal,
    );
    if (!(client instanceof SocketClient)) {
      // A poor account on the free tier may have come too often.
      this.tally.count(`upgrade ${client.status}`);
      return;
    }
    this.sockets += 1;
    const ids: string[] = [];
    for (let sent = 0; sent < FRAMES_PER_SOCKET && client.closeCode === null; sent += 1) {
      this.frames += 1;
      ids.push(...this.send(client, path, account, sent));
      await delay(1);
    }
    await this.end(client, path, ids);
    this.judge(client, path, account, world, charges);
  }

  private async refused(path: string, world: FuzzWorld): Promise<void> {
    const { random } = this;
    const tokens = [
      '',
      'x',
      random.pick(world.revokedKeys),
      world.disabled.key,
      world.disabled.token,
      '%00',
      'a'.repeat(5_000),
    ];
    this.frames += 1;
    const outcome = await SocketClient.refusal(`${this.url}/api/ws/${path}?token=${random.pick(tokens)}`, {
      headers: { 'x-forwarded-for': `10.9.${random.between(0, 255)}.${random.between(0, 255)}` },
    }).catch((error: unknown) => String(error));
    const status = typeof outcome === 'string' ? outcome : outcome.status;
    this.tally.count(`upgrade ${status}`);
    if (![400, 401, 429].includes(Number(status))) {
      this.tally.fault(`upgrade of ${path}: ${status}`, JSON.stringify(outcome));
    }
  }

  /** @returns the ids of calls that may begin by it */
  private send(
    client: SocketClient,
    path: (typeof PATHS)[number],
    account: FuzzAccount,
    sent: number,
  ): string[] {
    const { random } = this;
    const { webSocket } = client;
    const chance = sent === 0 ? 0.5 : random.next();
    const ignore = () => undefined;
    if (chance < 0.004) {
      (webSocket as unknown as { _socket?: NodeJS.WritableStream })._socket?.write(random.pick(BAD_BYTES));
      BROKEN.add(client);
      return [];
    }
    if (chance < 0.01) {
      webSocket.send(Buffer.from([0, 1, 2, 0xff]), { binary: true }, ignore);
      return [];
    }
    if (chance < 0.012) {
      webSocket.send(`"${'x'.repeat(random.pick([65_534, 65_535, 200_000]))}"`, ignore);
      return [];
    }
    if (chance < 0.06) {
      webSocket.ping(Buffer.alloc(random.between(0, 125)), true, ignore);
      return [];
    }
    if (chance < 0.064) {
      webSocket.terminate();
      return [];
    }
    const id = `f${(this.made += 1)}`;
    const message = this.message(path, id, account, sent === 0);
    const text = chance < 0.65 ? JSON.stringify(message) : mutatedJson(message, random).toString();
    if (chance > 0.95) {
      const middle = random.between(0, text.length);
      webSocket.send(text.slice(0, middle), { fin: false }, ignore);
      webSocket.ping('', true, ignore);
      webSocket.send(text.slice(middle), { fin: true }, ignore);
    } else {
      webSocket.send(text, ignore);
    }
    const isCall = chance < 0.65 && at(message, 'action') === 'generate';
    return isCall && !BROKEN.has(client) ? [id] : [];
  }

  private message(path: (typeof PATHS)[number], id: string, account: FuzzAccount, isFirst: boolean): Json {
    const { random } = this;
    const onPath = MESSAGES.filter(
      (one) => ['generate', 'cancel'].includes(textAt(one, 'action')) === (path === 'stream'),
    );
    const first = MESSAGES.find((one) => at(one, 'action') === (path === 'stream' ? 'generate' : 'join'));
    const example = isFirst && first ? first : random.pick(random.next() < 0.97 ? onPath : MESSAGES);
    if (!isObject(example)) {
      return example;
    }
    const { idempotency_key: key, ...rest } = example;
    const isKeyed = key !== undefined && random.next() < 0.2;
    const own: JsonObject = {
      ...rest,
      id,
      ...(isKeyed ? { idempotency_key: `key-${random.between(1, 20)}` } : {}),
    };
    if (own.action === 'generate') {
      const { id: operation, bodies } = random.pick(STREAMED);
      const body = random.pick(bodies);
      const payload = isObject(body) ? { ...body } : {};
      if ('model' in payload) {
        payload.model = random.pick(this.models);
      }
      return { ...own, operation, payload };
    }
    if (own.action === 'cancel') {
      return { ...own, id: `f${Math.max(1, this.made - random.between(0, 6))}` };
    }
    const marked = { text: account.mark, title: `${account.mark} ${random.between(1, 9)}` };
    return 'room' in own
      ? { ...own, room: random.pick(ROOMS), data: random.next() < 0.7 ? marked : (own.data ?? {}) }
      : own;
  }

  /** Waits until every call that began has ended, and closes the socket; or leaves it in the middle. */
  private async end(client: SocketClient, path: string, ids: readonly string[]): Promise<void> {
    if (client.closeCode === null && this.random.next() < 0.85) {
      const isOver = (id: string) =>
        client.answers.some((answer) => answer.id === id && ['done', 'error'].includes(answer.type));
      const waiting = () => ids.filter((id) => !isOver(id));
      await until(
        'calls of a socket end',
        () => client.closeCode !== null || waiting().length === 0,
        ENDS_WITHIN_MS,
      ).catch(() => this.tally.fault(`${path}: a message is not answered`, waiting().join(', ')));
      client.webSocket.close();
      if (BROKEN.has(client)) {
        // Its own close may be taken for the rest of a frame.
        await Promise.race([client.closed(), delay(BROKEN_CLOSES_WITHIN_MS)]).catch(() => undefined);
        client.webSocket.terminate();
      }
    } else {
      client.webSocket.terminate();
    }
    await client.closed().catch(() => this.tally.fault(`${path}: the socket does not close`, ''));
  }

  private judge(
    client: SocketClient,
    path: string,
    account: FuzzAccount,
    world: FuzzWorld,
    charges: SeenCharges,
  ): void {
    client.faults.forEach((fault) => this.tally.fault(`${path}: ${fault}`, ''));
    if (!CLOSE_CODES.includes(client.closeCode ?? 0)) {
      this.tally.fault(`${path} closed with ${client.closeCode}`, '');
    }
    this.tally.count(`close ${client.closeCode}`);
    const text = JSON.stringify(client.answers);
    world
      .secretsBeyond(new Set([account.id]))
      .filter((secret) => text.includes(secret))
      .forEach((secret) => this.tally.fault(`${path}: of another account`, secret));
    client.answers.forEach((answer) => this.note(answer, path, charges));
    // Also what was nearly a call may be one.
    const known = client.answers.filter(({ type }) => ['start', 'done', 'error'].includes(type));
    charges.leftUntold(
      account.id,
      path === 'stream' ? Math.max(0, FRAMES_PER_SOCKET - new Set(known.map(({ id }) => id)).size) : 0,
    );
  }

  private note(answer: SocketAnswer, path: string, charges: SeenCharges): void {
    const { type, status, request_id: requestId, cost } = answer;
    this.tally.count(type === 'error' ? `socket error ${String(status)}` : `socket ${type}`);
    if (type === 'error' && Number(status) >= 500 && !KNOWN_FAILURES.includes(Number(status))) {
      this.tally.fault(`${path}: ${String(status)}`, JSON.stringify(answer).slice(0, 500));
    }
    if (typeof requestId === 'string' && type === 'start') {
      charges.left(requestId);
    }
    if (typeof requestId === 'string' && (type === 'done' || (type === 'error' && cost !== undefined))) {
      charges.answered(requestId, `socket ${path}`, 200, parseUsd(Number(cost).toFixed(9)));
    }
  }
}
