import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import document from '../../generated/asyncapi.json';

const GUIDE = readFileSync(join(__dirname, '../../docs/sockets.md'), 'utf8');
/** The frames in the first column of the tables. */
const FRAMES = [...GUIDE.matchAll(/^\| `(\{"(?:action|type)".*?\})` \|/gm)].map(
  ([, frame = '']) => JSON.parse(frame) as { action?: string; type?: string },
);

interface MessageSchema {
  properties: Partial<Record<'action' | 'type', { enum: string[] }>>;
}

const MESSAGES = Object.values(document.components.messages).map(({ payload }) => {
  const name = payload.$ref.replace('#/components/schemas/', '');
  const schema = (document.components.schemas as unknown as Record<string, MessageSchema>)[name];
  const { action, type } = schema?.properties ?? {};
  return { name, kind: action ? `action ${action.enum[0]}` : `type ${type?.enum[0]}` };
});

function kindOf({ action, type }: (typeof FRAMES)[number]): string {
  return action === undefined ? `type ${type}` : `action ${action}`;
}

describe('the tables of frames in docs/sockets.md', () => {
  it('have one of every message of the AsyncAPI document', () => {
    expect(FRAMES.map(kindOf).sort()).toEqual(MESSAGES.map(({ kind }) => kind).sort());
  });

  it.each(FRAMES.map((frame) => [kindOf(frame), frame] as const))(
    'show %s in the form of its schema',
    (kind, frame) => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema(document, 'document');
      const name = MESSAGES.find((message) => message.kind === kind)?.name;
      const isValid = ajv.validate({ $ref: `document#/components/schemas/${name}` }, frame);
      expect([isValid, ajv.errors]).toEqual([true, null]);
    },
  );
});
