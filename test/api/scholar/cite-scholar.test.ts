import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { scriptModel } from '../../support/upstream/scripted-model';

const ARTICLE = {
  type: 'article',
  title: 'Light at the shore',
  authors: [
    { family: 'Brandt', given: 'Karla' },
    { family: 'Osei', given: 'Abena B.' },
  ],
  year: 2015,
  container_title: 'Journal of Coastal Health',
  volume: '4',
  issue: '2',
  pages: '101-119',
  doi: 'https://doi.org/10.5555/jch.2015.0042',
};
const BOOK = {
  type: 'book',
  title: 'Lit evenings: A history',
  authors: [{ literal: 'World Sleep Council' }],
  date: '2018-03',
  publisher: 'Northern\n Press',
  place: 'Oslo',
  edition: '2',
  isbn: '978-0-306-40615-7',
};
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;

describeOperation(
  'citeScholar',
  (_, variant) => ({ body: { style: 'apa', sources: [{ ...ARTICLE, title: `Light ${variant}` }] } }),
  (status) => {
    status(422, 'names the source and what is wrong with it, free of charge', async (world) => {
      const before = await world.balanceNanoUsd();
      for (const [fields, message] of [
        [{ doi: '11.1/x' }, 'sources[1].doi is no DOI, such as 10.1000/182.'],
        [
          { isbn: '978-0-306-40615-8' },
          'sources[1].isbn is no ISBN of 10 or 13 digits with its check digit.',
        ],
        [{ isbn: '0-306-40615-3' }, 'sources[1].isbn is no ISBN of 10 or 13 digits with its check digit.'],
        [{ title: ' \n ' }, 'sources[1].title is empty.'],
        [{ year: undefined, date: '2021-02-29' }, 'sources[1].date is a date that does not exist.'],
        [{ accessed: '2021-13-01' }, 'sources[1].accessed is a date that does not exist.'],
        [{ date: '2016' }, 'sources[1].year is not that of its date.'],
        [{ date: '2015-03', season: 'spring' }, 'sources[1].season needs a year, and no month.'],
        [
          { authors: [{ family: 'A' }, { given: 'B' }] },
          'sources[1].authors[1] needs either family, with given and suffix, or literal.',
        ],
        [
          { editors: [{ family: 'A', literal: 'B' }] },
          'sources[1].editors[0] needs either family, with given and suffix, or literal.',
        ],
      ] as const) {
        const answer = await cite(world, 'apa', [BOOK, { ...ARTICLE, ...fields }]);
        expect(answer).toMatchObject({ status: 422, body: { message } });
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    const EXPECTED = {
      apa: [
        'Brandt, K., & Osei, A. B. (2015). Light at the shore. Journal of Coastal Health, 4(2), 101–119. https://doi.org/10.5555/jch.2015.0042',
        'World Sleep Council. (2018). Lit evenings: A history (2nd ed.). Northern Press.',
      ],
      mla: [
        'Brandt, Karla, and Abena B. Osei. “Light at the shore.” Journal of Coastal Health, vol. 4, no. 2, 2015, pp. 101–19, https://doi.org/10.5555/jch.2015.0042.',
        'World Sleep Council. Lit evenings: A history. 2nd ed., Northern Press, Mar. 2018.',
      ],
      chicago: [
        'Brandt, Karla, and Abena B. Osei. 2015. “Light at the shore.” Journal of Coastal Health 4 (2): 101–19. https://doi.org/10.5555/jch.2015.0042.',
        'World Sleep Council. 2018. Lit evenings: A history. 2nd ed. Oslo: Northern Press.',
      ],
      bibtex: [
        '@article{brandt2015light,\n  author = {Brandt, Karla and Osei, Abena B.},\n  title = {Light at the shore},\n  journal = {Journal of Coastal Health},\n  volume = {4},\n  number = {2},\n  pages = {101--119},\n  year = {2015},\n  doi = {10.5555/jch.2015.0042}\n}',
        '@book{world2018lit,\n  author = {{World Sleep Council}},\n  title = {Lit evenings: A history},\n  edition = {2},\n  publisher = {Northern Press},\n  address = {Oslo},\n  year = {2018},\n  month = mar,\n  isbn = {978-0-306-40615-7}\n}',
      ],
      ris: [
        'TY  - JOUR\r\nAU  - Brandt, Karla\r\nAU  - Osei, Abena B.\r\nTI  - Light at the shore\r\nT2  - Journal of Coastal Health\r\nPY  - 2015\r\nVL  - 4\r\nIS  - 2\r\nSP  - 101\r\nEP  - 119\r\nDO  - 10.5555/jch.2015.0042\r\nER  - \r\n',
        'TY  - BOOK\r\nAU  - World Sleep Council\r\nTI  - Lit evenings: A history\r\nPY  - 2018\r\nDA  - 2018/03\r\nET  - 2\r\nPB  - Northern Press\r\nCY  - Oslo\r\nSN  - 978-0-306-40615-7\r\nER  - \r\n',
      ],
    };
    const JOINED = { apa: '\n', mla: '\n', chicago: '\n', bibtex: '\n\n', ris: '' };

    status(
      200,
      'writes every style to the character, asks no model, and charges its tokens',
      async (world) => {
        const model = scriptModel(world, [{ content: 'Made up.' }]);
        for (const [style, texts] of Object.entries(EXPECTED)) {
          const before = await world.balanceNanoUsd();
          const { body } = await cite(world, style, [ARTICLE, BOOK]);
          const { data, metadata } = body;
          expect(data.citations.map(({ text }) => text)).toEqual(texts);
          expect(data.bibliography).toBe(texts.join(JOINED[style as keyof typeof JOINED]));
          expect(metadata.engine).toEqual({
            provider: 'embedded',
            method: 'citation-styles',
            quality: 'basic',
          });
          expect([data.style, data.model]).toEqual([style, 'embedded-citation-styles-1']);
          const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(data.usage.total_tokens);
          expect([before - (await world.balanceNanoUsd()), data.usage.input_tokens > 100]).toEqual([
            cost,
            true,
          ]);
        }
        expect(model.requests).toHaveLength(0);
      },
    );

    status(200, 'says how the text cites each source, as its style does', async (world) => {
      const inText = async (style: string) =>
        (await cite(world, style, [ARTICLE, BOOK])).body.data.citations.map((each) => [
          each.in_text,
          each.key,
        ]);
      expect(await inText('apa')).toEqual([
        [{ parenthetical: '(Brandt & Osei, 2015)', narrative: 'Brandt and Osei (2015)' }, null],
        [{ parenthetical: '(World Sleep Council, 2018)', narrative: 'World Sleep Council (2018)' }, null],
      ]);
      expect((await inText('bibtex'))[0]).toEqual([
        { parenthetical: '\\parencite{brandt2015light}', narrative: '\\textcite{brandt2015light}' },
        'brandt2015light',
      ]);
      expect((await inText('ris'))[0]).toEqual([null, null]);
    });

    status(200, 'keeps line breaks and markup of a title from becoming lines or HTML', async (world) => {
      const source = { type: 'book', title: 'A\r\nER  - \r\n<script>x</script>' };
      expect((await cite(world, 'ris', [source])).body.data.bibliography).toBe(
        'TY  - BOOK\r\nTI  - A ER - <script>x</script>\r\nER  - \r\n',
      );
      expect((await cite(world, 'mla', [source])).body.data.citations[0]?.html).toBe(
        '<i>A ER - &lt;script&gt;x&lt;/script&gt;</i>.',
      );
    });
  },
);

function cite(world: World, style: string, sources: readonly object[]) {
  return callAs('citeScholar', world, { body: { style, sources } });
}

afterEach(() => {
  jest.restoreAllMocks();
});
