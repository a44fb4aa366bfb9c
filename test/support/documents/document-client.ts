import { setImmediate } from 'node:timers/promises';
import type { StoredDocument } from '../../../generated/types';
import { uploadOf } from '../api/form';
import type { TestAccount } from '../api/world';

export interface Uploaded {
  status: number;
  data: StoredDocument;
  /** Of an error. */
  message?: string;
}

/** An account that uses documents over the network, on a service in a process of its own. */
export class DocumentClient {
  private constructor(
    private readonly url: () => string,
    private readonly token: string,
  ) {}

  /** @param url of the service, which may change when it is started again */
  static async login(url: () => string, { email, password }: TestAccount): Promise<DocumentClient> {
    const response = await fetch(`${url()}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const body = (await response.json()) as { token?: string; access_token?: string };
    return new DocumentClient(url, body.token ?? body.access_token ?? '');
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  async upload(bytes: string | Buffer, fileName = 'letter.txt'): Promise<Uploaded> {
    const { body, headers } = uploadOf(bytes, fileName);
    return this.send(body as Buffer<ArrayBuffer>, headers ?? {});
  }

  /**
   * Sends a large file piece by piece, as it is read. Blobs share what they are made of, so many take no more memory. Between
   * two pieces the other uploads of this process have their turn: fetch() by itself sends one blob after another, and the
   * last ones stall meanwhile.
   */
  async uploadLarge(file: Blob, fileName: string): Promise<Uploaded> {
    const form = new FormData();
    form.set('file', file, fileName);
    const encoded = new Response(form);
    const body = ReadableStream.from(inTurns(encoded.body as AsyncIterable<Uint8Array>));
    return this.send(body, { 'content-type': encoded.headers.get('content-type') ?? '' });
  }

  async process(id: string): Promise<number> {
    const response = await fetch(`${this.url()}/api/documents/${id}/process`, {
      method: 'POST',
      headers: this.headers,
    });
    await response.arrayBuffer();
    return response.status;
  }

  async content(id: string): Promise<Buffer> {
    const response = await fetch(`${this.url()}/api/documents/${id}/content`, { headers: this.headers });
    return Buffer.from(await response.arrayBuffer());
  }

  private async send(body: RequestInit['body'], headers: Record<string, string>): Promise<Uploaded> {
    const response = await fetch(`${this.url()}/api/documents/upload`, {
      method: 'POST',
      headers: { ...headers, ...this.headers },
      body,
      duplex: 'half',
    });
    return { status: response.status, ...((await response.json()) as Omit<Uploaded, 'status'>) };
  }
}

async function* inTurns<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}
