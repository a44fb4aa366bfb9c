import { UseFilters } from '@nestjs/common';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import type { StreamGenerate } from '../../../generated/types';
import { readMessage } from '../../contract/request-validator';
import { ApiError, ClientGone, Conflict, NotFound, Unprocessable } from '../../errors/api-errors';
import { nanoToUsd, type TokenUse, usageFields } from '../../ledger/money';
import { EventCutter, type ServerSentEvent } from '../../models/sse';
import type { FinalUsage } from '../../models/streamed-answer';
import { newId } from '../../runtime/ids';
import type { AnswerStream } from '../call-transport';
import { type InternalAnswer, MeteredCalls, ServedOperations } from '../metered-calls';
import type { OpenSocket } from './open-sockets';
import { SocketErrors } from './socket.adapter';

/** One message for each event. Comments and the end mark are left out: `done` replaces them. */
class SocketStream implements AnswerStream {
  readonly takesBody = true;
  private readonly events = new EventCutter();
  private readonly last: string[] = [];

  constructor(
    private readonly socket: OpenSocket,
    private readonly id: string,
    private readonly leaving: AbortSignal,
  ) {}

  get isGone(): boolean {
    return this.leaving.aborted || !this.socket.isOpen;
  }

  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    for (const text of this.deltas(this.events.cut(bytes))) {
      await this.socket.sendInTime(text, signal);
    }
  }

  /** An answer that broke off sends its error instead of these. */
  end(bytes: Uint8Array): void {
    this.last.push(...this.deltas(this.events.cut(bytes)), ...this.deltas(this.events.rest()));
  }

  destroy(): void {
    this.last.splice(0);
  }

  complete(): void {
    this.last.splice(0).forEach((text) => this.socket.send(text));
  }

  private *deltas(events: Iterable<ServerSentEvent>): Generator<string> {
    for (const { type, data, content } of events) {
      if (content.kind === 'chunk' || content.kind === 'error') {
        const event = type === '' ? '' : `"event":${JSON.stringify(type)},`;
        yield `{"type":"delta","id":${JSON.stringify(this.id)},${event}"data":${data}}`;
      }
    }
  }
}

const CALLS_PER_SOCKET_MAX = 8;

interface StreamCall {
  readonly message: StreamGenerate;
  readonly requestId: string;
  readonly leaving: AbortController;
  readonly stream: SocketStream;
  charge: { numbers: FinalUsage; use: TokenUse | null } | null;
}

/** As over HTTP, who cancels a call or closes the socket pays for what was delivered. */
@UseFilters(SocketErrors)
@WebSocketGateway({ path: '/api/ws/stream' })
export class StreamGateway {
  private readonly ofSockets = new WeakMap<OpenSocket, Map<string, StreamCall>>();

  constructor(
    private readonly calls: MeteredCalls,
    private readonly operations: ServedOperations,
    private readonly errors: SocketErrors,
  ) {}

  @SubscribeMessage('generate')
  generate(socket: OpenSocket, given: unknown): void {
    const message = readMessage('StreamGenerate', given, true);
    const running = this.runningOf(socket);
    if (running.has(message.id)) {
      throw new Conflict('A call with this id is under way on this socket.');
    }
    if (running.size >= CALLS_PER_SOCKET_MAX) {
      const message = `A socket may have ${CALLS_PER_SOCKET_MAX} calls under way.`;
      throw new ApiError(429, 'Too many calls', message, { fields: { retry_after: 1 } });
    }
    this.refuseUnstreamed(message.operation);
    const leaving = new AbortController();
    const stream = new SocketStream(socket, message.id, leaving.signal);
    const call: StreamCall = { message, requestId: newId(), leaving, stream, charge: null };
    running.set(message.id, call);
    const end = socket.begin(() => leaving.abort());
    void this.run(socket, call).finally(() => {
      running.delete(message.id);
      end();
    });
  }

  @SubscribeMessage('cancel')
  cancel(socket: OpenSocket, given: unknown): void {
    const { id } = readMessage('StreamCancel', given);
    const call = this.runningOf(socket).get(id);
    if (!call) {
      throw new NotFound('call under way');
    }
    call.leaving.abort();
  }

  private runningOf(socket: OpenSocket): Map<string, StreamCall> {
    const running = this.ofSockets.get(socket) ?? new Map<string, StreamCall>();
    this.ofSockets.set(socket, running);
    return running;
  }

  private refuseUnstreamed(operation: string): void {
    const policy = this.operations.policyOf(operation);
    if (!policy) {
      throw new NotFound(`operation: ${operation}`);
    }
    if (!policy.streams) {
      throw new Unprocessable(`${operation} does not stream its answer; call it over HTTP.`);
    }
  }

  private async run(socket: OpenSocket, call: StreamCall): Promise<void> {
    const { message, requestId, leaving, stream } = call;
    try {
      const answer = await this.calls.run(
        message.operation,
        socket.holder.principal,
        { body: { ...message.payload, stream: true } },
        {
          requestId,
          ...(message.idempotency_key !== undefined && { idempotencyKey: message.idempotency_key }),
          signal: leaving.signal,
          stream,
          reached: (stage) => {
            if (stage === 'answered') {
              socket.send(JSON.stringify({ type: 'start', id: message.id, request_id: requestId }));
            }
          },
          charged: (numbers, use) => {
            call.charge = { numbers, use };
          },
        },
      );
      if (answer.brokenOff && !isLeft(call, answer.brokenOff)) {
        this.fail(socket, call, answer.brokenOff);
        return;
      }
      if (!answer.brokenOff) {
        stream.complete();
      }
      socket.send(doneText(call, answer));
    } catch (error) {
      if (isLeft(call, error)) {
        socket.send(doneText(call, null));
      } else {
        this.fail(socket, call, error);
      }
    }
  }

  private fail(socket: OpenSocket, { message, requestId, charge }: StreamCall, error: unknown): void {
    this.errors.send(socket, message, error, {
      requestId,
      ...(charge && { fields: costOf(charge.numbers) }),
    });
  }
}

function isLeft({ leaving }: StreamCall, error: unknown): boolean {
  return leaving.signal.aborted && error instanceof ClientGone;
}

function doneText({ message, requestId, charge }: StreamCall, answer: InternalAnswer | null): string {
  const { headers = {}, body = null, brokenOff = null } = answer ?? {};
  return JSON.stringify({
    type: 'done',
    id: message.id,
    request_id: requestId,
    cancelled: answer === null || brokenOff !== null,
    replayed: headers['idempotent-replayed'] === 'true',
    ...(body !== null && { result: JSON.parse(body) as unknown }),
    model: headers['x-model-used'] ?? null,
    usage: charge?.use ? usageFields(charge.use) : null,
    cost: 0,
    balance: null,
    ...(charge ? costOf(charge.numbers) : replayedCost(headers)),
  });
}

function costOf({ chargedNanoUsd, balanceNanoUsd }: FinalUsage): object {
  return { cost: nanoToUsd(chargedNanoUsd), balance: nanoToUsd(balanceNanoUsd) };
}

function replayedCost(headers: InternalAnswer['headers']): object {
  const balance = headers['x-balance-remaining'];
  return balance === undefined ? {} : { balance: Number(balance) };
}
