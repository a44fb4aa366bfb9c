import { X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  ClosedUnanswered,
  bareHost,
  connectToAllowed,
  DeadlineOver,
  IdleConnections,
  type OutboundAnswer,
  OutboundConnection,
  OutboundFault,
  outboundFaultOf,
} from './outbound-connection';
import { untilAborted } from '../../runtime/clock';
import { ConcurrencyLimit } from '../../runtime/concurrency-limit';
import { isLoopbackName, allowedAddress, outboundTarget, type OutboundTarget } from './ssrf-policy';

export abstract class AddressResolver {
  /** @param host a name without a final dot, never an address. @returns unchecked addresses in order */
  abstract resolve(host: string): Promise<string[]>;
}

/** All queries together take less than a delivery's time. */
const QUERY_TIMEOUT_MS = 1000;
const QUERIES_MAX = 2;

/** Avoids /etc/hosts, whose names are internal, and `getaddrinfo`, whose threads password hashing needs. */
export class SystemResolver extends AddressResolver {
  override async resolve(host: string): Promise<string[]> {
    // Rereads the name servers, which may have changed.
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERIES_MAX });
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') {
      throw v4.reason;
    }
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}

/** Made once, because reading is slow. @throws Error for an unreadable file or no valid certificate */
export function trustedAuthorities(file: string | null): SecureContext {
  if (file === null) {
    return createSecureContext();
  }
  const own = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (own === null) {
    throw new Error('has no certificate in PEM');
  }
  own.forEach((pem) => new X509Certificate(pem));
  return createSecureContext({ ca: [...rootCertificates, ...own] });
}

/** More than a process's simultaneous deliveries. Also bounds open connections, idle ones aside. */
const CALLS_MAX = 1_200;

export interface OutboundGet {
  url: string;
  headers: Record<string, string>;
  /** For look-up, connection, TLS, headers and body together. */
  timeoutMs: number;
  answerBytesMax: number;
  signal?: AbortSignal;
}

export type OutboundPost = OutboundGet & { readonly body: string };
type OutboundRequest = OutboundGet & { readonly body: string | null };

export interface OutboundOptions {
  allowLoopback: boolean;
  resolver: AddressResolver;
  authorities: SecureContext;
}

/** Connects to the checked addresses, so that no name server can give two answers. */
@Injectable()
export class OutboundHttp implements OnModuleDestroy {
  private readonly idle = new IdleConnections();
  private readonly limit = new ConcurrencyLimit(CALLS_MAX);

  constructor(private readonly options: OutboundOptions) {}

  /** Repeats only when a kept connection closed unanswered; follows no redirects. @throws OutboundFault */
  async post(request: OutboundPost): Promise<OutboundAnswer> {
    return this.send(request);
  }

  async get(request: OutboundGet): Promise<OutboundAnswer> {
    return this.send({ ...request, body: null });
  }

  onModuleDestroy(): void {
    this.idle.close();
  }

  private async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const target = outboundTarget(request.url, this.options);
    return this.limit.within(() => this.sendWithin(request, target));
  }

  private async sendWithin(request: OutboundRequest, target: OutboundTarget): Promise<OutboundAnswer> {
    const { timeoutMs, signal } = request;
    signal?.throwIfAborted();
    const abortion = new AbortController();
    const timer = setTimeout(() => abortion.abort(new DeadlineOver(timeoutMs)), timeoutMs);
    const leave = () => abortion.abort(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    const deadline = { endsAt: performance.now() + timeoutMs, signal: abortion.signal };
    try {
      const kept = this.idle.take(target.receiver);
      return (
        (kept && (await this.sendOnKept(kept, request, target, deadline.signal))) ??
        (await this.sendOn(await this.opened(target, deadline), request, target, deadline.signal))
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw outboundFaultOf(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    }
  }

  private async sendOnKept(
    connection: OutboundConnection,
    request: OutboundRequest,
    target: OutboundTarget,
    signal: AbortSignal,
  ): Promise<OutboundAnswer | null> {
    try {
      return await this.sendOn(connection, request, target, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ClosedUnanswered) {
        return null;
      }
      throw error;
    }
  }

  private async sendOn(
    connection: OutboundConnection,
    { headers, body, answerBytesMax }: OutboundRequest,
    { url, receiver }: OutboundTarget,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    const giveUp = () => connection.destroy(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const answer = await connection.send({ url, headers, body, answerBytesMax });
      this.idle.put(receiver, connection);
      return answer;
    } catch (error) {
      connection.destroy(error as Error);
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  private async opened(
    target: OutboundTarget,
    deadline: { endsAt: number; signal: AbortSignal },
  ): Promise<OutboundConnection> {
    const { url } = target;
    const addresses = this.allowed(await this.addressesOf(bareHost(url), deadline.signal));
    const { authorities } = this.options;
    const socket = await connectToAllowed({ url, addresses, authorities }, deadline.endsAt, deadline.signal);
    const connection: OutboundConnection = new OutboundConnection(url, socket, () =>
      this.idle.remove(connection),
    );
    return connection;
  }

  private async addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    if (isIP(host) > 0) {
      return [host];
    }
    if (this.options.allowLoopback && isLoopbackName(host)) {
      return ['127.0.0.1', '::1'];
    }
    return untilAborted(this.options.resolver.resolve(host), signal);
  }

  /** @throws OutboundFault for any refused address: a name with both kinds is a trap */
  private allowed(addresses: readonly string[]): string[] {
    const checked = addresses.map((address) => allowedAddress(address, this.options));
    const allowed = checked.filter((address) => address !== null);
    if (allowed.length < addresses.length) {
      throw new OutboundFault('refused', 'The host does not lead to a public address.');
    }
    if (allowed.length === 0) {
      throw new OutboundFault('unreachable', 'The host has no address.');
    }
    return allowed;
  }
}

/** A class of its own: what webhooks may reach in a try-out must not be readable by every key. */
export class InputHttp extends OutboundHttp {}
