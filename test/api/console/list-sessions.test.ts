import { BrowserSession } from '../../support/api/browser-session';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'listSessions',
  () => ({}),
  (status) => {
    status(200, 'has the browsers of the account that are logged in, the newest first', async (world) => {
      const ended = await BrowserSession.start(world);
      await ended.call('endSession');
      const first = await BrowserSession.start(world);
      world.service.clock.advance(1000);
      const second = await BrowserSession.start(world);
      await BrowserSession.start(world, world.stranger);
      const { sessions } = (await first.call('listSessions')).body;
      expect(sessions.map(({ id, is_current }) => [id, is_current])).toEqual([
        [second.id, false],
        [first.id, true],
      ]);
      expect((await callAs('listSessions', world, {})).body.sessions).toHaveLength(2);
    });
  },
);
