import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { PostgresQueueBackend, type Queue } from 'bullmq';
import { until } from '../../test/support/until';
import { DatabaseUrl } from '../database/connection-pool';
import type { ProcessRegister } from '../database/process-register';
import { queueBackend, QueueConnections } from './queue.module';

describe('QueueConnections', () => {
  it('tells every worker that listens of the jobs that the session of the process hears of', async () => {
    const connections = new QueueConnections(new DatabaseUrl('postgres://nobody@127.0.0.1:9/none'));
    const listened: [string, (payload: string) => void][] = [];
    const listen = (channel: string, heard: (payload: string) => void) => listened.push([channel, heard]);
    connections.hearOn({ listen } as unknown as ProcessRegister);
    const [one, other, gone] = [jest.fn(), jest.fn(), jest.fn()];
    const clients = await Promise.all([one, other, gone].map(() => connections.connect()));
    [one, other, gone].forEach((heard, index) => clients[index]?.on('notification', heard));
    clients[2]?.release();

    const [[channel, hear] = ['', () => undefined]] = listened;
    hear('tasks');
    const { NOTIFY_CHANNEL } = PostgresQueueBackend as unknown as { NOTIFY_CHANNEL: string };
    expect(channel).toBe(NOTIFY_CHANNEL);
    const news = [[{ channel, payload: 'tasks' }]];
    expect([one.mock.calls, other.mock.calls, gone.mock.calls]).toEqual([news, news, []]);
    await connections.end();
  });

  it('makes every worker look at its queue where the session may have missed a notification', async () => {
    const connections = new QueueConnections(new DatabaseUrl('postgres://nobody@127.0.0.1:9/none'));
    let missed = () => undefined as void;
    const listen = (...[, , told]: [string, unknown, () => void]) => (missed = told);
    connections.hearOn({ listen } as unknown as ProcessRegister);
    ['tasks', 'documents'].forEach((name) =>
      queueBackend(name, { connection: connections }, { blocking: true }),
    );
    queueBackend('only added to', { connection: connections });
    const heard = jest.fn<void, [{ payload: string }]>();
    const client = await connections.connect();
    client.on('notification', heard as never);

    missed();
    expect(heard.mock.calls.map(([{ payload }]) => payload)).toEqual(['tasks', 'documents']);
    await connections.end();
  });
});

describe('a queue whose server is away as it is made', () => {
  it('says so in the log, and BullMQ writes nothing to the console', async () => {
    const [logged, written] = [jest.spyOn(Logger.prototype, 'warn'), jest.spyOn(console, 'error')];
    [logged, written].forEach((spy) => spy.mockReturnValue());
    const connection = { url: 'redis://127.0.0.1:1' };
    const imports = [BullModule.registerQueue({ name: 'early', connection })];
    const module = await Test.createTestingModule({ imports }).compile();
    await until('a fault is told', () => logged.mock.calls.length + written.mock.calls.length > 0);
    await module.get<Queue>(getQueueToken('early')).close();
    expect(written).not.toHaveBeenCalled();
    expect(logged.mock.calls).toEqual([[expect.objectContaining({ queue: 'early' })]]);
    jest.restoreAllMocks();
  });
});
