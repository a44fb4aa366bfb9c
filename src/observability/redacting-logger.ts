import { ConsoleLogger, type LogLevel } from '@nestjs/common';

const LEVELS: LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Nest logs every module, route and socket message at boot. These contexts are shown only at the level debug, for finding faults. */
const CHATTER = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
  'NestApplication',
]);

/** How names of secrets end: in headers, variables, addresses and settings. */
const NAMED = '(?:password|secret|token|authorization|cookie|api[-_]?key|private[-_]?key)';

/**
 * What must never reach a log, wherever it stands in a text. The first group of a match is kept, the rest replaced.
 */
const SECRETS: RegExp[] = [
  /(svc_(?:live|test)_\w{4})\w+/g,
  /(whsec_\w{2})[\w+/=-]+/g,
  /(Bearer(?:\s|%20)+)[\w.~+/=-]+/gi,
  /(eyJ[\w-]{4})[\w-]+\.[\w-]+\.[\w-]+/g,
  // An extended private key, which somebody has put where a public one belongs.
  /\b([a-z]prv\w{4})\w{90,}/gi,
  // Headers for a collector: each vendor has another name for the one that holds the key.
  /(OTEL_EXPORTER_OTLP_(?:TRACES_)?HEADERS['"]?\s*[:=]\s*)[^\r\n]+/g,
  // Here a slash that nobody has encoded is a part of the password; elsewhere it ends the name of the host. The bound is for
  // the time that this takes in a text made of beginnings.
  /((?:postgres(?:ql)?|rediss?):\/\/[^\s:/@]*:)[^\s"']{1,256}(?=@)/gi,
  // The user may be missing, as in redis://:password@host, and a password may hold an @ that nobody has encoded.
  /(\/\/[^\s:/@]*:)[^\s/"']+(?=@)/g,
  // Quoted as in JSON, also in JSON within a text of JSON, and as Node shows objects.
  new RegExp(String.raw`(${NAMED}(?:\\*["'])?\s*[:=]\s*(\\*["']))(?:(?!\2)(?:\\.|[^]))+`, 'gi'),
  /(authorization['"]?\s*[:=]\s*['"]?(?:basic|bearer)\s+)[^\s"',}]+/gi,
  new RegExp(String.raw`(${NAMED}["']?\s*[:=]\s*)(?!(?:basic|bearer)\s|\\*["']|\[redacted)[^\s",}]+`, 'gi'),
];

/** Members of objects whose values are secrets, whatever they look like: `password`, `webhook_secret`, `x-api-key`. */
const SECRET_MEMBER =
  /(?:password|secret|token|authorization|cookie|(?:api|access|private)[-_]?key|key_value|otlp(?:_traces)?_headers)$/i;

/** What is nested deeper is not written, so that an object which contains itself has an end. */
const DEPTH_MAX = 10;

/** One JSON line per message, without secrets. */
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

/** A copy of a value in which secrets are replaced in all texts, also inside of lists, objects and errors. */
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

/** Whether there is a secret may be told, as by null or false, but not what it is. */
function redactMember(name: string, member: unknown, depthMax: number): unknown {
  const isTold = member === null || member === undefined || typeof member === 'boolean';
  return SECRET_MEMBER.test(name) && !isTold ? '[redacted]' : redact(member, depthMax);
}
