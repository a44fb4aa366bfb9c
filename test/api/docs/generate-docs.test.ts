import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../../src/runtime/ids';
import { countTokens } from '../../../src/text/count-tokens';
import { describeOperation } from '../../support/api/describe-operation';
import {
  expectCharged,
  expectFault,
  expectNoModel,
  expectRefused,
  WRITING_PRICE,
} from '../../support/upstream/answered-operation';
import { scriptJson, scriptModel } from '../../support/upstream/scripted-model';

const fixture = (name: string) => readFileSync(join(__dirname, '../../fixtures/docs', name), 'utf8');
const API = fixture('tidemark.openapi.json');
const COMMITS = fixture('commits.txt');
const BRIEF = 'Tidemark watches the level of a river. It warns the people who live beside it.';
const TOLD = { title: 'Tidemark', sections: [{ title: 'Install', text: 'Gauges first.' }] };
const operation = (fields: object = {}) => ({
  operationId: 'generateDocs' as const,
  body: { kind: 'readme', brief: BRIEF, ...fields },
  told: TOLD,
});
const told = (...sections: object[]) => JSON.stringify({ title: 'Tidemark', sections });

describeOperation(
  'generateDocs',
  (world, variant) => {
    scriptJson(world, TOLD);
    return { body: { kind: 'readme', brief: `${BRIEF} Copy ${variant}.`, max_tokens: 200 } };
  },
  (status) => {
    status(422, 'refuses what gives nothing to write from, free of charge', async (world) => {
      const nothing = 'There is nothing to write from: give a brief, content or document_id.';
      await expectRefused(world, operation({ brief: undefined }), 422, nothing);
      await expectRefused(world, operation({ brief: ' … ' }), 422, nothing);
      const both = operation({ content: 'Rivers.', document_id: newId() });
      await expectRefused(world, both, 422, 'Give either content or document_id.');
      await expectRefused(world, operation({ content: '…' }), 422, expect.stringContaining('no letter'));
    });

    status(422, 'refuses what is no OpenAPI document that can be read, free of charge', async (world) => {
      for (const [content, message] of [
        ['{"openapi": "3.1.0", ', 'The OpenAPI document is no valid JSON.'],
        ['[1]', 'The OpenAPI document is no JSON object.'],
        [
          '{"swagger": "2.0", "paths": {}}',
          'The document has no "openapi" of version 3: only OpenAPI 3 is read.',
        ],
        ['{"openapi": "3.0.0"}', 'The OpenAPI document has neither paths nor components.'],
        ['openapi: 3.1.0\npaths: {}', 'Send the OpenAPI document as JSON.'],
      ]) {
        await expectRefused(world, operation({ kind: 'api', content }), 422, message);
      }
    });

    status(502, 'charges nothing for a page without a section or a word', async (world) => {
      await expectFault(world, operation(), { content: told() });
      await expectFault(world, operation(), { content: told({ title: 'Install', text: ' … ' }) });
    });

    status(
      503,
      'writes no API without its document, no changelog without commits and no other page without a model, free of charge',
      async (world) => {
        for (const fields of [
          { kind: 'api' },
          { kind: 'changelog' },
          { kind: 'api', content: 'export function listGauges() {}' },
          { kind: 'changelog', content: 'export const gauges = () => { return []; };' },
          { kind: 'readme' },
          { kind: 'guide' },
        ]) {
          const needs = { api: /an OpenAPI 3 document in JSON/, changelog: /a list of commits/ }[fields.kind];
          await expectNoModel(
            world,
            operation(fields),
            expect.stringMatching(needs ?? /only an API reference/),
          );
        }
      },
    );

    status(200, 'documents an API by its document, whatever a model would say', async (world) => {
      const model = scriptJson(world, TOLD);
      const { body } = await expectCharged(world, operation({ kind: 'api', content: API }), WRITING_PRICE);
      const { data, metadata } = body;
      expect(model.requests).toEqual([]);
      expect(data).toMatchObject({
        ...{ kind: 'api', state: 'complete', title: 'Tidemark API', to_fill_in: [], omitted: [] },
        model: 'embedded-api-reference-1',
      });
      expect(metadata.engine?.method).toBe('api-reference');
      expect(data.text).toContain('### GET /gauges/{gauge_id}');
      expect(data.text).toContain('| `total` | integer | no | (at least `0`) |');
    });

    status(200, 'writes a changelog of commits by rule', async (world) => {
      const wanted = operation({ kind: 'changelog', brief: undefined, content: COMMITS, version: '2.3.0' });
      const { body } = await expectCharged(world, wanted, WRITING_PRICE);
      expect(body.data).toMatchObject({
        state: 'skeleton',
        to_fill_in: ['the date of the release, as YYYY-MM-DD'],
        omitted: ['1 commit of type chore.', '1 commit of type docs.', '1 commit of type ci.', '1 merge.'],
        model: 'embedded-changelog-1',
      });
      expect(body.data.sections[0]?.title).toBe('[2.3.0]');
    });

    status(200, 'charges a page that is written by rule once, though it is given twice', async (world) => {
      for (const fields of [
        { kind: 'api', content: API },
        { kind: 'changelog', brief: undefined, content: COMMITS },
      ]) {
        const { data } = (await expectCharged(world, operation(fields), WRITING_PRICE)).body;
        const { kind, state, title, text, omitted } = data;
        const once = JSON.stringify({ kind, state, title, text, omitted });
        expect(data.usage.output_tokens).toBe(countTokens(once));
      }
    });

    status(200, 'has a model write a page, mends its answer once, and charges both tries', async (world) => {
      const model = scriptModel(world, [
        { content: 'Gladly!', use: [70, 3] },
        {
          content: told(
            { title: 'Overview', text: '# Big\nWarns people.' },
            { title: 'Install', text: '[To fill in: the command]' },
          ),
          use: [90, 30],
        },
      ]);
      const { body } = await expectCharged(world, operation({ content: 'Level: 2.5 m' }), WRITING_PRICE);
      expect(body.data).toMatchObject({
        ...{ kind: 'readme', state: 'skeleton', title: 'Tidemark', to_fill_in: ['the command'] },
        text: '# Tidemark\n\n## Overview\n\n**Big**\nWarns people.\n\n## Install\n\n[To fill in: the command]',
        ...{ model: 'scripted-1', usage: { total_tokens: 193 } },
      });
      expect(model.shown(0)).toContain('<source>\nLevel: 2.5 m\n</source>');
    });

    status(200, 'asks a model for a changelog of a text without commits', async (world) => {
      scriptModel(world, [{ content: told({ title: 'Added', text: '- A siren' }) }]);
      const wanted = operation({
        kind: 'changelog',
        content: 'There is a siren now, which everybody likes.',
      });
      const { body } = await expectCharged(world, wanted, WRITING_PRICE);
      expect(body.data).toMatchObject({ kind: 'changelog', state: 'complete', model: 'scripted-1' });
    });
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
