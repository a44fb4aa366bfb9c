import type { Oas3Rule } from '@redocly/openapi-core';
import { EVENT_TYPES } from '../../../src/events/outbox';
import { at, isObject } from '../json';

const EXAMPLE = ['post', 'requestBody', 'content', 'application/json', 'example'];

/**
 * Holds the document's webhooks to the events that the service sends: one for each type, named after it, with the body
 * that a test event of this type is made from.
 */
export const completeEvents: Oas3Rule = () => ({
  Root(root, context) {
    const { source, pointer } = context.location;
    const described = Object.keys((at(root, 'webhooks') ?? {}) as object);
    for (const type of EVENT_TYPES.filter((known) => !described.includes(known))) {
      context.report({ message: `lacks the webhook of the event ${type}`, location: { source, pointer } });
    }
  },
  WebhooksMap: {
    PathItem(item, context) {
      const { source, pointer } = context.location;
      const message = faultIn(item, String(context.key));
      if (message !== null) {
        context.report({ message, location: { source, pointer, reportOnKey: true } });
      }
    },
  },
});

function faultIn(item: unknown, type: string): string | null {
  if (!(EVENT_TYPES as readonly string[]).includes(type)) {
    return `is the webhook of an event that the service does not send: ${type}`;
  }
  const example = at(item, ...EXAMPLE);
  return at(example, 'event_type') === type && isObject(at(example, 'data'))
    ? null
    : `needs a post with an example of the event ${type}, and its data`;
}
