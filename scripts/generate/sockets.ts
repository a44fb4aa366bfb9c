import { RefusedDocument } from './document';
import { at, resolveComponent, type Json, type JsonObject } from './json';
import { nameOf } from './operations';

/**
 * What the service receives is chosen by `action`, so each message of a path allows one value of it that no other one has.
 * @returns the components of the messages that clients send
 * @throws RefusedDocument
 */
export function refuseAmbiguousMessages(document: JsonObject): string[] {
  const received = (Object.values(document.operations as JsonObject) as JsonObject[])
    .filter(({ action }) => action === 'receive')
    .flatMap(({ channel, messages }) =>
      (messages as Json[]).map((message) => {
        const schema = schemaOf(document, message);
        return { channel: nameOf(at(channel ?? null, '$ref')), action: actionOf(document, schema), schema };
      }),
    );
  const twice = received.find(({ channel, action }, place) =>
    received.slice(0, place).some((earlier) => earlier.channel === channel && earlier.action === action),
  );
  if (twice) {
    refuse(`the channel ${twice.channel} has two messages of the action ${twice.action}`);
  }
  return received.map(({ schema }) => schema);
}

/** The document as the generated code needs it, with the schemas of messages beside those of operations. */
export function withSocketSchemas(document: JsonObject, sockets: JsonObject): JsonObject {
  const schemas = at(document, 'components', 'schemas') as JsonObject;
  for (const [name, schema] of Object.entries(at(sockets, 'components', 'schemas') as JsonObject)) {
    if (Object.hasOwn(schemas, name)) {
      refuse(`both documents have a schema ${name}`);
    }
    schemas[name] = schema;
  }
  return document;
}

/** The component of a message, which the operation names through its channel. */
function schemaOf(document: JsonObject, reference: Json): string {
  const message = resolveComponent(document, resolveComponent(document, reference));
  const schema = nameOf(at(message, 'payload', '$ref'));
  return schema ?? refuse(`a message has no component as its payload: ${JSON.stringify(reference)}`);
}

function actionOf(document: JsonObject, schema: string): string {
  const choices = at(document, 'components', 'schemas', schema, 'properties', 'action', 'enum');
  const [action, ...others] = Array.isArray(choices) ? choices : [];
  return typeof action === 'string' && others.length === 0
    ? action
    : refuse(`${schema} allows no single value of action`);
}

function refuse(reason: string): never {
  throw new RefusedDocument([`openapi/asyncapi.yaml:1 ${reason}`]);
}
