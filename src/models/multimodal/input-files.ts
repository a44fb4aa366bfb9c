import { Injectable } from '@nestjs/common';
import { ServiceUnavailable, Unprocessable } from '../../errors/api-errors';
import { withRefusals } from '../../files/file-errors';
import { NOTHING_READ } from '../../files/file-jobs';
import { FILE_KINDS, type FileKind, SNIFFED_BYTES_MAX, sniffFileKind } from '../../files/sniff-file-kind';
import { FileReaders } from '../../files/file-readers';
import { OutboundFault } from '../../http/outbound/outbound-connection';
import { InputHttp, type OutboundHttp } from '../../http/outbound/outbound-http';
import type { Input, InputType, ReadInput, ReceivedInput } from './inputs';

const WAITING_MAX = 64;
const RETRY_AFTER_SECONDS = 5;

export class ByteRoom {
  private readonly line: { bytes: number; enter: () => void }[] = [];
  private left: number;

  constructor(private readonly bytesMax: number) {
    this.left = bytesMax;
  }

  get isEmpty(): boolean {
    return this.left === this.bytesMax && this.line.length === 0;
  }

  /** `work` may call `holdOnly` once with the bytes it really holds. @throws ServiceUnavailable, the signal's reason */
  async within<Result>(
    bytes: number,
    signal: AbortSignal,
    work: (holdOnly: (bytes: number) => void) => Promise<Result>,
  ): Promise<Result> {
    let held = bytes;
    await this.enter(bytes, signal);
    try {
      return await work((less) => {
        this.leave(Math.max(0, held - less));
        held = Math.min(held, less);
      });
    } finally {
      this.leave(held);
    }
  }

  private async enter(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.line.length === 0 && bytes <= this.left) {
      this.left -= bytes;
      return;
    }
    if (this.line.length >= WAITING_MAX) {
      throw new ServiceUnavailable('Too many files are being worked on; call again.', RETRY_AFTER_SECONDS);
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.line.splice(this.line.indexOf(place), 1);
        reject(signal.reason as Error);
        this.admit();
      };
      const place = {
        bytes,
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.line.push(place);
    });
  }

  private leave(bytes: number): void {
    this.left += bytes;
    this.admit();
  }

  /** In the order of arrival, so that a large request is not passed over for ever. */
  private admit(): void {
    for (let next = this.line[0]; next !== undefined && next.bytes <= this.left; next = this.line[0]) {
      this.line.shift();
      this.left -= next.bytes;
      next.enter();
    }
  }
}

const FETCHED_BYTES_MAX = 10 * 1024 * 1024;
const FETCH_MS_MAX = 5_000;
/** For all addresses of a call: fetching takes room from others and is not charged. */
const CALL_FETCHES_MS_MAX = 10_000;
const FETCH_HEADERS = { accept: '*/*', 'user-agent': 'credit-metered-ai-api' };

class CallFetches {
  private readonly endsAt = performance.now() + CALL_FETCHES_MS_MAX;

  constructor(
    private readonly outbound: OutboundHttp,
    private readonly signal: AbortSignal,
  ) {}

  async fetched(url: string, name: string, bytesMax: number): Promise<Buffer> {
    const answerBytesMax = Math.min(bytesMax, FETCHED_BYTES_MAX);
    const { status, body, isCut } = await this.answer(url, `${name}.url`, answerBytesMax);
    if (status !== 200) {
      const hint = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
      throw new Unprocessable(`${name}.url: the address answered ${status}.${hint}`);
    }
    if (isCut) {
      throw new Unprocessable(`${name}.url: the address sends more than ${answerBytesMax} bytes.`);
    }
    return body;
  }

  private async answer(url: string, name: string, answerBytesMax: number) {
    const leftMs = Math.ceil(this.endsAt - performance.now());
    if (leftMs <= 0) {
      throw timeOver(name);
    }
    const timeoutMs = Math.min(leftMs, FETCH_MS_MAX);
    const { signal } = this;
    try {
      return await this.outbound.get({ url, headers: FETCH_HEADERS, timeoutMs, answerBytesMax, signal });
    } catch (error) {
      if (!(error instanceof OutboundFault)) {
        throw error;
      }
      const isOfCall = error.reason === 'timeout' && timeoutMs < FETCH_MS_MAX;
      throw isOfCall ? timeOver(name) : new Unprocessable(`${name}: ${error.message}`);
    }
  }
}

function timeOver(name: string): Unprocessable {
  const seconds = CALL_FETCHES_MS_MAX / 1_000;
  return new Unprocessable(
    `${name}: the addresses of a call have ${seconds} seconds together, which were over.`,
  );
}

const CALL_BYTES_MAX = 24 * 1024 * 1024;
const ALL_BYTES_MAX = 96 * 1024 * 1024;
/** Leaves room for other accounts beside one with slow addresses; its further calls wait in a line of their own. */
const ACCOUNT_BYTES_MAX = CALL_BYTES_MAX;
/** Of base64, whose groups of four characters are three bytes each. */
const SNIFFED_CHARACTERS = Math.floor(SNIFFED_BYTES_MAX / 3) * 4;

const TEXT_KINDS = { plain: 'txt', markdown: 'md', html: 'html' } as const;
const FITTING: Record<Input['type'], readonly InputType[]> = {
  text: ['text'],
  image: ['image'],
  document: ['document', 'text'],
  url: ['text', 'image', 'document'],
};

