import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEnglish } from './english';

describe('isEnglish', () => {
  it.each([
    ['prose', 'The parties agree that the rent is paid on the first day of each month.', true],
    [
      'notes with many names',
      readFileSync(join(__dirname, '../../../../test/fixtures/advanced/meeting-notes.md'), 'utf8'),
      true,
    ],
    [
      'German',
      'Die Parteien vereinbaren, dass die Miete am ersten Tag des Monats gezahlt wird, und was sonst war.',
      false,
    ],
    [
      'French',
      'Les parties conviennent que le loyer est payé le premier jour de chaque mois, sur le compte.',
      false,
    ],
    [
      'Dutch',
      'De partijen komen overeen dat de huur op de eerste dag van elke maand wordt betaald, is was.',
      false,
    ],
    ['a text too short to tell', 'Rent is due.', null],
  ])('tells %s', (_, text, expected) => {
    expect(isEnglish(text)).toBe(expected);
  });
});
