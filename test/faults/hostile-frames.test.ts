import fc from 'fast-check';
import document from '../../generated/asyncapi.json';
import { Metrics } from '../../src/observability/metrics';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { frame, largeFrame, OPCODES, RawSocket } from '../support/sockets/raw-socket';
import { SocketClient } from '../support/sockets/socket-client';
import { until } from '../support/until';

const FRAMES = depth('SOCKET_FRAMES', { short: 400, deep: 20_000 });
/** Fewer than a socket may send at once, so that none is refused for its rate. */
const FRAMES_PER_SOCKET = 36;
const SEED = depth('SOCKET_SEED', { short: 1, deep: 2 });

const examples = Object.values(
  document.components.schemas as unknown as Record<string, { example?: unknown }>,
)
  .map(({ example }) => example as Record<string, unknown> | undefined)
  .filter((example) => typeof example?.action === 'string') as Record<string, unknown>[];

/** An example in which some members are replaced by anything, taken away or added. */
const changed = fc
  .tuple(
    fc.constantFrom(...examples),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'action',
          'id',
          'room',
          'data',
          'payload',
          'operation',
          'base_version',
          'last_seq',
          '__proto__',
        ),
        fc.string(),
      ),
      fc.oneof(fc.jsonValue(), fc.constant(undefined)),
      { maxKeys: 3 },
    ),
  )
  .map(([example, changes]) => JSON.stringify({ ...example, ...changes }));
const frames = fc.oneof({ weight: 6, arbitrary: changed }, fc.json(), fc.string());

