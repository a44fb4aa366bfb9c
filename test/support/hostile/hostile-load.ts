import type { SeededRandom } from '../seeded-random';
import { AnswerTally } from './answer-tally';
import { HostileCalls } from './hostile-calls';
import { HostileRequests, type HostileRequest, type HostileWorld } from './hostile-requests';
import { HostileSockets } from './hostile-sockets';

export interface LoadShare {
  name: string;
  calls: number;
}

interface Attack {
  name: string;
  /** How many of a thousand calls are of this kind. */
  perThousand: number;
  callsAtOnce: number;
  make: (requests: HostileRequest[]) => Promise<void>;
}

const AT_ONCE = 24;
/** Attacks that only wait are let go on in the background: so many at once. */
const WAITING_MAX = 150;
const UNREAD_MS_MAX = 6_000;
const SLOW_MS_MAX = 4_000;

/** Calls of every hostile kind, many at once, in a mix that is the same for every run of one seed. */
export class HostileLoad {
  readonly tally = new AnswerTally();
  private readonly requests: HostileRequests;
  private readonly calls: HostileCalls;
  private readonly attacks: readonly Attack[];
  private readonly waiting = new Set<Promise<void>>();

  constructor(
    url: string,
    private readonly random: SeededRandom,
    private readonly world: HostileWorld,
  ) {
    this.requests = new HostileRequests(random, world);
    this.calls = new HostileCalls(url, this.tally, AT_ONCE);
    const sockets = new HostileSockets(url, this.tally, random);
    this.attacks = [
      {
        name: 'one by one',
        perThousand: 640,
        callsAtOnce: 1,
        make: ([only]) => this.calls.send(only as HostileRequest),
      },
      { name: 'pipelined', perThousand: 150, callsAtOnce: 15, make: (all) => sockets.pipeline(all) },
      {
        name: 'unread',
        perThousand: 100,
        callsAtOnce: 50,
        make: (all) =>
          this.later(() => sockets.leaveUnread(this.large(all), random.between(500, UNREAD_MS_MAX))),
      },
      {
        name: 'broken',
        perThousand: 60,
        callsAtOnce: 1,
        make: ([only]) => this.later(() => sockets.babble(only as HostileRequest)),
      },
      {
        name: 'oversized',
        perThousand: 25,
        callsAtOnce: 1,
        make: ([only]) => sockets.oversize(this.withBody(only as HostileRequest)),
      },
      {
        name: 'slow',
        perThousand: 25,
        callsAtOnce: 1,
        make: ([only]) =>
          this.later(() =>
            sockets.dawdle(this.withBody(only as HostileRequest), random.between(500, SLOW_MS_MAX)),
          ),
      },
    ];
  }

  /** Resolves when so many calls have been made and have ended. @returns how many there were of each kind */
  async send(calls: number): Promise<LoadShare[]> {
    const left = this.attacks.map(({ perThousand }) => Math.round((calls * perThousand) / 1_000));
    const shares = this.attacks.map(({ name }, index) => ({ name, calls: left[index] ?? 0 }));
    const worker = async () => {
      for (let index = this.pick(left); index >= 0 && !this.tally.isFull; index = this.pick(left)) {
        const { callsAtOnce, make } = this.attacks[index] as Attack;
        const count = Math.min(callsAtOnce, left[index] as number);
        left[index] = (left[index] as number) - count;
        await make(Array.from({ length: count }, () => this.requests.next()));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await Promise.all(this.waiting);
    return shares;
  }

  close(): void {
    this.calls.close();
  }

  /** The index of a kind of attack by its share of what is left; -1 where nothing is. */
  private pick(left: readonly number[]): number {
    const all = left.reduce((sum, count) => sum + count, 0);
    let at = this.random.next() * all;
    return all === 0 ? -1 : left.findIndex((count) => (at -= count) < 0);
  }

  /** Starts an attack that mostly waits, as soon as there is room for one more of them. */
  private async later(attack: () => Promise<void>): Promise<void> {
    while (this.waiting.size >= WAITING_MAX) {
      await Promise.race(this.waiting);
    }
    const done: Promise<void> = attack().finally(() => this.waiting.delete(done));
    this.waiting.add(done);
  }

  /** Requests with long answers, anonymous ones and paid ones, and some of the given between them. */
  private large(requests: HostileRequest[]): HostileRequest[] {
    const { random } = this;
    const kind = random.next();
    const path =
      kind < 0.3 ? '/openapi.json' : random.pick(['/docs', '/docs/swagger-ui-bundle.js', '/docs-yaml']);
    return requests.map((request) => {
      if (random.next() < 0.1) {
        return request;
      }
      const headers = this.requests.headers(null);
      if (kind < 0.5) {
        return { method: 'GET', path, headers, body: null };
      }
      const key = random.pick(this.world.keys);
      const body = Buffer.from(JSON.stringify({ limit: 100 }));
      return {
        method: 'POST',
        path: '/api/hub/memory/query',
        headers: { ...headers, 'x-api-key': key },
        body,
      };
    });
  }

  private withBody(request: HostileRequest): HostileRequest {
    return request.method === 'GET' ? { ...request, method: 'POST', body: Buffer.from('{}') } : request;
  }
}
