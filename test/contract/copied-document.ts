import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument, type Document, type YAMLMap } from 'yaml';
import { RefusedDocument } from '../../scripts/generate/document';
import { generate } from '../../scripts/generate/main';

export const PROJECT = join(__dirname, '../..');

let folder: string;

/**
 * Gives each test of the block a copy of the document, to be changed and generated from.
 * @param tags the groups whose paths the copy has; all of them when absent. To judge the whole document takes seconds.
 */
export function copyDocument(tags?: readonly string[]): void {
  beforeEach(() => copyOf(tags));
  afterEach(removeCopy);
}

/** The same copy for all tests of a block, which removes it at its end. */
export function copyOf(tags?: readonly string[]): void {
  folder = mkdtempSync(join(tmpdir(), 'generator-'));
  cpSync(join(PROJECT, 'openapi'), join(folder, 'openapi'), { recursive: true });
  cpSync(join(PROJECT, 'redocly.yaml'), join(folder, 'redocly.yaml'));
  if (tags) {
    edit('openapi.yaml', (document) => keepPaths(document, tags));
  }
}

export function removeCopy(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The path of a file beside the copy. */
export function pathOf(name: string): string {
  return join(folder, name);
}

export function generateInto(name: string): Promise<void> {
  return generate(join(folder, 'openapi/openapi.yaml'), join(folder, name));
}

/** The places that the generator names, having written nothing. */
export async function refusal(): Promise<string[]> {
  const error = await generateInto('out').then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RefusedDocument);
  expect(existsSync(join(folder, 'out'))).toBe(false);
  return (error as RefusedDocument).places;
}

/** Changes one file of the copied document and returns its new text. */
export function edit(name: string, change: (document: Document) => void): string {
  const document = parseDocument(source(name));
  change(document);
  const text = document.toString({ lineWidth: 0 });
  writeFileSync(join(folder, 'openapi', name), text);
  return text;
}

export function source(name: string): string {
  return readFileSync(join(folder, 'openapi', name), 'utf8');
}

function keepPaths(document: Document, tags: readonly string[]): void {
  const paths = document.get('paths') as YAMLMap;
  const isKept = (reference: unknown) =>
    tags.some((tag) => String(reference).startsWith(`paths/${tag}.yaml#`));
  for (const { key } of [...paths.items]) {
    if (!isKept(paths.getIn([key, '$ref']))) {
      paths.delete(key);
    }
  }
}

/** Of a place that the generator names; counted from 1. */
export function lineOf(place: string): number {
  return Number(/:(\d+) /.exec(place)?.[1]);
}

/** Counted from 1. */
export function lineWhere(text: string, matches: (line: string) => boolean): number {
  return text.split('\n').findIndex(matches) + 1;
}

/** The TypeScript and JSON below a folder, by their paths. */
export function filesIn(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => name.endsWith('.ts') || name.endsWith('.json'));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}
