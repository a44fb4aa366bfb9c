import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument, type Document } from 'yaml';
import { RefusedDocument } from '../../scripts/generate/document';
import { generate } from '../../scripts/generate/main';

export const PROJECT = join(__dirname, '../..');

let folder: string;

/** Gives each test of the file a copy of the document, to be changed and generated from. */
export function copyDocument(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'generator-'));
    cpSync(join(PROJECT, 'openapi'), join(folder, 'openapi'), { recursive: true });
    cpSync(join(PROJECT, 'redocly.yaml'), join(folder, 'redocly.yaml'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
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
