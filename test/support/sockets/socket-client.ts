import { type ClientOptions, WebSocket } from 'ws';
import { schemaFaults } from '../api/schema-faults';
import { until } from '../until';

/** A message of the service. */
export interface SocketAnswer {
  type: string;
  id?: string | null;
  [member: string]: unknown;
}

/** The schemas of the document by the types of messages. */
const SCHEMAS: Readonly<Record<string, string>> = {
  start: 'StreamStart',
  delta: 'StreamDelta',
  done: 'StreamDone',
  error: 'SocketError',
  joined: 'RoomJoined',
  member_joined: 'RoomMemberJoined',
  member_left: 'RoomMemberLeft',
  presence: 'RoomPresenceChanged',
  message: 'RoomMessageSent',
  update: 'RoomUpdated',
  ack: 'RoomAck',
};

/** What a refused upgrade is answered with. */
export interface RefusedUpgrade {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** A client of a WebSocket path, which keeps all that it is told. */
export class SocketClient {
  readonly answers: SocketAnswer[] = [];
  /** What is not as the document says. */
  readonly faults: string[] = [];
  /** The code of the close; null while the socket is open. */
  closeCode: number | null = null;

  private constructor(readonly webSocket: WebSocket) {
    webSocket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as SocketAnswer;
      this.answers.push(answer);
      const faults = schemaFaults(SCHEMAS[answer.type] ?? 'no schema', structuredClone(answer));
      this.faults.push(...faults.map(({ field, message }) => `${answer.type} ${field} ${message}`));
    });
    webSocket.on('close', (code) => (this.closeCode = code));
    webSocket.on('error', () => undefined);
  }

  /** @throws RefusedUpgrade where the upgrade is refused */
  static async open(url: string, options: ClientOptions = {}): Promise<SocketClient> {
    const webSocket = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false, ...options });
    const client = new SocketClient(webSocket);
    return new Promise((resolve, reject) => {
      webSocket.once('open', () => resolve(client));
      webSocket.once('unexpected-response', (_, response) => {
        let text = '';
        response.on('data', (part) => (text += String(part)));
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
          reject({ status: statusCode, headers, body: JSON.parse(text) });
        });
      });
      webSocket.once('error', reject);
    });
  }

  /** How an upgrade is refused; one that succeeds fails the test. */
  static async refusal(url: string, options: ClientOptions = {}): Promise<RefusedUpgrade> {
    const outcome = await SocketClient.open(url, options).catch(
      (refusal: unknown) => refusal as RefusedUpgrade,
    );
    if (outcome instanceof SocketClient) {
      outcome.webSocket.terminate();
      throw new Error('the upgrade was not refused');
    }
    return outcome;
  }

  send(message: unknown): void {
    this.webSocket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The first answer of these members, once it is there. */
  async answer(members: Partial<SocketAnswer>): Promise<SocketAnswer> {
    const found = () =>
      this.answers.find((answer) => Object.entries(members).every(([name, value]) => answer[name] === value));
    await until(`an answer with ${JSON.stringify(members)}`, () => {
      if (!found() && this.closeCode !== null) {
        throw new Error(`closed with ${this.closeCode} after ${JSON.stringify(this.answers.slice(-3))}`);
      }
      return found() !== undefined;
    });
    expect(this.faults).toEqual([]);
    return found() as SocketAnswer;
  }

  /** All answers of a type, to a message where its id is given. */
  of(type: string, id?: string): SocketAnswer[] {
    return this.answers.filter((answer) => answer.type === type && (id === undefined || answer.id === id));
  }

  /** The code of the close, once it is closed. */
  async closed(): Promise<number> {
    await until('the socket closes', () => this.closeCode !== null);
    return this.closeCode ?? 0;
  }

  /** Closes it and waits for the end. */
  async leave(): Promise<void> {
    this.webSocket.close();
    await this.closed();
  }
}
