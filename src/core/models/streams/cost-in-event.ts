import { memberSpan, withMember } from '../../../infrastructure/json/member-span';
import type { ServerSentEvent } from './server-sent-event';

/**
 * An event's bytes with `"cost"` as a member of its usage and all other bytes unchanged; null where the event has no
 * usage object at that path.
 * @param usagePath the names of the members that lead to the usage
 * @param costUsd the cost in US dollars, as a JSON number
 */
export function costInEvent(
  event: ServerSentEvent,
  usagePath: readonly string[],
  costUsd: string,
): Uint8Array | null {
  return memberInEvent(event, usagePath, 'cost', costUsd);
}

/**
 * An event's bytes with a member of the object at `path` set to `value`, which is JSON text. All other bytes stay as
 * they are. Null where the event has no such object.
 */
export function memberInEvent(
  event: ServerSentEvent,
  path: readonly string[],
  name: string,
  value: string,
): Uint8Array | null {
  // In latin1 every byte is one character, so bytes that are no UTF-8 stay as they are.
  const lines = Buffer.from(event.bytes)
    .toString('latin1')
    .match(/[^\r\n]*(?:\r\n|\r|\n|$)/g);
  const dataLines = (lines ?? []).filter(isData);
  const json = dataLines.map((line) => valueOf(line)).join('\n');
  const start = objectStart(json, path);
  if (start === null) {
    return null;
  }
  const changed = withMember(json, name, value, start).split('\n');
  let taken = 0;
  const text = (lines ?? []).map((line) => (isData(line) ? withValue(line, changed[taken++] ?? '') : line));
  return Buffer.from(text.join(''), 'latin1');
}

function objectStart(json: string, path: readonly string[]): number | null {
  let start = 0;
  for (const name of path) {
    const span = memberSpan(json, name, start);
    if (!span) {
      return null;
    }
    start = span.start;
  }
  return json[start] === '{' ? start : null;
}

function isData(line: string): boolean {
  return line.startsWith('data:') || line.startsWith('\u00ef\u00bb\u00bfdata:');
}

function valueOf(line: string): string {
  return line.slice(valueStart(line)).replace(/[\r\n]+$/, '');
}

function withValue(line: string, value: string): string {
  const start = valueStart(line);
  return line.slice(0, start) + value + line.slice(start + valueOf(line).length);
}

function valueStart(line: string): number {
  const colon = line.indexOf(':');
  return line[colon + 1] === ' ' ? colon + 2 : colon + 1;
}
