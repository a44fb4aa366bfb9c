import { describeInvention, expectCharged, expectRefused } from '../../support/upstream/answered-operation';
import { describeOperation } from '../../support/api/describe-operation';
import { GERMAN, LEGAL_PRICE, SERVICE_AGREEMENT } from '../../support/legal/contract-fixtures';
import { scriptModel } from '../../support/upstream/scripted-model';

const DELIVERY = 'The Supplier shall deliver the first report by 1 April 2026.';
const TOLD = {
  parties: [{ name: 'Harbour & Finch GmbH', role: 'Customer', aliases: ['Customer'] }],
  dates: [{ text: '1 April 2026', date: '2026-04-01' }],
  amounts: [],
  obligations: [{ party: 'Supplier', obligation: DELIVERY, deadline: 'by 1 April 2026' }],
  definitions: [
    { term: 'Services', meaning: 'reports and support', quote: '“Services” means the monthly data reports' },
  ],
};
const OPERATION = {
  operationId: 'extractLegal',
  body: { content: SERVICE_AGREEMENT },
  invented: {
    ...TOLD,
    obligations: [{ party: 'Supplier', obligation: 'The Supplier shall sing.', deadline: null }],
  },
} as const;

describeOperation(
  'extractLegal',
  (_, variant) => ({ body: { content: `${SERVICE_AGREEMENT} Copy ${variant}.`, max_tokens: 200 } }),
  (status) => {
    describeInvention(status, OPERATION);

    status(503, 'refuses a German text without an upstream, free of charge', async (world) => {
      const message = expect.stringMatching(
        /none is configured\. Without one only texts in English are read/,
      );
      await expectRefused(world, { operationId: 'extractLegal', body: { content: GERMAN } }, 503, message);
    });

    status(200, 'finds by rules what the terms mean, and charges its tokens', async (world) => {
      const { body } = await expectCharged(world, OPERATION, LEGAL_PRICE);
      const { data } = body as unknown as { data: { obligations: null; definitions: { term: string }[] } };
      expect(data.obligations).toBeNull();
      expect(data.definitions.map(({ term }) => term)).toContain('Working Day');
    });

    status(200, 'has a model extract, mends its answer once, and charges both tries', async (world) => {
      scriptModel(world, [
        { content: 'Gladly!', use: [900, 90] },
        { content: JSON.stringify(TOLD), use: [990, 100] },
      ]);
      const { body } = await expectCharged(world, OPERATION, LEGAL_PRICE);
      const start = SERVICE_AGREEMENT.indexOf(DELIVERY);
      expect(body).toMatchObject({
        data: {
          obligations: [{ party: 'Supplier', deadline_date: '2026-04-01', start }],
          definitions: [{ term: 'Services', start: SERVICE_AGREEMENT.indexOf('“Services” means') }],
          usage: { total_tokens: 2_080 },
        },
      });
    });
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
