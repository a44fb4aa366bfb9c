import { callerOf, itHoldsCaps, type CapCaller } from '../support/ledger/caps-behaviour';
import { CompiledService } from '../support/processes/compiled-service';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';

describe('a cap is a cap', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(async () => service.stop());

  itHoldsCaps(
    () => service,
    (key) => callerOf(service, key),
  );

  describe('with two server processes on one database', () => {
    let processes: CompiledService[];
    beforeAll(async () => {
      const environment = {
        DATABASE_URL: service.databaseUrl,
        JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      };
      processes = await Promise.all([CompiledService.start(environment), CompiledService.start(environment)]);
    });
    afterAll(async () => {
      await Promise.all(processes.map((process) => process.stop()));
    });

    itHoldsCaps(
      () => service,
      (key) => severalProcesses(processes, key),
    );

    it('refuses a key on the other replica as soon as its revocation is answered', async () => {
      const account = await createAccount(service, { creditUsd: '1' });
      const [first, second] = processes;
      const write = (key: string) =>
        second?.post('/api/hub/memory', { key: 'k', value: 'v' }, { 'x-api-key': key });
      expect((await write(account.key))?.status).toBe(201);
      // The processes run by the real clock, for which the world's token has long expired.
      const login = await first?.post(
        '/api/auth/login',
        { email: account.email, password: account.password },
        {},
      );
      const { token } = (await login?.json()) as { token: string };
      const revoked = await first?.post(
        `/api/keys/${account.keyId}/revoke`,
        {},
        { authorization: `Bearer ${token}` },
      );
      expect(revoked?.status).toBe(200);
      expect((await write(account.key))?.status).toBe(401);
    });
  });
});

function severalProcesses(processes: CompiledService[], key: string): CapCaller {
  return {
    post: async (index) => {
      const process = processes[index % processes.length];
      const body = { key: `k${index}`, value: 'v' };
      return (await process?.post('/api/hub/memory', body, { 'x-api-key': key }))?.status ?? 0;
    },
  };
}
