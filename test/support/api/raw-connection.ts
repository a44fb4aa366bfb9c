import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestService } from './service';

export interface RawAnswer {
  status: number;
  /** Their names are in lower case. */
  headers: Record<string, string>;
  body: string;
}

let addresses = 0;

/**
 * A connection on which a test writes bytes of its own, from an address of 127.0.0.0/8 that no other connection has
 * unless it is asked for.
 */
export class RawConnection {
  private text = '';

  private constructor(
    readonly socket: Socket,
    readonly address: string,
    /** Resolves when the connection has closed, whoever closed it. */
    readonly closed: Promise<unknown>,
  ) {
    socket.setEncoding('latin1').on('data', (part: string) => (this.text += part));
    // A reset is one of the ways in which the service may end a connection; `closed` tells of it.
    socket.on('error', () => undefined);
  }

  static async open(service: TestService, address?: string): Promise<RawConnection> {
    const server: Server = service.app.getHttpServer();
    if (!server.listening) {
      await service.app.listen(0, '127.0.0.1');
    }
    addresses += 1;
    const localAddress = address ?? `127.1.${addresses >> 8}.${addresses & 255}`;
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await once(socket, 'connect');
    return new RawConnection(socket, localAddress, closed);
  }

  /** Everything that has arrived and no answer() has taken. */
  get rest(): string {
    return this.text;
  }

  send(text: string | Buffer): void {
    this.socket.write(text);
  }

  /** Sends the head of a request; a body with an announced length may follow. */
  sendHead(method: string, path: string, headers: Record<string, string | number> = {}): void {
    const lines = Object.entries({ host: 'localhost', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    this.send(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  /** Resolves with the next answer, which has to have a Content-Length or no body at all. */
  async answer(hasBody = true): Promise<RawAnswer> {
    const end = (await this.arrived('\r\n\r\n')) + 4;
    const [first = '', ...lines] = this.text.slice(0, end - 4).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = hasBody ? Number(headers['content-length'] ?? 0) : 0;
    while (this.text.length < end + length) {
      await this.more();
    }
    const body = Buffer.from(this.text.slice(end, end + length), 'latin1').toString();
    this.text = this.text.slice(end + length);
    return { status: Number(first.split(' ')[1]), headers, body };
  }

  close(): void {
    this.socket.destroy();
  }

  private async arrived(wanted: string): Promise<number> {
    while (!this.text.includes(wanted)) {
      await this.more();
    }
    return this.text.indexOf(wanted);
  }

  /** @throws Error where nothing more will come */
  private async more(): Promise<void> {
    const data = once(this.socket, 'data').then(() => true);
    data.catch(() => undefined);
    if (this.socket.readableEnded || !(await Promise.race([data, this.closed.then(() => false)]))) {
      throw new Error(`the connection has closed after: ${JSON.stringify(this.text)}`);
    }
  }
}
