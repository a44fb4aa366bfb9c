import { outlineOf } from './outline';

const of = (text: string) => outlineOf(text).map(({ level, title }) => `${level} ${title}`);

describe('outlineOf', () => {
  it('reads the headings of Markdown, and none in code or front matter', () => {
    const text =
      '---\ntitle: x\n---\n# Guide **to** `it` #\n\n```sh\n# comment\n```\n\nUse it\n------\ntext\n\n### [Deep](http://x.y)\n';
    expect(of(text)).toEqual(['1 Guide to it', '2 Use it', '3 Deep']);
    const [, second] = outlineOf(text);
    expect(text.slice(second?.start, second?.end)).toBe('Use it\n------');
  });

  it('reads numbered headings, and no items of lists', () => {
    const text =
      '1. Definitions\n\n1.1 Scope of Services\nThe provider does it.\n\n2. Term\nIt runs.\n\n1. Buy milk\n2. Buy bread\n3. Go home\n';
    expect(of(text)).toEqual(['1 Definitions', '2 Scope of Services', '1 Term']);
  });

  it('takes rows of tables and addresses for no headings', () => {
    const text =
      'Huber e.K.\n455 Lake Avenue, Chicago\nBonn\n22 Mill Lane, Bristol\nBath\n\n2     Stühle      6     245,50 €\n3     Aufbau      1     120,00 €\n\nEnd.\n';
    expect(of(text)).toEqual([]);
    expect(of('1 Hard Drive Failures\nIt begins.\n\n2 Repairs\nIt ends.\n')).toHaveLength(2);
    expect(of('1 Introduction\nIt begins.\n\n12 Annex\nIt ends.\n')).toEqual(['1 Introduction', '1 Annex']);
  });

  it('reads titles that stand before their clause in one line', () => {
    const text = '3. Term and Termination. This Agreement begins today.\n4. The parties agree. They sign.\n';
    expect(of(text)).toEqual(['1 Term and Termination']);
    const [heading] = outlineOf(text);
    expect(text.slice(heading?.start, heading?.end)).toBe('3. Term and Termination');
  });

  it('reads such titles in sentence case, and no sentences', () => {
    const text =
      '1. Limitation of liability. The supplier pays nothing.\n2. Governing law. English law applies.\n3. Term and termination: This lease ends.\n4. Each party pays its tax of ten. So be it.\n5. Payment is due. Then it ends.\n';
    expect(of(text)).toEqual(['1 Limitation of liability', '1 Governing law', '1 Term and termination']);
  });

  it('reads articles, sections and paragraphs', () => {
    const text =
      'ARTICLE I\n\nSection 1.1 Parties\ntext\n\nArticle II: Payment\n\n§ 4 Kündigung\n\nSection 5 says that it ends here.\n';
    expect(of(text)).toEqual(['1 ARTICLE I', '3 Parties', '1 Payment', '2 Kündigung']);
  });

  it('reads titles below their label, which are no labels themselves', () => {
    const text =
      'SECTION 1\nScope\n\nAll.\n\nSECTION 2\nIt is paid.\n\nPart 1\nChapter 1\n\nText.\n\nSECTION 3\nSECTION 4\n\nI. Smith\n\nManager\n';
    expect(of(text)).toEqual([
      '2 Scope',
      '2 SECTION 2',
      '1 Part 1',
      '1 Chapter 1',
      '2 SECTION 3',
      '2 SECTION 4',
    ]);
    const [scope] = outlineOf(text);
    expect(text.slice(scope?.start, scope?.end)).toBe('SECTION 1\nScope');
  });

  it('reads lines in capitals that stand by themselves', () => {
    const text =
      'SERVICE AGREEMENT\n\nThis is it.\nNOT THIS\n\nTERMS OF USE\nThey are.\n\nNO, NOT THIS EITHER.\n\nA\tB\n';
    expect(of(text)).toEqual(['1 SERVICE AGREEMENT', '1 TERMS OF USE']);
  });

  it('makes anchors as GitHub does, each once', () => {
    const text = '# Usage\n# Usage\n## Usage-1\n# C# & more: Über_uns!\n';
    expect(outlineOf(text).map(({ anchor }) => anchor)).toEqual([
      'usage',
      'usage-1',
      'usage-1-1',
      'c--more-über_uns',
    ]);
  });
});
