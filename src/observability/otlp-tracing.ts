import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as OpenTelemetrySpan,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import { endedWithin } from '../runtime/clock';
import {
  readTraceParent,
  type Span,
  type SpanCause,
  type SpanFacts,
  spanIdOf,
  type SpanKind,
  traceIdOf,
  type TraceParent,
  Tracing,
} from './tracing';

const SERVICE = 'credit-metered-ai-api';
const LOGGED_EVERY_MS = 60_000;
/** A collector that is down must not delay the end of the process. */
const FLUSHED_WITHIN_MS = 3_000;

const KINDS: Record<SpanKind, Kind> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  consumer: Kind.CONSUMER,
  internal: Kind.INTERNAL,
};

/** OpenTelemetry reads OTEL_* itself. At most 2,048 spans wait; further ones are dropped. */
export class OtlpTracing extends Tracing implements OnApplicationShutdown {
  readonly isOn = true;
  private readonly ids = new RequestIds();
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor(role: string) {
    super();
    logFaults();
    const own = { 'service.name': SERVICE, 'service.role': role };
    this.provider = new BasicTracerProvider({
      idGenerator: this.ids,
      // The operator's OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
      resource: defaultResource()
        .merge(resourceFromAttributes(own))
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    this.tracer = this.provider.getTracer(SERVICE);
  }

  serve(name: string, { requestId, parent }: SpanCause, facts: SpanFacts): Span {
    const context = contextOf(readTraceParent(parent));
    return new OtlpSpan(this.tracer, this.started(name, requestId, facts, context));
  }

  follow(name: string, kind: SpanKind, { requestId, parent }: SpanCause, facts: SpanFacts): Span {
    // Recreates the request's span as the parent; it is never ended, so that it is not sent twice.
    const context = contextOf(readTraceParent(parent));
    const request = this.started('request', requestId, {}, context);
    const within = trace.setSpan(ROOT_CONTEXT, request);
    const options = { kind: KINDS[kind], attributes: facts };
    return new OtlpSpan(this.tracer, this.tracer.startSpan(name, options, within));
  }

  async onApplicationShutdown(): Promise<void> {
    const flushed = this.provider.shutdown().catch(() => undefined);
    await endedWithin(FLUSHED_WITHIN_MS, flushed);
  }

  private started(name: string, requestId: string, facts: SpanFacts, context: Context): OpenTelemetrySpan {
    const options = { kind: Kind.SERVER, attributes: facts };
    return this.ids.for(requestId, () => this.tracer.startSpan(name, options, context));
  }
}

/** A request's span gets ids from the request id, all others random ones. */
class RequestIds extends RandomIdGenerator {
  private requestId: string | null = null;
  private readonly random = new RandomIdGenerator();

  for<Result>(requestId: string, start: () => Result): Result {
    this.requestId = requestId;
    try {
      return start();
    } finally {
      this.requestId = null;
    }
  }

  override generateTraceId = (): string =>
    this.requestId === null ? this.random.generateTraceId() : traceIdOf(this.requestId);

  override generateSpanId = (): string =>
    this.requestId === null ? this.random.generateSpanId() : spanIdOf(this.requestId);
}

class OtlpSpan implements Span {
  constructor(
    private readonly tracer: Tracer,
    private readonly span: OpenTelemetrySpan,
  ) {}

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  child(name: string, kind: SpanKind, facts: SpanFacts, startedMsAgo = 0): Span {
    const within = trace.setSpan(ROOT_CONTEXT, this.span);
    const startTime = startedMsAgo > 0 ? Date.now() - startedMsAgo : undefined;
    const options = { kind: KINDS[kind], attributes: facts, startTime };
    return new OtlpSpan(this.tracer, this.tracer.startSpan(name, options, within));
  }

  end(facts: SpanFacts = {}, fault: string | null = null): void {
    if (!this.span.isRecording()) {
      return;
    }
    this.span.setAttributes(facts);
    if (fault !== null) {
      this.span.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

function contextOf(parent: TraceParent | null): Context {
  if (parent === null) {
    return ROOT_CONTEXT;
  }
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** While a collector is down, each batch would write a line. */
function logFaults(): void {
  const logger = new Logger('Tracing');
  let loggedAtMs = -Infinity;
  const note = (fault: string): void => {
    if (performance.now() - loggedAtMs >= LOGGED_EVERY_MS) {
      loggedAtMs = performance.now();
      logger.warn({ message: 'spans could not be sent', error: fault });
    }
  };
  const ignore = (): void => undefined;
  const faults = { error: note, warn: note, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(faults, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
