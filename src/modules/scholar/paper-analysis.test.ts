import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { FaultTally } from '../../models/generation/output-schema';
import { placedAnalysis, analysisOf, type PaperAnalysis, standingOutput } from './paper-analysis';
import { paperSummaryOf, placedSummary } from './paper-parts';

const FIXTURES = join(__dirname, '../../../test/fixtures/scholar');
const read = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');
const PAPER = read('tidal-gardens.md');
const PAGE = load(read('slow-routing.html'))('body').text().replace(/^ +/gm, '');
const LIST = read('reading-list.txt');

describe('analysisOf a paper in Markdown', () => {
  const analysis = analysisOf(PAPER);

  it('finds its sections and what they are', () => {
    expect(analysis.sections.map(({ kind, heading }) => [kind, heading])).toEqual([
      ['front_matter', 'Tidal Gardens and Sleep: A Field Trial on Three Islands'],
      ['abstract', 'Abstract'],
      ['introduction', 'Introduction'],
      ['methods', 'Methods'],
      ['methods', 'Participants'],
      ['methods', 'Procedure'],
      ['results', 'Results'],
      ['discussion', 'Discussion'],
      ['conclusion', 'Conclusion'],
      ['references', 'References'],
    ]);
    expectPlaces(PAPER, analysis);
  });

  it('reads its references', () => {
    expect(
      analysis.references.map(({ authors, year, title, doi, url }) => [authors, year, title, doi, url]),
    ).toEqual([
      [
        ['Brandt, K.', 'Osei, A. B.', 'Núñez, J.-P.'],
        '2015',
        'Light at the shore: A review',
        '10.5555/jch.2015.0042',
        null,
      ],
      [['Okafor, N.', 'Lund, P.'], '2018', 'Lit evenings', null, null],
      [['van der Berg, L.'], '2019a', 'Wrist sensors in the wild', '10.5555/meas.12.3', null],
      [['van der Berg, L.'], '2019b', 'Shores without light', null, null],
      [['Whitcombe, D.'], '2011', 'Harbour towns and their sleepers', null, null],
      [
        ['World Sleep Council'],
        '2020',
        'Gardens and rest: Annual report',
        null,
        'https://sleep.example/reports/2020.pdf',
      ],
      [['Yilmaz, E.'], '2016', 'Salt on leaves', null, null],
    ]);
  });

  it('counts where each of them is cited, and names what no reference answers to', () => {
    expect(
      analysis.references.map(({ families, year, citations }) => [families[0], year, citations]),
    ).toEqual([
      ['Brandt', '2015', 1],
      ['Okafor', '2018', 2],
      ['van der Berg', '2019a', 1],
      ['van der Berg', '2019b', 1],
      ['Whitcombe', '2011', 2],
      ['World Sleep Council', '2020', 1],
      ['Yilmaz', '2016', 0],
    ]);
    expect(analysis.citations.map(({ text }) => text.replace(/\s+/g, ' '))).toEqual([
      '(Okafor & Lund, 2018)',
      '(Brandt et al., 2015; Okafor & Lund, 2018)',
      'Whitcombe (2011)',
      '(see also World Sleep Council, 2020)',
      '(Marsh, 2003)',
      'van der Berg (2019a)',
      'Whitcombe (2011)',
      'van der Berg (2019b)',
    ]);
    expect(analysis.citations.flatMap(({ unmatched }) => unmatched)).toEqual(['Marsh, 2003']);
  });

  it('finds its statistics', () => {
    expect(analysis.statistics.map(({ kind, comparison, value }) => [kind, comparison, value])).toEqual([
      ['sample_size', '=', 240],
      ['percentage', null, 52.5],
      ['mean', null, 43.2],
      ['t', '=', 4.12],
      ['p_value', '<', 0.001],
      ['confidence_interval', null, 95],
      ['f', '=', 3.45],
      ['p_value', '=', 0.033],
      ['correlation', '=', 0.46],
      ['p_value', '<', 0.001],
      ['chi_square', '=', 0.84],
      ['p_value', '=', 0.36],
      ['mean', null, 31],
    ]);
    const of = (wanted: string) => analysis.statistics.filter(({ kind }) => kind === wanted);
    expect(of('mean').map(({ deviation }) => deviation)).toEqual([11.8, 7.4]);
    expect(of('confidence_interval')).toMatchObject([{ low: 16.4, high: 45.6 }]);
    expect(
      [of('t'), of('f'), of('correlation'), of('chi_square')].map(([each]) => each?.degrees_of_freedom),
    ).toEqual([[238], [2, 237], [118], [1]]);
  });
});

