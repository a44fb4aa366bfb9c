import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../fixtures/text');

/** Inputs with their right answers from `test/fixtures/text/<name>.json`. */
export function casesOf<Case>(name: string): readonly Case[] {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Case[];
}
