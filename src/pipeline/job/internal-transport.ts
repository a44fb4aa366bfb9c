import type { AnswerStream, CallTransport, Principal, UnvalidatedInput } from '../call-transport';

export interface InternalCall {
  requestId: string;
  clientRequestId: string | null;
  principal: Principal;
  input: UnvalidatedInput;
  idempotencyKey: string | null;
  /** Aborts when nobody waits for the answer any more; null where somebody always waits. */
  signal: AbortSignal | null;
  /** Where the events of a streamed answer go; null where none is asked for. */
  stream: AnswerStream | null;
  serialize(answer: unknown): string;
}

/**
 * The transport of a call that a part of the service makes in the name of an account, and whose answer that part reads.
 */
export class InternalTransport implements CallTransport {
  readonly address = '';
  /** Their names are in lower case. */
  readonly headers: Record<string, string | number> = {};
  private readonly watches = new Set<() => void>();

  constructor(private readonly call: InternalCall) {}

  get requestId(): string {
    return this.call.requestId;
  }

  get clientRequestId(): string | null {
    return this.call.clientRequestId;
  }

  get caller(): Principal {
    return this.call.principal;
  }

  get idempotencyKey(): string | null {
    return this.call.idempotencyKey;
  }

  /** Only streams leave as they are; other answers are kept by whoever made the call. */
  get isReadOutside(): boolean {
    return this.call.stream !== null;
  }

  get input(): UnvalidatedInput {
    return this.call.input;
  }

  /** The input came as a whole. */
  readBody(): void {}

  /** Whoever makes the call holds its input. */
  leaveBody(): void {}

  get isGone(): boolean {
    return this.call.signal?.aborted ?? false;
  }

  onGone(gone: () => void): () => void {
    const { signal } = this.call;
    const stop = () => {
      signal?.removeEventListener('abort', gone);
      this.watches.delete(stop);
    };
    signal?.addEventListener('abort', gone, { once: true });
    this.watches.add(stop);
    return stop;
  }

  /** Ends every watch: a signal may serve many calls, and would hold the listeners of them all. */
  close(): void {
    this.watches.forEach((stop) => stop());
  }

  setHeaders(headers: Readonly<Record<string, string | number>>): void {
    for (const [name, value] of Object.entries(headers)) {
      this.headers[name.toLowerCase()] = value;
    }
  }

  serialize(answer: unknown): string {
    return this.call.serialize(answer);
  }

  openStream(gone: () => void): AnswerStream {
    const { stream } = this.call;
    if (stream === null) {
      throw new Error('a streamed answer has no stream to go to');
    }
    this.onGone(gone);
    if (this.isGone) {
      gone();
    }
    return stream;
  }
}