describe('analysisOf a page with numbered references', () => {
  const analysis = analysisOf(PAGE);

  it('finds its sections', () => {
    expect(analysis.sections.map(({ kind }) => kind)).toEqual([
      'front_matter',
      'abstract',
      'introduction',
      'methods',
      'results',
      'conclusion',
      'references',
    ]);
    expectPlaces(PAGE, analysis);
  });

  it('reads its references, and the ranges of numbers by which they are cited', () => {
    expect(
      analysis.references.map(({ number, authors, year, title, doi, url, citations }) => [
        number,
        authors,
        year,
        title,
        doi ?? url,
        citations,
      ]),
    ).toEqual([
      [1, ['J. Abara', 'M. K. Stone'], '2014', 'Flapping links in the wild', null, 1],
      [2, ['P. Quint'], '2009', 'Routes that change too often', null, 2],
      [3, ['A. Rossi', 'B. Li', "C. D'Souza"], '2001', 'A model of waiting routers', '10.5555/tn.2001.77', 2],
      [4, ['T. Vries'], '1998', 'Damping Explained', null, 1],
      [5, ['Campus Traffic Archive'], '2012', 'Traces of spring', 'https://traces.example/spring', 1],
    ]);
    expect(analysis.citations.flatMap(({ unmatched }) => unmatched)).toEqual(['[9]']);
  });

  it('finds its statistics', () => {
    expect(analysis.statistics.map(({ kind, value, deviation }) => [kind, value, deviation])).toEqual([
      ['sample_size', 30, null],
      ['percentage', 37.5, null],
      ['p_value', 0.004, null],
      ['mean', 12.1, 0.9],
    ]);
  });
});

describe('analysisOf a reading list', () => {
  it('reads entries that stand line by line', () => {
    const analysis = analysisOf(LIST);
    expect(analysis.references.map(({ authors, year, title, doi }) => [authors, year, title, doi])).toEqual([
      [['Amsel, Greta'], '2017', 'The River as a Person', null],
      [['Dunne, Patrick', 'Aoife Kearney'], '2009', 'Who Owns the Flood?', null],
      [['Ministry of Waters'], '2020', 'Annual Report on River Rights', null],
      [['Tanaka, Yuki'], '2013', 'Dams and Their Courts', '10.5555/jrp.6.33'],
    ]);
    expectPlaces(LIST, analysis);
  });
});

