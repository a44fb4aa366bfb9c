import fc from 'fast-check';
import { chunkText, CHUNK_BYTES_MAX, SECTION_BYTES_MIN, SHORT_SECTIONS_MAX } from './outline';

const BODY = 'The bees dance to tell the others where flowers are. ';

describe('chunkText', () => {
  const texts = (source: string) => chunkText(source).map(({ start, end }) => source.slice(start, end));

  it('keeps a short text in one chunk, without the white space around it', () => {
    expect(chunkText('\n A library. It opens at nine. \n')).toEqual([{ start: 2, end: 30, heading: null }]);
    expect(chunkText(' \n\t')).toEqual([]);
    expect(chunkText('')).toEqual([]);
  });

  it('cuts between sentences, near the largest size', () => {
    const chunks = texts(BODY.repeat(100));
    expect(chunks.every((chunk) => chunk.startsWith('The bees') && chunk.endsWith('are.'))).toBe(true);
    expect(chunks.slice(0, -1).every((chunk) => chunk.length > 1_400)).toBe(true);
  });

  it('begins a chunk with a heading, and names the heading for those that follow too', () => {
    const source = `# Bees\n${BODY.repeat(32)}\n\n## Wasps ##\n${BODY.repeat(12)}`;
    const chunks = chunkText(source);
    expect(chunks.map(({ heading }) => heading)).toEqual(['Bees', 'Bees', 'Wasps']);
    expect(texts(source)[2]?.startsWith('## Wasps ##\nThe bees')).toBe(true);
  });

  it('keeps short sections apart, under headings of their own', () => {
    expect(chunkText('# A\nOne.\n\n# B\nTwo.').map(({ heading }) => heading)).toEqual(['A', 'B']);
  });

  it('puts short sections together once there are too many', () => {
    const chunks = chunkText('# A\nOne.\n\n'.repeat(1_000));
    expect(chunks.length).toBeGreaterThan(SHORT_SECTIONS_MAX);
    expect(chunks.length).toBeLessThan(SHORT_SECTIONS_MAX + 30);
  });

  it('never ends a chunk with a heading that leads on', () => {
    const source = `# A\n# B\n${BODY.repeat(2)}\n\n# C\n${'Длинное '.repeat(90)}.`;
    expect(texts(source).map((chunk) => chunk.slice(0, 3))).toEqual(['# A', '# C']);
  });

  it('cuts a sentence only where it is too long, behind a space and never within a pair', () => {
    const [first, second] = texts('word '.repeat(390));
    expect([first?.endsWith('word'), second?.startsWith('word')]).toEqual([true, true]);
    for (const chunk of texts('😀'.repeat(2_000))) {
      expect(chunk.isWellFormed()).toBe(true);
    }
  });

  it('is verbatim, in order, bounded, and leaves out nothing but white space', () => {
    const parts = fc.constantFrom(
      ...[
        'a',
        'B',
        '.',
        '。',
        ' ',
        '\n',
        '\n\n',
        '# ',
        '#',
        '```\n',
        '---\n',
        '**',
        '7',
        '語',
        '😀',
        '\ud800',
      ],
      ...['Title\n\n', BODY, '語'.repeat(400), 'x'.repeat(700), ' '.repeat(600), '\n# H\n'],
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 300, size: 'max' }), (pieces) => {
        const source = pieces.join('');
        const chunks = chunkText(source);
        let end = 0;
        const wrong = chunks.filter((chunk) => {
          const text = source.slice(chunk.start, chunk.end);
          const isNext = chunk.start >= end && source.slice(end, chunk.start).trim() === '';
          end = chunk.end;
          const isBounded = Buffer.byteLength(text.toWellFormed()) <= CHUNK_BYTES_MAX * 1.5;
          return !isNext || !isBounded || text === '' || text !== text.trim();
        });
        expect([wrong, source.slice(end).trim()]).toEqual([[], '']);
        expect(chunks.length).toBeLessThanOrEqual(
          SHORT_SECTIONS_MAX + 1 + Buffer.byteLength(source) / SECTION_BYTES_MIN,
        );
      }),
    );
  });
});
