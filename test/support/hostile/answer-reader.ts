export interface RawAnswer {
  status: number;
  /** Its first bytes, as text. */
  body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const BODY_KEPT_BYTES_MAX = 2_000;

/** Takes the bytes of one connection apart into its answers, which come in the order of the requests. */
export class AnswerReader {
  private rest: Buffer = Buffer.alloc(0);
  private head: { status: number; bodyBytes: number | 'chunked' } | null = null;

  /** @param methods those of the requests, because an answer to HEAD has no body */
  constructor(private readonly methods: string[]) {}

  /** @returns the answers that these bytes complete */
  push(bytes: Buffer): RawAnswer[] {
    this.rest = Buffer.concat([this.rest, bytes]);
    const answers: RawAnswer[] = [];
    for (let answer = this.next(); answer; answer = this.next()) {
      answers.push(answer);
    }
    return answers;
  }

  private next(): RawAnswer | null {
    this.head ??= this.readHead();
    if (!this.head) {
      return null;
    }
    const { status, bodyBytes } = this.head;
    const body = bodyBytes === 'chunked' ? this.takeChunks() : this.take(bodyBytes);
    if (!body) {
      return null;
    }
    this.head = null;
    return { status, body: body.subarray(0, BODY_KEPT_BYTES_MAX).toString() };
  }

  private readHead(): AnswerReader['head'] {
    const end = this.rest.indexOf(HEAD_END);
    if (end < 0) {
      return null;
    }
    const text = this.rest.subarray(0, end).toString('latin1');
    this.rest = this.rest.subarray(end + HEAD_END.length);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1]);
    if (status === 100) {
      return this.readHead();
    }
    const hasNoBody = this.methods.shift() === 'HEAD' || status === 204 || status === 304;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(text);
    return { status, bodyBytes: hasNoBody ? 0 : isChunked ? 'chunked' : length };
  }

  private take(length: number): Buffer | null {
    if (this.rest.length < length) {
      return null;
    }
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return taken;
  }

  private takeChunks(): Buffer | null {
    const chunks: Buffer[] = [];
    let at = 0;
    for (;;) {
      const lineEnd = this.rest.indexOf('\r\n', at);
      const length = lineEnd < 0 ? NaN : parseInt(this.rest.subarray(at, lineEnd).toString('latin1'), 16);
      const end = lineEnd + 2 + length + 2;
      if (!(end <= this.rest.length)) {
        return null;
      }
      chunks.push(this.rest.subarray(lineEnd + 2, end - 2));
      at = end;
      if (length === 0) {
        this.rest = this.rest.subarray(at);
        return Buffer.concat(chunks);
      }
    }
  }
}