describe('analysisOf texts in further forms', () => {
  const { sections, references, citations, statistics } = analysisOf(
    [
      'Introduction',
      'As Smith and Lee (2019) and O’Brien et al. (2020, p. 4) say, in 2019 (see Figure 3) it held (Lee, 2019, pp. 3-4; Li, 2001a, 2001b).',
      "In March (2020) nothing. Since de la Cruz's (2014) work the World Health Organization reports (World Health Organization [WHO], 2018).",
      '## Materials and Methods',
      'We asked people (N = 30; Müller, 2007).',
      'RESULTS',
      '',
      'We found p=0.03, OR 2.1 (95% CI: 1.2–3.4), 90% CI [1, 2], t(19) = −2.31, 12% to 15%, n=1,204.',
      'References',
      '1. Smith J, Lee K. A trial of sleep. J Sleep Res. 2019;28(3):101-9. doi:10.1111/jsr.12345',
      "2. O'Brien P, García-López M, et al. Rest and noise in towns. Lancet. 2020;395:1–9.",
      '3. de la Cruz, M. (2014). The long river. Cambridge University Press.',
      '4. Rossi, Anna, and Paul Weiss. "A Title: With Subtitle." Journal of Things, vol. 3, no. 2, 2011, pp. 1-9.',
      '5. R. Feynman, R. Leighton and M. Sands, The Feynman Lectures on Physics, vol. 1, Addison-Wesley, 1964.',
      '6. World Health Organization. World report on ageing. Geneva: WHO; 2018. Available from: https://who.example/x.',
      '7. Vaswani, A., Shazeer, N., et al.: Attention is all you need. In: NIPS, pp. 5998–6008 (2017).',
    ].join('\n'),
  );

  it('finds headings without marks', () => {
    expect(sections.map(({ kind }) => kind)).toEqual(['introduction', 'methods', 'results', 'references']);
  });

  it('reads the forms of medicine, engineering and proceedings', () => {
    expect(references.map(({ authors, year, title }) => [authors, year, title])).toEqual([
      [['Smith J', 'Lee K'], '2019', 'A trial of sleep'],
      [["O'Brien P", 'García-López M'], '2020', 'Rest and noise in towns'],
      [['de la Cruz, M.'], '2014', 'The long river'],
      [['Rossi, Anna', 'Paul Weiss'], '2011', 'A Title: With Subtitle'],
      [['R. Feynman', 'R. Leighton', 'M. Sands'], '1964', 'The Feynman Lectures on Physics'],
      [['World Health Organization'], '2018', 'World report on ageing'],
      [['Vaswani, A.', 'Shazeer, N.'], '2017', 'Attention is all you need'],
    ]);
    expect([references[0]?.doi, references[5]?.url]).toEqual(['10.1111/jsr.12345', 'https://who.example/x']);
  });

  it('tells citations from months and figures', () => {
    expect(citations.map((each) => [each.text, each.references, each.unmatched])).toEqual([
      ['Smith and Lee (2019)', [0], []],
      ['O’Brien et al. (2020, p. 4)', [1], []],
      ['(Lee, 2019, pp. 3-4; Li, 2001a, 2001b)', [], ['Lee, 2019', 'Li, 2001a', 'Li, 2001b']],
      ["de la Cruz's (2014)", [2], []],
      ['(World Health Organization [WHO], 2018)', [5], []],
      ['(N = 30; Müller, 2007)', [], ['Müller, 2007']],
    ]);
  });

  it('reads statistics as they are set', () => {
    expect(statistics.map(({ text, value, low, high }) => [text, value, low, high])).toEqual([
      ['N = 30', 30, null, null],
      ['p=0.03', 0.03, null, null],
      ['95% CI: 1.2–3.4', 95, 1.2, 3.4],
      ['90% CI [1, 2]', 90, 1, 2],
      ['t(19) = −2.31', -2.31, null, null],
      ['12%', 12, null, null],
      ['15%', 15, null, null],
      ['n=1,204', 1204, null, null],
    ]);
  });
});

describe('analysisOf more than is returned', () => {
  it.each([
    ['citations', 5_000, '(Okafor, 2018) '],
    ['statistics', 2_000, 'p = .05; '],
  ] as const)('tells that %s were left out', (list, countMax, one) => {
    expect(analysisOf(one.repeat(countMax)).truncated).toBe(false);
    const found = analysisOf(one.repeat(countMax + 1));
    expect([found[list].length, found.truncated]).toEqual([countMax, true]);
  });
});

describe('placedAnalysis', () => {
  const [raw = '', other = ''] = analysisOf(PAPER).references.map((reference) => reference.raw);
  const told = {
    sections: [
      { heading: 'Abstract', kind: 'abstract' as const },
      { heading: 'Results', kind: 'results' as const },
    ],
    references: [
      {
        raw: other,
        authors: ['Okafor, N.', 'Lund, P.'],
        year: '2018',
        title: 'Lit evenings',
        doi: null,
        url: null,
      },
      { raw, authors: ['Brandt, K.'], year: '2015', title: null, doi: null, url: null },
    ],
  };

  it('places what a model told, in the order of the text, and counts citations itself', () => {
    const tally = new FaultTally();
    expect(standingOutput(PAPER, told, tally)).toEqual(told);
    expect(tally.dropped).toBe(0);
    const analysis = placedAnalysis({ text: PAPER, output: told });
    expectPlaces(PAPER, analysis);
    expect(analysis.sections.map(({ kind, heading }) => [kind, heading])).toEqual([
      ['front_matter', null],
      ['abstract', 'Abstract'],
      ['results', 'Results'],
    ]);
    expect(analysis.references.map((each) => [each.raw, each.citations])).toEqual([
      [raw, 1],
      [other, 2],
    ]);
    expect(analysis.statistics).toHaveLength(13);
  });

  it('leaves out and counts what does not stand in the text', () => {
    const first = { raw: other, authors: [], year: null, title: null, doi: null, url: null };
    const tally = new FaultTally();
    const output = standingOutput(
      PAPER,
      {
        sections: [
          { heading: 'Invention', kind: 'results' },
          { heading: 'Results', kind: 'results' },
        ],
        references: [
          { ...first, raw: 'Nobody, A. (2001). Nothing.' },
          { ...first, year: '1999', authors: ['Okafor, N.', 'Invented, X.'] },
        ],
      },
      tally,
    );
    expect(output).toEqual({
      sections: [{ heading: 'Results', kind: 'results' }],
      references: [{ ...first, authors: ['Okafor, N.'] }],
    });
    expect(tally).toMatchObject({ kept: 2, dropped: 2 });
  });
});

