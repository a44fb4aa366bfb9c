import document from '../../generated/asyncapi.json';
import type { components } from '../../generated/types';
import type { JsonObject } from '../../scripts/generate/json';
import { refuseAmbiguousMessages } from '../../scripts/generate/sockets';
import { readMessage } from '../../src/contract/request-validator';
import { schemaFaults } from '../support/api/schema-faults';
import { ValidationFailed } from '../../src/errors/api-errors';
import { copyDocument, edit, refusal } from './copied-document';

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  type?: string | string[];
}

const schemas = document.components.schemas as unknown as Record<string, Schema>;
const messages = Object.keys(document.components.messages).map(
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
);

const received = refuseAmbiguousMessages(
  document as unknown as JsonObject,
) as (keyof components['schemas'])[];

function faultsOf(name: keyof components['schemas'], message: unknown): unknown[] {
  try {
    readMessage(name, message);
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) {
      return error.details;
    }
    throw error;
  }
}

describe('the document of the sockets', () => {
  it('describes every member and bounds every text, number, list and object', () => {
    const faults: string[] = [];
    for (const [name, schema] of Object.entries(schemas)) {
      walk(schema, name, faults);
    }
    expect(faults).toEqual([]);
  });

  it.each(messages)('has a valid example of %s', (name) => {
    expect(schemas[name]?.example).toBeDefined();
    expect(schemaFaults(name, structuredClone(schemas[name]?.example))).toEqual([]);
  });

  it.each(received)('holds what clients send to its schema: %s', (name) => {
    const example = schemas[name]?.example as Record<string, unknown>;
    expect(faultsOf(name, structuredClone(example))).toEqual([]);
    expect(faultsOf(name, { ...example, action: 'other' })).not.toEqual([]);
    expect(faultsOf(name, { ...example, undeclared: 1 })).not.toEqual([]);
    expect(faultsOf(name, { ...example, id: 'x'.repeat(65) })).not.toEqual([]);
  });
});

describe('readMessage', () => {
  it('names the place of every fault', () => {
    expect(faultsOf('RoomUpdate', { action: 'update', id: 1, data: [], base_version: -1, extra: 1 })).toEqual(
      [
        { field: 'room', message: 'is required' },
        {
          field: 'extra',
          message:
            'is not a known field; known here are action, id, room, data, base_version and idempotency_key',
        },
        { field: 'id', message: 'must be text' },
        { field: 'data', message: 'must be an object' },
        { field: 'base_version', message: 'must be at least 0' },
      ],
    );
  });

  it.each([null, undefined, 'text', 1, [{}]])('refuses %j, which is no object', (value) => {
    expect(faultsOf('RoomPing', value)).toEqual([{ field: 'body', message: 'must be an object' }]);
  });

  it('refuses text that cannot be stored, before it follows the value down', () => {
    expect(faultsOf('RoomMessage', { action: 'message', data: { note: 'a\0b' } })).toEqual([
      { field: 'data.note', message: 'must be well-formed text without NUL' },
    ]);
  });

  it('refuses a number that JSON reads as infinite', () => {
    const message: unknown = JSON.parse(
      '{"action":"update","room":"r","base_version":0,"data":{"n":[1e999]}}',
    );
    expect(faultsOf('RoomUpdate', message)).toEqual([
      { field: 'data.n[0]', message: 'must be a number between -1.8e308 and 1.8e308' },
    ]);
  });

  it('reads null for an optional field as its absence, and a word in any case', () => {
    expect(readMessage('RoomPing', { action: 'PING', id: null })).toEqual({ action: 'ping' });
  });
});

describe('the generator refuses sockets', () => {
  copyDocument(['keys', 'memory', 'pricing']);

  it('whose messages can not be told apart by their action', async () => {
    edit('sockets/stream.yaml', (yaml) =>
      yaml.setIn(['StreamCancel', 'properties', 'action', 'enum'], ['generate']),
    );
    expect(await refusal()).toEqual([expect.stringContaining('two messages of the action generate')]);
  });

  it('with a schema that the operations have too', async () => {
    edit('asyncapi.yaml', (yaml) => {
      yaml.setIn(['components', 'schemas', 'ApiError'], { $ref: 'sockets/collaborate.yaml#/ApiError' });
    });
    edit('sockets/collaborate.yaml', (yaml) => {
      yaml.set('ApiError', { type: 'string', maxLength: 1, description: 'A text.' });
      yaml.setIn(['RoomPing', 'properties', 'fault'], { $ref: 'collaborate.yaml#/ApiError' });
    });
    expect(await refusal()).toEqual([expect.stringContaining('both documents have a schema ApiError')]);
  });

  it('with a pattern whose faults nobody could name', async () => {
    edit('sockets/collaborate.yaml', (yaml) => {
      yaml.deleteIn(['RoomName', 'x-fault']);
    });
    expect(await refusal()).toEqual([expect.stringContaining('needs x-fault')]);
  });
});

function walk(schema: Schema, path: string, faults: string[]): void {
  const types = [schema.type].flat();
  const lacks = (type: string, ...keywords: string[]) =>
    types.includes(type) && keywords.every((keyword) => !(keyword in schema));
  if (
    lacks('string', 'maxLength', 'enum') ||
    lacks('integer', 'maximum') ||
    lacks('number', 'maximum') ||
    lacks('array', 'maxItems')
  ) {
    faults.push(`${path} is unbounded`);
  }
  if (types.includes('object') && schema.additionalProperties !== false && !('maxProperties' in schema)) {
    if (path !== 'SocketError') {
      faults.push(`${path} has any number of members`);
    }
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!('$ref' in property) && typeof property.description !== 'string') {
      faults.push(`${path}.${name} is not described`);
    }
    walk(property, `${path}.${name}`, faults);
  }
  if (schema.items) {
    walk(schema.items, `${path}[]`, faults);
  }
}
