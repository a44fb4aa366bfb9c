import { Injectable } from '@nestjs/common';
import { Metrics } from '../../observability/metrics';

/** Clients could choose any number of codes, and so of series. */
const KNOWN_CODES = new Set([1000, 1001, 1003, 1005, 1006, 1009, 1012, 1013, 4401, 4429]);

@Injectable()
export class SocketMetrics {
  private readonly open = new Map<string, number>();
  private readonly messages;
  private readonly closes;

  constructor(metrics: Metrics) {
    metrics.gauges('sockets_open', 'Open WebSockets, by kind.', () =>
      [...this.open].map(([path, value]) => ({ labels: { socket: nameOf(path) }, value })),
    );
    this.messages = metrics.counter(
      'socket_messages_total',
      'Messages of WebSockets, by kind and direction.',
    );
    this.closes = metrics.counter('socket_closes_total', 'Closed WebSockets, by kind and close code.');
  }

  opened(path: string): void {
    this.open.set(path, (this.open.get(path) ?? 0) + 1);
  }

  closed(path: string, code: number): void {
    this.open.set(path, (this.open.get(path) ?? 1) - 1);
    this.closes
      .labelled({ socket: nameOf(path), code: KNOWN_CODES.has(code) ? String(code) : 'other' })
      .add();
  }

  /** @returns counts one message */
  counter(path: string, direction: 'received' | 'sent'): () => void {
    const tally = this.messages.labelled({ socket: nameOf(path), direction });
    return () => tally.add();
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
