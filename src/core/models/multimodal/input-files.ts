import { Injectable } from '@nestjs/common';
import { FILE_KINDS, type FileKind } from '../../../infrastructure/files/file-kinds';
import { FileReaders } from '../../../infrastructure/files/file-readers';
import type { ReadFile } from '../../../infrastructure/files/read-file';
import { SNIFFED_BYTES_MAX, sniffFileKind } from '../../../infrastructure/files/sniff-file-kind';
import { OutboundFault } from '../../../infrastructure/outbound-http/outbound-fault';
import { OutboundHttp } from '../../../infrastructure/outbound-http/outbound-http';
import { Unprocessable } from '../../errors/request-errors';
import { ByteRoom } from './byte-room';
import type { Input, InputType, ReadInput, ReceivedInput } from './input';
import { withNamedRefusals } from './named-refusals';

const FETCHED_BYTES_MAX = 10 * 1024 * 1024;
/** Of all inputs of a call together. */
const CALL_BYTES_MAX = 24 * 1024 * 1024;
/** Of all calls together: their files are held here while they are worked on. */
const ALL_BYTES_MAX = 96 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 5_000;
const FETCH_HEADERS = { accept: '*/*', 'user-agent': 'credit-metered-ai-api' };

const TEXT_KINDS = { plain: 'txt', markdown: 'md', html: 'html' } as const;
const FITTING: Record<Input['type'], readonly InputType[]> = {
  text: ['text'],
  image: ['image'],
  document: ['document', 'text'],
  url: ['text', 'image', 'document'],
};

/**
 * Fetches, decodes and reads the inputs of calls, one after the other, within bounds for each, for the inputs of a call
 * together and for all calls together.
 */
@Injectable()
export class InputFiles {
  private readonly room = new ByteRoom(ALL_BYTES_MAX);

  constructor(
    private readonly outbound: OutboundHttp,
    private readonly readers: FileReaders,
  ) {}

  /**
   * Does some work with the inputs, which were judged before.
   * @throws Unprocessable for one that can't be fetched or is no file of its type, ServiceUnavailable where too many calls
   *   wait, and the signal's reason
   */
  async receive<Result>(
    inputs: readonly Input[],
    names: readonly string[],
    signal: AbortSignal,
    work: (received: ReceivedInput[]) => Promise<Result>,
  ): Promise<Result> {
    const bytes = inputs.reduce((sum, input) => sum + bytesMaxOf(input), 0);
    return this.room.within(Math.min(bytes, CALL_BYTES_MAX), signal, async () => {
      const received: ReceivedInput[] = [];
      let left = CALL_BYTES_MAX;
      for (const [index, input] of inputs.entries()) {
        const one = await this.received(input, { index, name: names[index] ?? '', left, signal });
        left -= one.bytes.length;
        received.push(one);
      }
      return work(received);
    });
  }

  /** Reads the text of an input, of which a picture has none. Throws what FileReaders.read means for a caller. */
  async read(input: ReceivedInput, signal: AbortSignal): Promise<ReadInput> {
    if (input.type === 'image') {
      return { ...input, file: null };
    }
    const isPlain = input.isCounted && input.kind === 'txt';
    const file = isPlain
      ? plainFile(input.bytes.toString('utf8'))
      : await withNamedRefusals(input.name, () => this.readers.read(input.kind, input.bytes, signal));
    return { ...input, file };
  }

  private async received(
    input: Input,
    { index, name, left, signal }: { index: number; name: string; left: number; signal: AbortSignal },
  ): Promise<ReceivedInput> {
    if (input.type === 'text' && input.content !== undefined) {
      const kind = TEXT_KINDS[input.format ?? 'plain'];
      return { index, name, type: 'text', kind, bytes: Buffer.from(input.content, 'utf8'), isCounted: true };
    }
    const bytes =
      input.url === undefined
        ? decoded(input.content ?? '', name)
        : await this.fetched(input.url, name, Math.min(left, FETCHED_BYTES_MAX), signal);
    if (bytes.length > left) {
      throw new Unprocessable(`${name}: the inputs have more than ${CALL_BYTES_MAX} bytes together.`);
    }
    const head = bytes.subarray(0, SNIFFED_BYTES_MAX);
    const kind = await withNamedRefusals(name, () => sniffFileKind(head, bytes.length, null));
    return { index, name, type: typeOf(input, kind, name), kind, bytes, isCounted: false };
  }

  private async fetched(url: string, name: string, bytesMax: number, signal: AbortSignal): Promise<Buffer> {
    const { status, body, isCut } = await this.outbound
      .get({ url, headers: FETCH_HEADERS, timeoutMs: FETCH_TIMEOUT_MS, answerBytesMax: bytesMax, signal })
      .catch((error: unknown) => {
        throw error instanceof OutboundFault ? new Unprocessable(`${name}.url: ${error.message}`) : error;
      });
    if (status !== 200) {
      const hint = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
      throw new Unprocessable(`${name}.url: the address answered ${status}.${hint}`);
    }
    if (isCut) {
      throw new Unprocessable(`${name}.url: the address sends more than ${bytesMax} bytes.`);
    }
    return body;
  }
}

function bytesMaxOf({ content, url }: Input): number {
  return url === undefined ? Math.ceil(((content ?? '').length * 3) / 4) : FETCHED_BYTES_MAX;
}

/** Encoded again and compared, because Node skips what is no base64. */
function decoded(content: string, name: string): Buffer {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== content) {
    throw new Unprocessable(`${name}.content: is no base64 (RFC 4648, section 4).`);
  }
  return bytes;
}

/** @throws Unprocessable where the input is something else than its type says */
function typeOf(input: Input, kind: FileKind, name: string): InputType {
  const { family } = FILE_KINDS[kind];
  if (!FITTING[input.type].includes(family)) {
    throw new Unprocessable(
      `${name}: an input of type ${input.type} can't be ${FILE_KINDS[kind].mediaType}.`,
    );
  }
  return input.type === 'document' ? 'document' : family;
}

function plainFile(text: string): ReadFile {
  return { text, markdown: null, pages: null, title: null, tables: [], isCut: false };
}
