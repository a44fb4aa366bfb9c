import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../fixtures/upstream');

/** An answer of an upstream as it stands in test/fixtures/upstream, and what it answers. */
export interface Recording {
  readonly file: string;
  readonly operation: 'createChatCompletion' | 'createCompletion' | 'createEmbedding';
  /** Without a model. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Whether the client asks for usage in a stream. */
  readonly asksUsage: boolean;
  /** The tokens of input and output that the answer reports; null where it reports none. */
  readonly usage: readonly [number, number] | null;
}

export function readRecordings(): Recording[] {
  return JSON.parse(readFileSync(join(FOLDER, 'recordings.json'), 'utf8')) as Recording[];
}

export function bytesOf({ file }: Recording): Buffer {
  return readFileSync(join(FOLDER, file));
}

export function isStream({ file }: Recording): boolean {
  return file.endsWith('.sse');
}
