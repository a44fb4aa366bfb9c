import { Agent, request as httpRequest } from 'node:http';
import { parseUsd } from '../../../src/ledger/money';
import { at, type Json } from '../../../scripts/generate/json';
import type { SeededRandom } from '../seeded-random';
import { FuzzAnswers, isStarved, operationOf, parsed, textAt, type FuzzAnswer } from './fuzz-answers';
import type { SeenCharges } from './fuzz-charges';
import type { FuzzRequest, FuzzRequests } from './fuzz-requests';
import type { FuzzTally } from './fuzz-tally';
import type { FuzzWorld } from './fuzz-world';

/** A service that takes longer hangs. */
const ANSWER_MS_MAX = 30_000;
const AT_ONCE = 16;
/** Answers that only say that there was not enough time. */
export const OUT_OF_TIME = 'out of time';
/** A refusal leaves more of a body than this unread and ends the connection, so that who is slow to read may miss it. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** More than any batch of the document's examples has. */
const BATCH_PARTS_MAX = 4;
/** Which parameter of paths the ids in an operation's answer fill. */
const MADE: Record<string, string> = {
  createKey: 'key_id',
  listKeys: 'key_id',
  createMemory: 'memory_id',
  createAgent: 'agent_id',
  submitTask: 'task_id',
  generateStory: 'story_id',
  uploadDocument: 'doc_id',
  createWebhook: 'webhook_id',
  testWebhook: 'delivery_id',
  listDeliveries: 'delivery_id',
  createPayment: 'payment_id',
  createUpgradeRequest: 'upgrade_request_id',
  listTransactions: 'id',
  indexRagDocument: 'document_id',
  indexSearchItems: 'item_id',
};
/** In this order, because a delivery needs a webhook. */
const MAKING = Object.keys(MADE).filter((operationId) => !operationId.startsWith('list'));

/** Sends the requests of a slice and judges their answers. */
export class FuzzCalls {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  private readonly answers: FuzzAnswers;

  constructor(
    private readonly url: string,
    private readonly requests: FuzzRequests,
    private readonly random: SeededRandom,
    private readonly tally: FuzzTally,
    hasUpstreams: boolean,
  ) {
    this.answers = new FuzzAnswers(hasUpstreams);
  }