interface ReceivingInput {
  readonly accountId: string;
  readonly index: number;
  readonly name: string;
  readonly left: number;
  readonly fetches: CallFetches;
}

@Injectable()
export class InputFiles {
  private readonly room = new ByteRoom(ALL_BYTES_MAX);
  private readonly roomsOfAccounts = new Map<string, ByteRoom>();

  constructor(
    private readonly outbound: InputHttp,
    private readonly readers: FileReaders,
  ) {}

  /** The inputs must have been judged. @throws Unprocessable, ServiceUnavailable, the signal's reason */
  async receive<Result>(
    inputs: readonly Input[],
    names: readonly string[],
    { account, signal }: { readonly account: { readonly id: string }; readonly signal: AbortSignal },
    work: (received: ReceivedInput[]) => Promise<Result>,
  ): Promise<Result> {
    const bytes = inputs.reduce((sum, input) => sum + bytesMaxOf(input), 0);
    return this.withRoom(account.id, Math.min(bytes, CALL_BYTES_MAX), signal, async (holdOnly) => {
      const received: ReceivedInput[] = [];
      const fetches = new CallFetches(this.outbound, signal);
      let left = CALL_BYTES_MAX;
      for (const [index, input] of inputs.entries()) {
        const place = { accountId: account.id, index, name: names[index] ?? '' };
        const one = await this.received(input, { ...place, left, fetches });
        left -= one.bytes.length;
        received.push(one);
      }
      holdOnly(CALL_BYTES_MAX - left);
      return work(received);
    });
  }

  /** Texts are held with the request anyway, so a call of only texts never waits. */
  private async withRoom<Result>(
    accountId: string,
    bytes: number,
    signal: AbortSignal,
    work: (holdOnly: (bytes: number) => void) => Promise<Result>,
  ): Promise<Result> {
    if (bytes === 0) {
      return work(() => undefined);
    }
    const ofAccount = this.roomsOfAccounts.get(accountId) ?? new ByteRoom(ACCOUNT_BYTES_MAX);
    this.roomsOfAccounts.set(accountId, ofAccount);
    try {
      return await ofAccount.within(bytes, signal, (accountHolds) =>
        this.room.within(bytes, signal, (allHold) =>
          work((held) => {
            accountHolds(held);
            allHold(held);
          }),
        ),
      );
    } finally {
      if (ofAccount.isEmpty) {
        this.roomsOfAccounts.delete(accountId);
      }
    }
  }

  /** A picture has no text. @throws what FileReaders.read means for a caller */
  async read(input: ReceivedInput, signal: AbortSignal): Promise<ReadInput> {
    if (input.type === 'image') {
      return { ...input, file: null };
    }
    const { accountId, name, kind, bytes } = input;
    const isPlain = input.isCounted && kind === 'txt';
    const file = isPlain
      ? { ...NOTHING_READ, text: bytes.toString('utf8') }
      : await withRefusals(() => this.readers.read(kind, bytes, { accountId, signal }), name);
    return { ...input, file };
  }

  private async received(
    input: Input,
    { accountId, index, name, left, fetches }: ReceivingInput,
  ): Promise<ReceivedInput> {
    if (input.type === 'text' && input.content !== undefined) {
      const kind = TEXT_KINDS[input.format ?? 'plain'];
      const bytes = Buffer.from(input.content, 'utf8');
      return { accountId, index, name, type: 'text', kind, bytes, isCounted: true };
    }
    const bytes =
      input.url === undefined
        ? decoded(input.content ?? '', name)
        : await fetches.fetched(input.url, name, left);
    if (bytes.length > left) {
      throw new Unprocessable(`${name}: the inputs have more than ${CALL_BYTES_MAX} bytes together.`);
    }
    const head = bytes.subarray(0, SNIFFED_BYTES_MAX);
    const kind = await withRefusals(() => sniffFileKind(head, bytes.length, null), name);
    return { accountId, index, name, type: typeOf(input, kind, name), kind, bytes, isCounted: false };
  }
}

/** By their first bytes. @throws Unprocessable for the first that is not a picture */
export async function judgePictures(inputs: readonly Input[], names: readonly string[]): Promise<void> {
  for (const [index, input] of inputs.entries()) {
    if (input.type === 'image' && input.content !== undefined) {
      const head = Buffer.from(input.content.slice(0, SNIFFED_CHARACTERS), 'base64');
      const name = names[index] ?? '';
      const kind = await withRefusals(() => sniffFileKind(head, bytesMaxOf(input), null), name);
      typeOf(input, kind, name);
    }
  }
}

function bytesMaxOf({ type, content, url }: Input): number {
  if (type === 'text' && url === undefined) {
    return 0;
  }
  return url === undefined ? Math.ceil(((content ?? '').length * 3) / 4) : FETCHED_BYTES_MAX;
}

/** Encoded again and compared, because Node skips characters that are not base64. */
function decoded(content: string, name: string): Buffer {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== content) {
    throw new Unprocessable(`${name}.content: is no base64 (RFC 4648, section 4).`);
  }
  return bytes;
}

function typeOf(input: Input, kind: FileKind, name: string): InputType {
  const { family, mediaType } = FILE_KINDS[kind];
  if (!FITTING[input.type].includes(family)) {
    throw new Unprocessable(`${name}: an input of type ${input.type} can't be ${mediaType}.`);
  }
  return input.type === 'document' ? 'document' : family;
}
