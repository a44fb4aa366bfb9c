import type { ApiAnswer, ApiRequest, OperationId, TestService } from './service';
import type { TestAccount, World } from './world';

/** What a browser says of a page of the service. `inject` names the host localhost:80. */
export const OWN_PAGE = {
  origin: 'http://localhost',
  'sec-fetch-site': 'same-origin',
  'x-console': '1',
} as const;

/** A browser that is logged in: it sends its cookie with every call, and what it says of the page. */
export class BrowserSession {
  private constructor(
    private readonly world: World,
    /** Name and value. */
    readonly cookie: string,
    readonly id: string,
  ) {}

  static async start(world: World, account: TestAccount = world.owner): Promise<BrowserSession> {
    const body = { email: account.email, password: account.password };
    const answer = await world.service.call('startSession', { body, headers: OWN_PAGE, ip: world.ip });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
    return new BrowserSession(world, cookie, answer.body.id);
  }

  /** @param service another replica than the one where it was started */
  async call<Id extends OperationId>(
    operationId: Id,
    request: ApiRequest = {},
    service: TestService = this.world.service,
  ): Promise<ApiAnswer<Id>> {
    const headers = { ...OWN_PAGE, cookie: this.cookie, ...request.headers };
    return service.call(operationId, { ip: this.world.ip, ...request, headers });
  }

  /** How its next read is answered: 200, or the error's name. */
  async verdict(service?: TestService): Promise<string | number> {
    const { status, body } = await this.call('getSession', {}, service);
    return status === 200 ? 200 : body.error;
  }
}