  /** Lets the accounts of a world make what there is to look at, then sends so many requests, some at once. */
  async run(world: FuzzWorld, charges: SeenCharges, count: number): Promise<void> {
    for (const operationId of MAKING) {
      for (const owner of world.owners) {
        await this.make(this.requests.valid(world, operationId, owner), world, charges);
      }
    }
    let left = count - MAKING.length * world.owners.length;
    const worker = async () => {
      for (; left > 0;) {
        left -= 1;
        await this.make(this.requests.next(world), world, charges);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  close(): void {
    this.agent.destroy();
  }

  private async make(request: FuzzRequest, world: FuzzWorld, charges: SeenCharges): Promise<void> {
    const operationId = operationOf(request.method, request.path)?.policy.operationId ?? '(no operation)';
    const answer = await this.send(request, operationId);
    if (answer === null) {
      this.left(request, operationId, charges);
      return;
    }
    const name = `${request.method} ${request.path.slice(0, 120)}`;
    this.tally.answered(operationId, answer.status, answer.tookMs, name);
    if (answer.status >= 500 && isStarved(answer.text)) {
      this.tally.count(OUT_OF_TIME);
    }
    for (const fault of this.answers.faultsOf(request, answer, world)) {
      const kind = `${operationId} ${answer.status}: ${fault.replace(/\n.*$/s, '').slice(0, 200)}`;
      this.tally.fault(kind, told(request, answer));
    }
    if (answer.isComplete) {
      const parts = partsOf(operationId, answer);
      parts.forEach(([id, nano]) => charges.answered(id, 'part of a batch', 200, nano));
      // A batch says what its parts cost, and costs nothing itself; a replayed one says that its parts cost nothing more.
      const cost = costOf(answer);
      const isReplay = cost === 0n && parts.length > 0;
      const ofParts = parts.reduce((sum, [, nano]) => sum + nano, 0n);
      const own = cost === null || isReplay ? cost : cost - ofParts;
      charges.answered(answer.headers['x-request-id'] ?? '', operationId, answer.status, own);
    } else {
      this.left(request, operationId, charges);
    }
    this.keep(request, operationId, answer, world);
  }

  /** Null where its client went away or the connection ended before any answer. */
  private send(request: FuzzRequest, operationId: string): Promise<FuzzAnswer | null> {
    const { method, path, headers, body, leavesAfterMs } = request;
    const startedMs = performance.now();
    return new Promise((resolve) => {
      // Node announces the bodies of some methods only: those of others would be read as the next request.
      const length = body === null ? {} : { 'content-length': body.length };
      const options = { method, headers: { ...length, ...headers }, agent: this.agent };
      const sent = httpRequest(this.url + path, options, (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part)).on('error', () => undefined);
        incoming.on('close', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers as Record<string, string>,
            text: Buffer.concat(parts).toString(),
            isComplete: incoming.complete,
            tookMs: performance.now() - startedMs,
          }),
        );
      });
      sent.setTimeout(ANSWER_MS_MAX, () => {
        this.tally.fault(`${operationId} hangs`, `${method} ${path} ${body?.toString().slice(0, 500)}`);
        sent.destroy();
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (leavesAfterMs === null && (body?.length ?? 0) <= UNREAD_BYTES_MAX) {
          this.tally.fault(`${operationId} no answer: ${error.code}`, told(request, null));
        }
        this.tally.count('none');
        this.tally.requests += 1;
        resolve(null);
      });
      sent.end(body ?? undefined);
      if (leavesAfterMs !== null) {
        setTimeout(() => sent.destroy(), leavesAfterMs);
      }
    });
  }

  /** Parts of a batch have request ids of their own, which only its answer tells. */
  private left({ callers, headers }: FuzzRequest, operationId: string, charges: SeenCharges): void {
    charges.left(headers['x-request-id'] ?? '');
    if (operationId === 'runOmmBatch') {
      callers.forEach(({ id }) => charges.leftUntold(id, BATCH_PARTS_MAX));
    }
  }

  private keep({ callers }: FuzzRequest, operationId: string, answer: FuzzAnswer, world: FuzzWorld): void {
    const [owner, other] = callers;
    if (!owner || other || answer.status >= 300) {
      return;
    }
    if (this.random.next() < 0.1) {
      world.keep('request_id', owner.id, answer.headers['x-request-id'] ?? '');
    }
    const parameter = MADE[operationId];
    if (parameter !== undefined) {
      idsIn(parsed(answer.text)).forEach((id) => world.keep(parameter, owner.id, id));
    }
  }
}

/** The ids of what an answer is about, itself or a list of it. */
function idsIn(body: unknown): string[] {
  const made = at(body, 'data') ?? body;
  const lists = Array.isArray(made) ? [made] : Object.values(made ?? {}).filter(Array.isArray);
  const items = [made, ...lists.flat().slice(0, 5)];
  return items.flatMap((item) => at(item, 'id') ?? at(item, 'document_id') ?? []).map(String);
}

/** What a batch says that its parts cost, by their request ids. */
function partsOf(operationId: string, { status, text }: FuzzAnswer): [string, bigint][] {
  const results = operationId === 'runOmmBatch' && status === 200 ? at(parsed(text), 'data', 'results') : [];
  return ((results ?? []) as Json[]).map((part) => [
    textAt(part, 'request_id'),
    parseUsd(Number(at(part, 'cost')).toFixed(9)),
  ]);
}

/** What an answer says that it cost; null where it does not say. */
function costOf({ headers, text }: FuzzAnswer): bigint | null {
  if (headers['idempotent-replayed'] === 'true') {
    return 0n;
  }
  const cost = headers['x-request-cost'] ?? /^: cost=([\d.]+) /m.exec(text)?.[1];
  return cost === undefined ? null : parseUsd(cost);
}

function told({ method, path, headers, body }: FuzzRequest, answer: FuzzAnswer | null): string {
  const shown = Object.entries(headers).filter(([name]) => name !== 'x-forwarded-for');
  const sent = `${method} ${path.slice(0, 200)} ${JSON.stringify(Object.fromEntries(shown)).slice(0, 300)}`;
  return `${sent}\n  ${body?.toString().slice(0, 250) ?? ''}\n  → ${answer?.status} ${answer?.text.slice(0, 300) ?? ''}`;
}
