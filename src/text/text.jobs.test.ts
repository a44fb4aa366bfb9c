import { processorMsBelow } from '../../test/support/processor-time';
import { FINDINGS_MAX } from './places';
import { textJobs } from './text.jobs';

describe('textJobs', () => {
  it.each([
    ['findAmounts', '$5 '],
    ['findDates', '1 May 2025, '],
    ['findEntities', '1% '],
    ['findKeyValues', 'A: b\n'],
    ['findTables', '|a|\n|-|\n\n'],
    ['outlineText', '# A\n'],
  ] as const)('takes over no more than 10,000 findings of %s', (name, text) => {
    expect(textJobs[name].run(text.repeat(FINDINGS_MAX + 1))).toHaveLength(FINDINGS_MAX);
  });

  it.each(['findAmounts', 'findEntities'] as const)(
    'reads no further matches of a document than %s gives findings',
    async (name) => {
      const document = '$5 '.repeat(666_000);
      expect(await processorMsBelow(8_000, () => textJobs[name].run(document))).toBeLessThan(8_000);
    },
  );
});
