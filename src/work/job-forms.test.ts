import { Logger } from '@nestjs/common';
import { type Job, UnrecoverableError } from 'bullmq';
import { DocumentJob } from '../modules/documents/document-attempts';
import { TaskJob } from '../modules/tasks/task-attempts';
import { AttemptsJob } from '../modules/webhooks/delivery-dispatcher';
import { newId } from '../runtime/ids';
import { readJob } from './queue-worker';

const ORDER = { deliveryId: newId(), attempt: 1 };
const read = (form: new () => object, data: unknown): object => readJob(form, { data } as Job);

describe('readJob', () => {
  beforeEach(() => jest.spyOn(Logger.prototype, 'error').mockImplementation());
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [TaskJob, { taskId: newId() }],
    [DocumentJob, { documentId: newId(), addedLater: true }],
    [AttemptsJob, { attempts: [ORDER, ORDER] }],
  ])('takes what the dispatchers add, and what a newer version adds to it: %p', (form, data) => {
    expect(read(form, data)).toEqual(data);
  });

  it.each([
    [TaskJob, null],
    [TaskJob, []],
    [TaskJob, {}],
    [TaskJob, { taskId: 'a task' }],
    [DocumentJob, { taskId: newId() }],
    [AttemptsJob, { attempts: ORDER }],
    [AttemptsJob, { attempts: [null] }],
    [AttemptsJob, { attempts: [{ ...ORDER, attempt: '1' }] }],
  ])('gives up a job without the form: %p %p', (form, data) => {
    expect(() => read(form, data)).toThrow(UnrecoverableError);
  });

  it('names the member that is wrong, and not what it holds', () => {
    const orders = { attempts: [ORDER, { ...ORDER, deliveryId: 'a-secret' }] };
    expect(() => read(AttemptsJob, orders)).toThrow(/^(?!.*a-secret).*attempts\[1\]\.deliveryId/);
  });
});
