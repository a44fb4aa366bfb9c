import { readFileSync } from 'node:fs';
import type { Document } from 'yaml';
import { EVENT_TYPES } from '../../src/events/outbox';
import { copyDocument, edit, generateInto, pathOf, refusal } from './copied-document';

copyDocument(['account', 'v1']);

describe('the generator refuses the webhooks of a document', () => {
  const example = ['post', 'requestBody', 'content', 'application/json', 'example'];

  it('that lack an event of the service', async () => {
    edit('openapi.yaml', (document) => document.deleteIn(['webhooks', 'usage.spike']));
    expect(await refusal()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^openapi\/openapi\.yaml:\d+ lacks the webhook of the event usage\.spike$/),
      ]),
    );
  });

  it('that have an event which the service does not send', async () => {
    edit('openapi.yaml', (document) =>
      document.setIn(['webhooks', 'moon.full'], { $ref: 'webhooks.yaml#/usage.spike' }),
    );
    expect((await refusal()).filter((place) => place.includes('does not send: moon.full'))).toHaveLength(1);
  });

  it.each<[string, (webhook: Document) => void, string]>([
    [
      'without an example',
      (document) => document.deleteIn(['usage.spike', ...example]),
      'needs a post with an example of the event usage.spike',
    ],
    [
      'whose example is of another event',
      (document) => document.setIn(['usage.spike', ...example, 'event_type'], 'key.revoked'),
      'needs a post with an example of the event usage.spike',
    ],
    [
      'whose example lacks a field',
      (document) => document.deleteIn(['usage.spike', ...example, 'data', 'factor']),
      "must have required property 'factor'",
    ],
    [
      'whose example has a field too many',
      (document) => document.setIn(['usage.spike', ...example, 'data', 'colour'], 'red'),
      'colour',
    ],
  ])('%s', async (_, change, reason) => {
    edit('webhooks.yaml', change);
    const places = (await refusal()).filter((place) => place.startsWith('openapi/webhooks.yaml:'));
    expect(places).toEqual(expect.arrayContaining([expect.stringContaining(reason)]));
  });
});

describe('what the generator writes of events', () => {
  it('hands over the data of every example of an event, and gives no operation for it', async () => {
    edit('webhooks.yaml', (document) =>
      document.setIn(
        ['usage.spike', 'post', 'requestBody', 'content', 'application/json', 'example', 'data', 'factor'],
        17.25,
      ),
    );
    await generateInto('out');
    const events = readFileSync(pathOf('out/events.ts'), 'utf8');
    const examples = JSON.parse(
      /^export const eventExamples: EventExamples = (.*);$/ms.exec(events)?.[1] ?? '',
    ) as Record<string, Record<string, unknown>>;
    expect(Object.keys(examples)).toEqual([...EVENT_TYPES]);
    expect(examples['usage.spike']?.factor).toBe(17.25);
    const types = readFileSync(pathOf('out/types.ts'), 'utf8');
    expect(types).toContain('export type UsageSpikeData = ');
    expect(types).not.toContain('onUsageSpike');
  });
});
