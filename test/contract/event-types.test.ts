import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import document from '../../generated/openapi.json';
import { EVENT_TYPES } from '../../src/events/outbox';

const BITS = join(__dirname, '../../src/events/sql/event_bit.sql');

describe('the types of events', () => {
  it('have their bits in the database, in the order of the code', () => {
    const [, list = ''] = /array_position\(ARRAY\[(.*?)\]/s.exec(readFileSync(BITS, 'utf8')) ?? [];
    expect(list.split(',').map((type) => type.trim().replaceAll("'", ''))).toEqual([...EVENT_TYPES]);
  });

  it('can all be tested and subscribed to, and nothing else can but `*`', () => {
    const { EventType, WebhookSubscription } = document.components.schemas;
    expect(EventType.enum).toEqual([...EVENT_TYPES]);
    expect(WebhookSubscription.enum.toSorted()).toEqual(['*', ...EVENT_TYPES].toSorted());
  });
});
