import { ConsoleLogger, type LogLevel } from '@nestjs/common';

const LEVELS: LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Nest's boot logs of every module, route and message; only level debug shows them. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
  'NestApplication',
]);

/** The ends of secrets' names in headers, variables, addresses and settings. */
const NAMED = '(?:password|secret|token|authorization|cookie|api[-_]?key|private[-_]?key)';

/** The first group of a match is kept, the rest replaced. */
const SECRETS: RegExp[] = [
  /(svc_(?:live|test)_\w{4})\w+/g,
  /(whsec_\w{2})[\w+/=-]+/g,
  /(Bearer(?:\s|%20)+)[\w.~+/=-]+/gi,
  // Only where a word begins: a text full of beginnings would take quadratic time.
  /(?<![\w-])(eyJ[\w-]{4})[\w-]+\.[\w-]+\.[\w-]+/g,
  // An extended private key in place of a public one.
  /\b([a-z]prv\w{4})\w{90,}/gi,
  /(OTEL_EXPORTER_OTLP_(?:TRACES_)?HEADERS['"]?\s*[:=]\s*)[^\r\n]+/g,
  // A database password may hold an unencoded slash; the bound limits the time for hostile text.
  /((?:postgres(?:ql)?|rediss?):\/\/[^\s:/@]*:)[^\s"']{1,256}(?=@)/gi,
  // The user may be missing, as in redis://:password@host, and a password may hold an unencoded @.
  /(\/\/[^\s:/@]*:)[^\s/"']+(?=@)/g,
  // Quoted as in JSON, JSON within JSON, and Node's inspection.
  new RegExp(String.raw`(${NAMED}(?:\\*["'])?\s*[:=]\s*(\\*["']))(?:(?!\2)(?:\\.|[^]))+`, 'gi'),
  /(authorization['"]?\s*[:=]\s*['"]?(?:basic|bearer)\s+)[^\s"',}]+/gi,
  new RegExp(String.raw`(${NAMED}["']?\s*[:=]\s*)(?!(?:basic|bearer)\s|\\*["']|\[redacted)[^\s",}]+`, 'gi'),
];

const SECRET_MEMBER =
  /(?:password|secret|token|authorization|cookie|(?:api|access|private)[-_]?key|key_value|otlp(?:_traces)?_headers)$/i;

/** The end for an object that contains itself. */
const DEPTH_MAX = 10;

export class RedactingLogger extends ConsoleLogger {
  /** @param level the least severe level that is written: fatal, error, warn, log, debug or verbose */
  constructor(level: string) {
    super({ json: true, colors: false, logLevels: LEVELS.slice(0, LEVELS.indexOf(level as LogLevel) + 1) });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (CHATTER.has(String(rest.at(-1))) && !this.isLevelEnabled('debug')) {
      return;
    }
    super.log(message, ...(rest as string[]));
  }

  protected override getJsonLogObject(...inputs: Parameters<ConsoleLogger['getJsonLogObject']>) {
    return redact(super.getJsonLogObject(...inputs)) as ReturnType<ConsoleLogger['getJsonLogObject']>;
  }
}

export function redact(value: unknown, depthMax = DEPTH_MAX): unknown {
  if (typeof value === 'string') {
    return SECRETS.reduce((text, secret) => text.replace(secret, '$1[redacted]'), value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (value instanceof Error) {
    return redact(value.stack ?? value.message);
  }
  if (depthMax === 0) {
    return '[nested too deep]';
  }
  if (Array.isArray(value)) {
    return value.map((item) => redact(item, depthMax - 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redactMember(name, member, depthMax - 1)]),
  );
}

function redactMember(name: string, member: unknown, depthMax: number): unknown {
  const isHarmless = member === null || member === undefined || typeof member === 'boolean';
  return SECRET_MEMBER.test(name) && !isHarmless ? '[redacted]' : redact(member, depthMax);
}
