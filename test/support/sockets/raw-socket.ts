import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { until } from '../until';

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A client that sends whatever frames a test wants and answers none. It keeps all that it is sent. */
export class RawSocket {
  private received = Buffer.alloc(0);
  isEnded = false;

  private constructor(readonly connection: Socket) {
    connection.on('data', (bytes: Buffer) => (this.received = Buffer.concat([this.received, bytes])));
    connection.on('error', () => undefined);
    connection.on('close', () => (this.isEnded = true));
  }

  /** @param url of a path, by http, with its token */
  static async open(url: string): Promise<RawSocket> {
    const asked = request(url, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
    });
    asked.end();
    const [, connection] = (await once(asked, 'upgrade')) as [unknown, Socket];
    return new RawSocket(connection);
  }

  send(...frames: Buffer[]): void {
    this.connection.write(Buffer.concat(frames));
  }

  /** Sends these frames one after the other, as fast as the service reads them, and resolves once it has or has cut them off. */
  async sendAll(frames: readonly Buffer[]): Promise<void> {
    for (const bytes of frames) {
      if (this.isEnded) {
        return;
      }
      await new Promise((resolve) => this.connection.write(bytes, resolve));
    }
  }

  /** The frames that were received, each with its opcode and payload. */
  get frames(): { opcode: number; payload: Buffer }[] {
    const frames: { opcode: number; payload: Buffer }[] = [];
    let at = 0;
    while (at + 4 <= this.received.length) {
      const short = this.received.readUInt8(at + 1);
      const begin = at + (short === 126 ? 4 : 2);
      const end = begin + (short === 126 ? this.received.readUInt16BE(at + 2) : short);
      if (end > this.received.length) {
        break;
      }
      frames.push({
        opcode: this.received.readUInt8(at) & 0x0f,
        payload: this.received.subarray(begin, end),
      });
      at = end;
    }
    return frames;
  }

  /** The code with which the service has closed the socket; null where it has not. */
  get closed(): number | null {
    return this.frames.find(({ opcode }) => opcode === OPCODES.close)?.payload.readUInt16BE(0) ?? null;
  }

  /** The code with which the service closes the socket, once it does. */
  async closeCode(): Promise<number> {
    await until('the service closes the socket', () => this.closed !== null || this.isEnded);
    return this.closed ?? 1006;
  }
}

/** A frame of a client, masked with zeros, so that its payload stands in it as it is. @param text of 125 bytes at most */
export function frame(opcode: number, text = '', { isLast = true } = {}): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([
    Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x80 | payload.length, 0, 0, 0, 0]),
    payload,
  ]);
}

/** A masked frame of text with 126 bytes to 64 KiB. */
export function largeFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([0x80 | OPCODES.text, 0x80 | 126, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
