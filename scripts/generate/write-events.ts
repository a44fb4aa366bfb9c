import { at, type JsonObject } from './json';

/** `events.ts`: the `data` of each event's example. The rules have seen to it that every event has one. */
export function writeEvents(document: JsonObject): string {
  const examples = Object.entries(document.webhooks as JsonObject).map(([type, item]) => [
    type,
    at(item, 'post', 'requestBody', 'content', 'application/json', 'example', 'data') ?? null,
  ]);
  return [
    `import type { EventExamples } from '../src/events/outbox';`,
    '',
    '/** What the document shows as the `data` of each type of events. */',
    `export const eventExamples: EventExamples = ${JSON.stringify(Object.fromEntries(examples), null, 2)};`,
    '',
  ].join('\n');
}
