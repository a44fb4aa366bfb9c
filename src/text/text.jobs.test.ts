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
});
