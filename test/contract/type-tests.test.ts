import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';

const PROJECT = join(__dirname, '../..');
const FOLDER = join(__dirname, 'type-tests');
const EXPECTATION = /\/\/ @ts-expect-error .*/g;

interface Fault {
  code: number;
  text: string;
  line: number;
}

/** What the compiler must say about each file, in order; the texts are flattened. */
const FAULTS: Record<string, [number, RegExp][]> = {
  'account-of-open-operation.ts': [
    [2339, /^Property 'account' does not exist on type '.*CallContext/],
    [2339, /^Property 'account' does not exist on type '.*CallContext/],
  ],
  'answered-operations.ts': [
    [2345, /Property 'weigh' is missing in type/],
    [2322, /Property 'grams' is missing in type .* but required in type/],
    [2339, /^Property 'pounds' does not exist on type 'Answered</],
    [2322, /Property 'verdict' is missing in type '\{ kilograms: number; \}' but required in type/],
    [2339, /^Property 'tier' does not exist on type/],
    [2339, /^Property 'weight' does not exist on type/],
    [2367, /have no overlap\.$/],
  ],
  'call-of-another-operation.ts': [
    [1238, /'typeof Served' is not assignable .* is missing the following properties .*: account, key$/],
    [
      2416,
      /'getHubHealth' in type 'Declared' is not assignable .* is missing the following properties .*: account, key$/,
    ],
  ],
  'complete.ts': [],
  'meter-of-free-operation.ts': [
    [2339, /^Property 'meter' does not exist on type 'Input</],
    [2339, /^Property 'meter' does not exist on type 'Input</],
  ],
  'missing-operation.ts': [
    [1238, /Property 'getReadiness' is missing in type 'Served' but required in type 'HealthApi'/],
    [2420, /Property 'getReadiness' is missing in type 'Declared' but required in type 'HealthApi'/],
  ],
  'missing-response-field.ts': [
    [1238, /'typeof Served' is not assignable .* Property 'timestamp' is missing/],
    [2416, /'getHubHealth' in type 'Declared' is not assignable .* Property 'timestamp' is missing/],
  ],
  'unknown-body-field.ts': [
    [2339, /^Property 'tier' does not exist on type/],
    [2339, /^Property 'tier' does not exist on type/],
  ],
};

const faults = compileWithoutExpectations();

describe('a controller that differs from the document does not compile', () => {
  it('is tried in every file of the folder', () => {
    expect(Object.keys(FAULTS)).toEqual(readdirSync(FOLDER).sort());
  });

  it.each(Object.entries(FAULTS))('%s', (name, expected) => {
    const found = faults.get(name)?.found ?? [];
    expect(found.map(({ code, text }) => [code, text])).toEqual(
      expected.map(([code, text]): unknown[] => [code, expect.stringMatching(text)]),
    );
    expect(found.map(({ line }) => line)).toEqual(faults.get(name)?.announced);
  });
});

/** The faults in each file, and the lines below its `@ts-expect-error` comments, which the compiler does not get to see. */
function compileWithoutExpectations(): Map<string, { found: Fault[]; announced: number[] }> {
  const files = readdirSync(FOLDER).map((name) => join(FOLDER, name));
  const { config } = ts.readConfigFile(join(PROJECT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, PROJECT);
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (path) =>
    files.includes(path) ? readFile(path)?.replaceAll(EXPECTATION, '') : readFile(path);
  const program = ts.createProgram(files, options, host);
  return new Map(
    files.map((path) => {
      const source = program.getSourceFile(path) as ts.SourceFile;
      const diagnostics = [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ];
      return [
        basename(path),
        { found: diagnostics.map(toFault), announced: announcedLines(readFile(path) ?? '') },
      ];
    }),
  );
}

function toFault(diagnostic: ts.Diagnostic): Fault {
  const { line } = ts.getLineAndCharacterOfPosition(diagnostic.file as ts.SourceFile, diagnostic.start ?? 0);
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').replaceAll(/\s+/g, ' ');
  return { code: diagnostic.code, text, line: line + 1 };
}

function announcedLines(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim().startsWith('// @ts-expect-error') ? [index + 2] : []));
}
