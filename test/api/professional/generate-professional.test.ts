import { expectCharged, expectRefused } from '../../support/upstream/answered-operation';
import { describeOperation } from '../../support/api/describe-operation';
import { scriptJson, scriptModel } from '../../support/upstream/scripted-model';

const BRIEF =
  'We propose a new booking system. Today bookings fail because the old one is slow. It costs EUR 18,000 a year. ' +
  'It is done by 30 June 2027. Please approve it this week.';
const BODY = { kind: 'proposal', brief: BRIEF, audience: 'the board', tone: 'formal' };
const PRICE = { baseNanoUsd: 4_000_000n, tokenNanoUsd: 20_000n };
const TOLD = {
  title: 'A new booking system',
  sections: [
    {
      heading: 'Why',
      text: 'Bookings fail. Ask [name of the contact], see [the site](https://example.com).',
    },
  ],
};
describeOperation(
  'generateProfessional',
  (world, variant) => {
    scriptJson(world, TOLD);
    return { body: { ...BODY, brief: `${BRIEF} Copy ${variant}.`, max_tokens: 200 } };
  },
  (status) => {
    status(422, 'refuses a brief that says nothing, free of charge', async (world) => {
      const body = { ...BODY, brief: ' … ' };
      await expectRefused(
        world,
        { operationId: 'generateProfessional', body },
        422,
        expect.stringContaining('no letter'),
      );
    });

    status(
      200,
      'has a model write, shows what is to be filled in, and charges what it used',
      async (world) => {
        const model = scriptModel(world, [{ content: JSON.stringify(TOLD), use: [200, 60] }]);
        const { body } = await expectCharged(
          world,
          { operationId: 'generateProfessional', body: BODY },
          PRICE,
        );
        expect(body).toMatchObject({
          data: {
            ...TOLD,
            text: `# A new booking system\n\n## Why\n\n${TOLD.sections[0]?.text}`,
            to_fill_in: [{ text: '[name of the contact]' }],
            usage: { total_tokens: 260 },
          },
        });
        expect(model.shown(0)).toContain('<audience>\nthe board\n</audience>');
      },
    );
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