describe('paperSummaryOf', () => {
  it('finds the abstract, and quotes from each section but the references', () => {
    const { abstract, summary, keyPoints } = paperSummaryOf({ text: PAPER, sentencesMax: 3, pointsMax: 1 });
    expect(abstract?.text).toMatch(/^We tested whether .* hours spent outdoors\.$/s);
    expect(PAPER.slice(abstract?.start, abstract?.end)).toBe(abstract?.text);
    expect(keyPoints.map(({ kind }) => kind)).toEqual([
      'introduction',
      'methods',
      'methods',
      'results',
      'discussion',
      'conclusion',
    ]);
    for (const { text, start, end } of keyPoints.flatMap(({ points }) => points)) {
      expect(PAPER.slice(start, end)).toBe(text);
    }
    expect(summary).not.toContain('doi.org');
    expect(summary).not.toBe('');
  });

  it('finds an abstract that begins in its line, and summarizes a text without headings', () => {
    const text =
      'A Title\n\nAbstract. Bees dance to tell their sisters of meadows far away.\n\nIntroduction\nBees tell each other of meadows by dancing in the dark hive.';
    expect(paperSummaryOf({ text, sentencesMax: 1, pointsMax: 1 }).abstract?.text).toBe(
      'Bees dance to tell their sisters of meadows far away.',
    );
    const plain = 'Bees tell each other of meadows by dancing in the dark hive.';
    expect(paperSummaryOf({ text: plain, sentencesMax: 1, pointsMax: 1 })).toMatchObject({
      abstract: null,
      summary: plain,
      keyPoints: [{ heading: null, kind: 'other', points: [{ text: plain, start: 0 }] }],
    });
  });

  it("puts a model's quotes under their sections", () => {
    const quote = 'Half of them tended a tidal garden for twelve weeks.';
    const start = PAPER.indexOf(quote);
    const quotes = [{ text: quote, start, end: start + quote.length }];
    expect(placedSummary({ text: PAPER, summary: 'Short.', quotes })).toMatchObject({
      summary: 'Short.',
      keyPoints: [{ heading: 'Procedure', kind: 'methods', points: quotes }],
    });
  });
});

describe('hostile texts', () => {
  it.each([
    ['numbers in brackets', '[1]'],
    ['long ranges', '[1-9999]'],
    ['citations', '(a, 2020)'],
    ['citations of names', 'Smith (2020) '],
    ['digits', '7'],
    ['open parentheses', '('],
    ['open brackets', '[1, '],
    ['initials', 'A. '],
    ['capitals', 'Aa '],
    ['headings', 'References\n'],
    ['numbered lines', '[1] Smith, J. (2020). A title. '],
    ['entries', 'Smith, J. (2020). A title.\n'],
    ['percents', '1,111,111.1%'],
    ['statistics', 't(1) = '],
    ['spaces', ' '],
    ['particles', 'van de '],
    ['links', '10.5555/'],
    ['abstracts', 'Abstract. '],
  ])('takes time linear in 400,000 characters of %s', (_, unit) => {
    const text = `References\n${unit.repeat(Math.floor(400_000 / unit.length))}`;
    const begun = process.cpuUsage();
    expectPlaces(text, analysisOf(text));
    expectPlaces(text.slice(11), analysisOf(text.slice(11)));
    const { user } = process.cpuUsage(begun);
    expect(user / 1_000_000).toBeLessThan(4);
  });
});

function expectPlaces(text: string, { sections, references, citations, statistics }: PaperAnalysis): void {
  for (const each of [...citations, ...statistics]) {
    expect(text.slice(each.start, each.end)).toBe(each.text);
  }
  for (const { raw, start, end } of references) {
    expect(text.slice(start, end)).toBe(raw);
  }
  for (const { heading, start, bodyStart, end } of sections) {
    expect(text.slice(start, bodyStart)).toContain(heading ?? '');
    expect(end).toBeGreaterThanOrEqual(bodyStart);
  }
}
