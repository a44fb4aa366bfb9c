import Ajv2020 from 'ajv/dist/2020';
import { definitions } from '../../../generated/schemas';
import { formats } from '../../../src/contract/input-values';
import type { EventType } from '../../../src/events/outbox';
import type { World } from '../api/world';
import { writtenEvents, type WrittenEvent } from '../events/written-events';

const ajv = new Ajv2020({ allErrors: true, strict: false, formats });
ajv.addSchema({ $id: 'contract', $defs: definitions });

const DATA: Partial<Record<EventType, string>> = {
  'payment.created': 'PaymentCreatedData',
  'payment.confirming': 'PaymentConfirmingData',
  'payment.confirmed': 'PaymentConfirmedData',
  'payment.failed': 'PaymentFailedData',
  'payment.expired': 'PaymentExpiredData',
};

/**
 * What subscribers of the owner are told, the first first. Throws where the data of a payment's event is not what the document
 * says, in which a field that it does not name is a fault too.
 */
export async function paymentEvents({ service, owner }: World): Promise<WrittenEvent[]> {
  const events = await writtenEvents(service.database, owner.id);
  for (const { type, data } of events) {
    const name = DATA[type];
    const schema = (definitions as Record<string, { properties?: object }>)[name ?? ''];
    const undeclared = Object.keys(data).filter((field) => schema && !(field in (schema.properties ?? {})));
    if (schema && (!ajv.validate({ $ref: `contract#/$defs/${name}` }, data) || undeclared.length > 0)) {
      throw new Error(`${type}: ${ajv.errorsText()}; undeclared: ${undeclared.join()}`);
    }
  }
  return events;
}
