import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { KeyDirectory } from '../../core/access/access-keys/key-directory';
import { ApiError } from '../../core/errors/api-error';
import { errorText } from '../../infrastructure/logging/error-text';
import {
  CLOSE_CODES,
  PING_EVERY_MS,
  SOCKETS_PER_ACCOUNT_MAX,
} from '../../infrastructure/sockets/socket-bounds';
import { SocketMetrics } from '../../infrastructure/sockets/socket-metrics';
import { DRAIN_MS_MAX } from '../calls-in-flight';
import type { OpenSocket } from './socket-holder';

const LOOKED_EVERY_MS = 50;

/**
 * The sockets of this process. Those whose credential is revoked, ended or expired are closed: all replicas are told when
 * something about an account changes, and then look at its sockets at once; every 30 seconds they look at all, which also
 * finds what expires. That takes long where there are many accounts, so those that were named do not wait for it. Clients that do not answer pings are cut off.
 */
@Injectable()
export class OpenSockets implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Sockets');
  private readonly ofAccounts = new Map<string, Set<OpenSocket>>();
  private readonly ofNamed = new Looks((accountId) => this.lookAtAccount(accountId));
  private readonly ofAll = new Looks((accountId) => this.lookAtAccount(accountId));
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;
  private drained: Promise<void> = Promise.resolve();

  constructor(
    private readonly keys: KeyDirectory,
    private readonly metrics: SocketMetrics,
  ) {}

  onModuleInit(): void {
    this.keys.onChange((accountId) => (accountId === null ? this.lookAtAll() : this.lookAtNamed(accountId)));
    this.timer = setInterval(() => this.beat(), PING_EVERY_MS).unref();
  }

  /** Sockets without work are closed at once; the others when their work has ended, or the shutdown ends it. */
  onModuleDestroy(): void {
    this.isEnding = true;
    this.drained = this.drain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.drained;
    if (this.timer) {
      clearInterval(this.timer);
    }
    await Promise.all([this.ofNamed.ended, this.ofAll.ended]);
  }

  /** Waits as long as calls are waited for. */
  private async drain(): Promise<void> {
    const endMs = performance.now() + DRAIN_MS_MAX;
    this.closeIdle();
    while (this.all().some(({ isBusy }) => isBusy) && performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, LOOKED_EVERY_MS));
      this.closeIdle();
    }
  }

  /** @throws ApiError where the account has as many sockets as it may have */
  refuseBeyondBound(accountId: string): void {
    if ((this.ofAccounts.get(accountId)?.size ?? 0) >= SOCKETS_PER_ACCOUNT_MAX) {
      throw new ApiError(
        429,
        'Too many sockets',
        `An account may have ${SOCKETS_PER_ACCOUNT_MAX} open sockets here; close one.`,
      );
    }
  }

  add(socket: OpenSocket): void {
    const { accountId } = socket.holder;
    const sockets = this.ofAccounts.get(accountId) ?? new Set();
    this.ofAccounts.set(accountId, sockets.add(socket));
    this.metrics.opened(socket.path);
    socket.onClose((code) => {
      this.metrics.closed(socket.path, code);
      sockets.delete(socket);
      if (sockets.size === 0 && this.ofAccounts.get(accountId) === sockets) {
        this.ofAccounts.delete(accountId);
      }
    });
    if (this.isEnding) {
      this.closeIdle();
    }
    // What was revoked while the handshake went on was told before this socket was known.
    void this.lookAt(socket);
  }

  private lookAtNamed(accountId: string): void {
    if (this.ofAccounts.has(accountId)) {
      this.ofNamed.ask(accountId);
    }
  }

  private lookAtAll(): void {
    [...this.ofAccounts.keys()].forEach((accountId) => this.ofAll.ask(accountId));
  }

  private async lookAtAccount(accountId: string): Promise<void> {
    await Promise.all([...(this.ofAccounts.get(accountId) ?? [])].map((socket) => this.lookAt(socket)));
  }

  /** A credential that can't be judged now, because the database is away, is judged again with the next look at all. */
  private async lookAt(socket: OpenSocket): Promise<void> {
    try {
      const refusal = await socket.holder.judge();
      if (refusal) {
        socket.close(CLOSE_CODES.credentialEnded, refusal.error);
      }
    } catch (error) {
      this.logger.warn({ message: "a socket's credential could not be judged", error: errorText(error) });
    }
  }

  /** Cuts off who has not answered the last ping, pings all others, and looks at all credentials. */
  beat(): void {
    for (const socket of this.all()) {
      if (socket.isAlive) {
        socket.ping();
      } else {
        socket.terminate();
      }
    }
    this.lookAtAll();
  }

  private closeIdle(): void {
    for (const socket of this.all().filter(({ isBusy }) => !isBusy)) {
      socket.close(CLOSE_CODES.goingAway, 'the service shuts down');
    }
  }

  private all(): OpenSocket[] {
    return [...this.ofAccounts.values()].flatMap((sockets) => [...sockets]);
  }
}

/** Looks at accounts one after the other. Looks at one that are asked for before its turn are made once. */
class Looks {
  private readonly asked = new Set<string>();
  private looking: Promise<void> | null = null;

  /** @param look must not reject */
  constructor(private readonly look: (accountId: string) => Promise<void>) {}

  /** Resolves when nobody is looked at any more. */
  get ended(): Promise<void> {
    return this.looking ?? Promise.resolve();
  }

  ask(accountId: string): void {
    this.asked.add(accountId);
    this.looking ??= this.lookAtAsked();
  }

  private async lookAtAsked(): Promise<void> {
    for (const accountId of this.asked) {
      this.asked.delete(accountId);
      await this.look(accountId);
    }
    // In the same turn as the end of the loop, so that no look is asked for in between and forgotten.
    this.looking = null;
  }
}
