import { socketActions } from '../../generated/dto/sockets';
import document from '../../generated/asyncapi.json';
import { schemaFaults, validateDto } from '../../src/contract/validate-dto';
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

  const classes: (new () => object)[] = [
    ...Object.values(socketActions.stream),
    ...Object.values(socketActions.collaborate),
  ];
  it.each(classes.map((type) => [type.name, type] as const))(
    'judges messages by the generated class %s',
    (_, type) => {
      const example = schemas[type.name]?.example as Record<string, unknown>;
      expect(validateDto(type, structuredClone(example))).toEqual([]);
      expect(validateDto(type, { ...example, action: 'other' })).not.toEqual([]);
      expect(validateDto(type, { ...example, undeclared: 1 })).not.toEqual([]);
      expect(validateDto(type, { ...example, id: 'x'.repeat(65) })).not.toEqual([]);
    },
  );
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
