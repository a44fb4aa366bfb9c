import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8');

/** What `npm run generate` would write of the guide's operation. */
const GENERATED = `
import type { ApiTable, CallContext } from '../../contract/operation';
export interface GreetRequest { name: string }
export interface Greeting { text: string }
export interface Call<Operation extends 'greet'> extends CallContext { body: { greet: GreetRequest }[Operation] }
export interface GreetingsApi { greet: (call: Call<'greet'>) => Promise<Greeting> }
export declare const greetingsApi: ApiTable<GreetingsApi>;
`;

describe('the guide’s modules', () => {
  it('compile, and so does what it names of a request’s call', () => {
    const files = new Map([
      ['src/modules/greetings/greetings.ts', moduleOf('GreetingsModule')],
      ['src/modules/greetings/generated.ts', GENERATED],
      ['src/own/farewells.module.ts', moduleOf('FarewellsModule')],
      ['src/own/named.ts', named()],
    ]);
    expect(faultsIn(files)).toEqual([]);
  });
});

function moduleOf(name: string): string {
  const blocks = [...GUIDE.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text);
  const found = blocks.find((text) => text.includes(`export class ${name}`)) ?? '';
  expect(found).not.toBe('');
  return found.replaceAll(/'(?:\.\.\/)+generated\/(?:contract|types)'/g, "'./generated'");
}

/** What the text between the modules says of `request.call`. */
function named(): string {
  const expressions = [...GUIDE.matchAll(/`(request\.call[^`]*\))`/g)].map(([, text = '']) => text);
  expect(expressions).not.toEqual([]);
  const values = 'request: FastifyRequest & { call: object }, inputTokens: number, outputTokens: number';
  return `import type { FastifyRequest } from 'fastify';
export function use(${values}): void { ${expressions.join('; ')}; }`;
}

function faultsIn(files: Map<string, string>): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    ROOT,
  );
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const virtual = new Map([...files].map(([path, text]) => [join(ROOT, path), text]));
  const { fileExists, getSourceFile } = host;
  host.directoryExists = undefined;
  host.fileExists = (path) => virtual.has(path) || fileExists.call(host, path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = virtual.get(path);
    return text === undefined
      ? getSourceFile.call(host, path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  // Where the types of `request.call` are declared is no import of the guide's.
  const roots = [...virtual.keys(), join(ROOT, 'src/application.ts')];
  const program = ts.createProgram(roots, { ...options, noEmit: true }, host);
  return [...virtual.keys()].flatMap((path) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(path))
      .map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  );
}
