import { RefusedDocument } from './document';
import { at, resolveComponent, type Json, type JsonObject } from './json';
import { nameOf } from './operations';

/** One path of sockets: the components of the messages that go each way. */
export interface SocketChannel {
  name: string;
  /** What clients send, by the value of its member `action`. */
  actions: { action: string; schema: string }[];
  /** What the service sends. */
  answers: string[];
}

/**
 * The channels of the AsyncAPI document. What the service receives is chosen by `action`, so each such message allows one
 * value of it that no other message of the channel has.
 * @throws RefusedDocument
 */
export function readSockets(document: JsonObject): SocketChannel[] {
  const operations = Object.values(document.operations as JsonObject) as JsonObject[];
  return Object.keys(document.channels as JsonObject).map((name) => {
    const messages = (action: string): string[] =>
      operations
        .filter(
          (operation) => operation.action === action && nameOf(at(operation, 'channel', '$ref')) === name,
        )
        .flatMap((operation) => operation.messages as Json[])
        .map((message) => schemaOf(document, message));
    const actions = messages('receive').map((schema) => ({ action: actionOf(document, schema), schema }));
    const twice = actions.find(
      ({ action }, place) => actions.findIndex((one) => one.action === action) !== place,
    );
    if (twice) {
      refuse(`the channel ${name} has two messages of the action ${twice.action}`);
    }
    return { name, actions, answers: messages('send') };
  });
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
