import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../fixtures/legal');

export function contractFile(name: string): Buffer {
  return readFileSync(join(FOLDER, name));
}

export const SERVICE_AGREEMENT = contractFile('service-agreement.txt').toString('utf8');
export const NDA_FIRST = contractFile('nda-first.txt').toString('utf8');
export const NDA_SECOND = contractFile('nda-second.txt').toString('utf8');

export const LEGAL_PRICE = { baseNanoUsd: 5_000_000n, tokenNanoUsd: 30_000n };

export const GERMAN =
  'Zwischen der Nordwind Analyse GmbH und der Hafen AG wird folgender Vertrag geschlossen. Der Lieferant liefert die Berichte ' +
  'bis zum 1. April 2026. Der Kunde zahlt jede Rechnung innerhalb von dreißig Tagen nach deren Erhalt.';
