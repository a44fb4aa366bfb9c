import type { StoredDocument } from '../../../generated/types';
import { uploadOf } from '../api/form';
import type { TestAccount } from '../api/world';

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

  async upload(
    bytes: string | Buffer,
    fileName = 'letter.txt',
  ): Promise<{ status: number; data: StoredDocument }> {
    const { body, headers } = uploadOf(bytes, fileName);
    const response = await fetch(`${this.url()}/api/documents/upload`, {
      method: 'POST',
      headers: { ...headers, ...this.headers },
      body: body as Buffer<ArrayBuffer>,
    });
    return { status: response.status, data: ((await response.json()) as { data: StoredDocument }).data };
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
}
