import { setTimeout as delay } from 'node:timers/promises';
import type { TestAccount } from '../api/world';
import type { SeededRandom } from '../seeded-random';
import { SocketClient, type SocketAnswer } from '../sockets/socket-client';
import { RoomMember } from './room-member';

const ROOMS = ['harbour', 'lighthouse'] as const;
const MEMBERS_OF_EACH = 3;
const BETWEEN_MESSAGES_MS = { from: 100, to: 700 };
const STAYS_MS = { from: 2_000, to: 15_000 };
const UPDATE_SHARE = 0.3;
const BETWEEN_TRIES_MS = 300;
const LAST_VISIT_MS_MAX = 60_000;

interface RoomLoadOptions {
  account: TestAccount;
  random: SeededRandom;
  url: () => string;
  /** Is told how each visit began and ended. */
  noted: (outcome: string, isFailure: boolean, fromMs: number) => void;
}

/** Members of rooms who talk, change the state, lose their connections and come back for what they missed. */
export class RoomLoad {
  readonly members: readonly RoomMember[];
  visits = 0;
  private visiting: Promise<unknown> | null = null;
  private isStopped = false;

  constructor(private readonly options: RoomLoadOptions) {
    this.members = ROOMS.flatMap((room) =>
      Array.from({ length: MEMBERS_OF_EACH }, (_, index) => new RoomMember(room, `${room}-${index}`)),
    );
  }

  start(): void {
    this.visiting ??= Promise.all(this.members.map((member) => this.visitUntilStopped(member)));
  }

  /** Every member comes again, and sends what was not acknowledged, until it has heard all that it has missed. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.visiting;
    await Promise.all(this.members.map((member) => this.visitLast(member)));
  }

  private async visitUntilStopped(member: RoomMember): Promise<void> {
    while (!this.isStopped) {
      await this.visit(member);
      await delay(BETWEEN_TRIES_MS);
    }
  }

  private async visit(member: RoomMember): Promise<void> {
    const { random } = this.options;
    const client = await this.enter(member);
    if (client === null) {
      return;
    }
    const leavesAtMs = performance.now() + random.between(STAYS_MS.from, STAYS_MS.to);
    while (!this.isStopped && client.closeCode === null && performance.now() < leavesAtMs) {
      member.speak(client, random.next() < UPDATE_SHARE);
      await delay(random.between(BETWEEN_MESSAGES_MS.from, BETWEEN_MESSAGES_MS.to));
    }
    client.webSocket.terminate();
    member.faults.push(...client.faults);
  }

  private async visitLast(member: RoomMember): Promise<void> {
    const deadline = performance.now() + LAST_VISIT_MS_MAX;
    while (performance.now() < deadline) {
      const client = await this.enter(member);
      // Who is refused for what was away a moment ago is not told when it is back, and tries again.
      const leavesAtMs = Math.min(performance.now() + STAYS_MS.to, deadline);
      while (client?.closeCode === null && !member.isComplete && performance.now() < leavesAtMs) {
        await delay(BETWEEN_TRIES_MS);
      }
      client?.webSocket.terminate();
      if (member.isComplete) {
        return;
      }
      await delay(BETWEEN_TRIES_MS);
    }
    member.faults.push(
      `${member.name} never heard that ${member.unacknowledged} messages were stored; ` +
        (member.isIn ? 'it was in' : 'it was not let in') +
        `; told last: ${member.refusals.slice(-3).join(' / ') || 'no error'}`,
    );
  }

  /** @returns null where the service could not be reached */
  private async enter(member: RoomMember): Promise<SocketClient | null> {
    const { account, noted, url } = this.options;
    const fromMs = performance.now();
    this.visits += 1;
    try {
      const client = await SocketClient.open(`${url()}/api/ws/collaborate?token=${account.key}`);
      noted('101', false, fromMs);
      client.webSocket.on('message', (data: Buffer) => {
        member.hear(client, JSON.parse(data.toString()) as SocketAnswer);
      });
      client.webSocket.on('close', (code) => noted(`closed with ${code}`, false, fromMs));
      member.join(client);
      return client;
    } catch (error) {
      noted(`upgrade ${(error as { status?: number }).status ?? 'broken'}`, true, fromMs);
      return null;
    }
  }
}
