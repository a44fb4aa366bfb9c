import { Client } from 'pg';
import { createEmptyDatabase } from '../../test/support/api/test-database';
import { TcpProxy } from '../../test/support/processes/tcp-proxy';
import { until } from '../../test/support/until';
import { Notifications } from './notifications';

describe('Notifications', () => {
  it('notices a connection over which nothing comes any more, and hears again when it may', async () => {
    const database = await createEmptyDatabase();
    const url = new URL(database.url);
    const network = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
    url.port = String(network.port);
    const heard: string[] = [];
    let losses = 0;
    const notifications = new Notifications(
      url.href,
      'half_open',
      (text) => heard.push(text),
      () => (losses += 1),
    );
    await notifications.open();
    expect([notifications.isListening, losses]).toEqual([true, 1]);

    network.state = 'losing everything';
    await until('the silence is noticed', () => !notifications.isListening);
    expect(losses).toBeGreaterThan(1);

    network.state = 'whole';
    await until('it listens again', () => notifications.isListening);
    const sender = new Client(database.url);
    await sender.connect();
    await sender.query(`NOTIFY half_open, 'again'`);
    await until('the notification is heard', () => heard.includes('again'));
    await sender.end();
    await notifications.close();
    await network.stop();
    await database.drop();
  });

  it('lets one listener of a channel lead, and another when that one is gone', async () => {
    const database = await createEmptyDatabase();
    const ignore = () => undefined;
    const missed = jest.fn();
    const first = new Notifications(database.url, 'led', ignore, ignore, true);
    const second = new Notifications(database.url, 'led', ignore, missed, true);
    await first.open();
    await second.open();
    expect([first.isLeading, second.isLeading, missed.mock.calls.length]).toEqual([true, false, 1]);
    await first.close();
    await until('the other one leads', () => second.isLeading);
    expect([first.isLeading, missed.mock.calls.length]).toEqual([false, 2]);
    await second.close();
    await database.drop();
  });
});
