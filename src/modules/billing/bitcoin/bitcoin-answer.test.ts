import { answerObjects } from './bitcoin-answer';

it('refuses a list of millions of entries before it reads one', () => {
  const list = Array<unknown>(5_590_000).fill(null);
  expect(() => answerObjects(list, 'listsinceblock')).toThrow('too long a list');
});