describe('hostile frames', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => service.stop());

  it.each(['stream', 'collaborate'])(
    'get documented answers on %s, none of them a failure of ours, and the socket goes on',
    async (path) => {
      const account = await createAccount(service, { creditUsd: '10' });
      const url = `${await service.app.getUrl()}/api/ws/${path}?token=${account.key}`;
      const all = fc.sample(frames, { numRuns: FRAMES, seed: SEED });
      for (let first = 0; first < all.length; first += FRAMES_PER_SOCKET) {
        const client = await SocketClient.open(url);
        const some = all.slice(first, first + FRAMES_PER_SOCKET);
        some.forEach((frame) => client.send(frame));
        client.send({ action: path === 'stream' ? 'cancel' : 'ping', id: 'the-last' });
        await client.answer({ id: 'the-last' });
        const failures = client.answers.filter(({ status }) => Number(status) >= 500 && status !== 503);
        expect(failures).toEqual([]);
        await client.leave();
      }
      await until('all calls are settled', async () => {
        const rows: unknown[] = await service.database.query('SELECT 1 FROM reservations');
        return rows.length === 0;
      });
      expect(await ledgerFaults(service.database)).toEqual([]);
    },
  );

  describe('of a client that keeps to no rule', () => {
    let url: string;
    const open: RawSocket[] = [];
    const connect = async () => {
      const raw = await RawSocket.open(url);
      open.push(raw);
      return raw;
    };
    beforeAll(async () => {
      const { key } = await createAccount(service, { creditUsd: '1' });
      url = `${await service.app.getUrl()}/api/ws/collaborate?token=${key}`;
    });
    afterEach(() => open.splice(0).forEach(({ connection }) => connection.destroy()));

    const ping = JSON.stringify({ action: 'ping', id: 'whole' });
    const fragments = (count: number) =>
      Array.from({ length: count }, (_, place) => {
        const text = place < count - 1 ? ping.charAt(place) : ping.slice(place);
        return frame(place === 0 ? OPCODES.text : OPCODES.continuation, text, {
          isLast: place === count - 1,
        });
      });

    it('are not parsed where their bytes come too fast, and close the socket when it goes on', async () => {
      const raw = await connect();
      const large = JSON.stringify({ action: 'ping', id: 'large', room: 'x'.repeat(60_000) });
      // While no time passes, nothing more may come than what may come at once.
      jest.spyOn(performance, 'now').mockReturnValue(performance.now());
      const parse = jest.spyOn(JSON, 'parse');
      raw.send(...Array.from({ length: 40 }, () => largeFrame(large)));
      const code = await raw.closeCode();
      const parsed = parse.mock.calls.filter(([text]) => text.length >= 60_000).length;
      jest.restoreAllMocks();
      expect(code).toBe(4429);
      const answers = raw.frames
        .filter(({ opcode }) => opcode === OPCODES.text)
        .map(({ payload }) => JSON.parse(payload.toString()) as Record<string, unknown>);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(18);
      expect(refused[0]).toMatchObject({
        type: 'error',
        id: null,
        error: 'Too many messages',
        retry_after: 1,
      });
      expect(parsed).toBe(0);
    });

    it.each([
      ['a ping', { action: 'ping', room: 'x'.repeat(1024) }, { status: 413 }],
      ['a leave', { action: 'leave', room: 'x'.repeat(1024) }, { status: 413 }],
      [
        'a message with too many names',
        { action: 'message', room: 'r', data: { all: namesOf(4_000) } },
        { status: 413 },
      ],
      [
        'one with too many members',
        { action: 'ping', ...namesOf(16) },
        { status: 400, details: [{ field: 'body', message: 'must have at most 16 members' }] },
      ],
    ])('are refused where %s is larger than such a one may be', async (_, message, refusal) => {
      const client = await SocketClient.open(url);
      client.send({ id: 'refused', ...message });
      expect(await client.answer({ id: 'refused' })).toMatchObject({ type: 'error', ...refusal });
      client.send({ action: 'ping', id: 'next' });
      expect(await client.answer({ id: 'next' })).toMatchObject({ type: 'ack' });
      await client.leave();
    });

    it('make one message of 16 fragments, and close the socket at the next', async () => {
      const [kept, beyond] = [await connect(), await connect()];
      kept.send(...fragments(16));
      await until('it is answered', () => kept.frames.some(({ opcode }) => opcode === OPCODES.text));
      expect(JSON.parse(kept.frames[0]?.payload.toString() ?? '')).toEqual({ type: 'ack', id: 'whole' });
      beyond.send(...fragments(17));
      expect(await beyond.closeCode()).toBe(1008);
    });

    it.each(['ping', 'pong'] as const)(
      'close the socket once a %s comes too often, also inside a message',
      async (name) => {
        const [kept, beyond] = [await connect(), await connect()];
        const [first = Buffer.alloc(0), ...others] = fragments(2);
        const controls = (count: number) => Array.from({ length: count }, () => frame(OPCODES[name], 'x'));
        kept.send(first, ...controls(40), ...others);
        await until('it is answered', () => kept.frames.some(({ opcode }) => opcode === OPCODES.text));
        // Some more than may come at once, because time passes meanwhile.
        beyond.send(first, ...controls(1000), ...others);
        expect(await beyond.closeCode()).toBe(4429);
        expect(beyond.frames.filter(({ opcode }) => opcode === OPCODES.text)).toEqual([]);
        expect(kept.isEnded).toBe(false);
      },
    );

    it('are not looked at any more once the service has closed the socket, which ends in time', async () => {
      const received = async () => {
        const text = await service.app.get(Metrics).text();
        return Number(
          /socket_messages_total\{socket="collaborate",direction="received"\} (\d+)/.exec(text)?.[1],
        );
      };
      const before = await received();
      const raw = await connect();
      const empty = frame(OPCODES.binary);
      raw.send(...Array.from({ length: 10_000 }, () => empty));
      expect(await raw.closeCode()).toBe(1003);
      const closedMs = performance.now();
      await until('the connection is ended', () => {
        raw.send(...Array.from({ length: 10_000 }, () => empty));
        return raw.isEnded;
      });
      expect(performance.now() - closedMs).toBeLessThan(20_000);
      expect((await received()) - before).toBe(1);
    });
  });
});

function namesOf(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, place) => [`n${place}`, 0]));
}
