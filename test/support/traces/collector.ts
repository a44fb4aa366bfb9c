import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface OtlpValue {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
}

interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: OtlpAttribute[];
  status: { code?: number; message?: string };
}

interface OtlpRequest {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** A span as the collector got it. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  /** As OTLP numbers them: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  facts: Record<string, unknown>;
  /** Of the process that sent it. */
  resource: Record<string, unknown>;
}

/** Takes what is sent by OTLP over HTTP as JSON (opentelemetry-proto, trace service), and remembers the spans. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** What came, byte for byte. */
  readonly texts: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isExpected = request.method === 'POST' && request.url === '/v1/traces';
        if (isExpected) {
          collector.take(Buffer.concat(chunks).toString());
        }
        response.writeHead(isExpected ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of the trace that a span of this request is in. */
  traceOf(requestId: string): CollectedSpan[] {
    const root = this.spans.find(
      ({ facts, kind }) => kind === SERVER && facts['app.request_id'] === requestId,
    );
    return this.spans.filter(({ traceId }) => traceId === root?.traceId);
  }

  /** From now on nobody can connect. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(text: string): void {
    this.texts.push(text);
    for (const { resource, scopeSpans } of (JSON.parse(text) as OtlpRequest).resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { traceId, spanId, parentSpanId = '', name, kind } = span;
        this.spans.push({
          traceId,
          spanId,
          parentSpanId: parentSpanId === '' ? null : parentSpanId,
          name,
          kind,
          facts: factsOf(span.attributes),
          resource: factsOf(resource.attributes),
        });
      }
    }
  }
}

export const SERVER = 2;

function factsOf(attributes: OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]));
}
